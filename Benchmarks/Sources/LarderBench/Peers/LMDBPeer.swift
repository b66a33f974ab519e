import BenchLMDB
import Foundation

/// Raw LMDB: one entry per person, id as a big-endian key, the row packed into the value; written by hand as a careful
/// C program would. Default flags: a commit is durable. Indexes are tables of (value, id) keys.
final class LMDBPeer: Peer {
  static let name = "lmdb"

  private let path: String
  private let indexed: Bool
  private var environment: OpaquePointer?
  private var people: MDB_dbi = 0
  private var ages: MDB_dbi = 0
  private var names: MDB_dbi = 0
  private var countries: MDB_dbi = 0
  private var cities: MDB_dbi = 0
  private let scratch = UnsafeMutableRawPointer.allocate(byteCount: 1_024, alignment: 16)
  private let keyScratch = UnsafeMutableRawPointer.allocate(byteCount: 512, alignment: 16)

  init(directory: String, indexed: Bool) throws {
    path = directory + "/person.lmdb"
    self.indexed = indexed
    try check(mdb_env_create(&environment))
    try check(mdb_env_set_mapsize(environment, 1 << 36))
    try check(mdb_env_set_maxdbs(environment, 4))
    try check(mdb_env_open(environment, path, UInt32(MDB_NOSUBDIR | MDB_NOTLS), 0o600))
    try write { transaction in
      try check(mdb_dbi_open(transaction, "person", UInt32(MDB_CREATE), &people))
      guard indexed else { return }
      try check(mdb_dbi_open(transaction, "age", UInt32(MDB_CREATE), &ages))
      try check(mdb_dbi_open(transaction, "name", UInt32(MDB_CREATE), &names))
    }
  }

  deinit {
    scratch.deallocate()
    keyScratch.deallocate()
  }

  func insert(_ rows: [PersonRow]) throws {
    try write { transaction in
      for row in rows { try put(row, transaction, UInt32(MDB_APPEND)) }
    }
  }

  func readAll() throws -> Answer {
    var digest = RowDigest()
    try scan { id, row in
      digest.add(
        id: id, nameLength: row.nameLength, age: row.age, score: row.score, active: row.active, created: row.created,
        emailLength: row.emailLength)
    }
    return digest.answer
  }

  func lookup(_ ids: [Int]) throws -> Answer {
    var digest = OrderDigest()
    try read { transaction in
      for id in ids {
        if let row = try row(id, transaction) { digest.add(row.nameLength) }
      }
    }
    return digest.answer
  }

  func countScan() throws -> Answer {
    var count = 0
    try scan { _, row in if row.age > 50 { count += 1 } }
    return Answer(count)
  }

  func compoundScan() throws -> Answer {
    var digest = SetDigest()
    try scan { id, row in
      let name = row.name
      if (name[0] == 97 && name[1] == 98) || (row.score < 0.1 && row.active) { digest.add(id) }
    }
    return digest.answer
  }

  func countNames(_ names: [String]) throws -> Answer {
    let wanted = Set(names)
    var count = 0
    if names.count == 1 {
      let bytes = Array(names[0].utf8)
      try scan { _, row in
        if row.nameLength == bytes.count, memcmp(row.name, bytes, bytes.count) == 0 { count += 1 }
      }
    } else {
      try scan { _, row in
        let name = UnsafeBufferPointer(start: row.name, count: row.nameLength)
        if wanted.contains(String(decoding: name, as: UTF8.self)) { count += 1 }
      }
    }
    return Answer(count)
  }

  func insertCities(_ data: CityData) throws {
    try write { transaction in
      try check(mdb_dbi_open(transaction, "country", UInt32(MDB_CREATE), &countries))
      try check(mdb_dbi_open(transaction, "city", UInt32(MDB_CREATE), &cities))
      for (number, name) in data.countries.enumerated() {
        var key = idKey(number)
        var value = MDB_val(mv_size: copy(name, to: scratch), mv_data: scratch)
        try check(mdb_put(transaction, countries, &key, &value, UInt32(MDB_APPEND)))
      }
      // What a query by country needs: pairs of country and city.
      for row in data.cities { try putEmpty(cityKey(row.country, row.id), cities, transaction) }
    }
  }

  private func cityKey(_ country: Int, _ id: Int) -> MDB_val {
    keyScratch.storeBytes(of: UInt16(country).bigEndian, as: UInt16.self)
    keyScratch.storeBytes(of: UInt64(id).bigEndian, toByteOffset: 2, as: UInt64.self)
    return MDB_val(mv_size: 10, mv_data: keyScratch)
  }

  func countCities(inCountries names: [String]) throws -> Answer {
    var digest = OrderDigest()
    try read { transaction in
      for name in names {
        let bytes = Array(name.utf8)
        var found: [UInt16] = []
        var number: UInt16 = 0
        try forEachValue(transaction, countries) { value in
          if value.mv_size == bytes.count, memcmp(value.mv_data, bytes, bytes.count) == 0 { found.append(number) }
          number += 1
        }
        var count = 0
        for country in found {
          keyScratch.storeBytes(of: country.bigEndian, as: UInt16.self)
          try forEach(transaction, cities, from: 2) { key in
            guard key.mv_data.loadUnaligned(as: UInt16.self) == country.bigEndian else { return false }
            count += 1
            return true
          }
        }
        digest.add(count)
      }
    }
    return digest.answer
  }

  private func forEachValue(
    _ transaction: OpaquePointer?, _ table: MDB_dbi, _ body: (MDB_val) -> Void
  ) throws {
    var cursor: OpaquePointer?
    try check(mdb_cursor_open(transaction, table, &cursor))
    defer { mdb_cursor_close(cursor) }
    var key = MDB_val()
    var value = MDB_val()
    while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0 { body(value) }
  }

  func countIndexed(_ ages: [Int]) throws -> Answer {
    var digest = OrderDigest()
    try read { transaction in
      for age in ages {
        var count = 0
        keyScratch.storeBytes(of: UInt8(age), as: UInt8.self)
        try forEach(transaction, self.ages, from: 1) { key in
          guard key.mv_data.load(as: UInt8.self) == UInt8(age) else { return false }
          count += 1
          return true
        }
        digest.add(count)
      }
    }
    return digest.answer
  }

  func lookupIndexed(_ names: [String]) throws -> Answer {
    var digest = OrderDigest()
    try read { transaction in
      var cursor: OpaquePointer?
      try check(mdb_cursor_open(transaction, self.names, &cursor))
      defer { mdb_cursor_close(cursor) }
      for name in names {
        let length = copy(name, to: keyScratch) + 1
        keyScratch.storeBytes(of: 0, toByteOffset: length - 1, as: UInt8.self)
        var key = MDB_val(mv_size: length, mv_data: keyScratch)
        var value = MDB_val()
        guard mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE) == 0, key.mv_size == length + 8,
          memcmp(key.mv_data, keyScratch, length) == 0
        else { continue }
        digest.add(Int(UInt64(bigEndian: key.mv_data.loadUnaligned(fromByteOffset: length, as: UInt64.self))))
      }
    }
    return digest.answer
  }

  func top100() throws -> Answer {
    var best: [(name: UnsafeBufferPointer<UInt8>, id: Int)] = []
    var digest = OrderDigest()
    try read { transaction in
      // Rows stay where they are while the transaction lives, so names can be compared in place.
      try scan(transaction) { id, row in
        let name = UnsafeBufferPointer(start: row.name, count: row.nameLength)
        if best.count == 100, let last = best.last, !Self.precedes(name, last.name) { return }
        var low = 0
        var high = best.count
        while low < high {
          let middle = (low + high) / 2
          if Self.precedes(name, best[middle].name) { high = middle } else { low = middle + 1 }
        }
        best.insert((name, id), at: low)
        if best.count > 100 { best.removeLast() }
      }
      for entry in best { digest.add(entry.id) }
    }
    return digest.answer
  }

  func sort2() throws -> Answer {
    var entries: [(age: Int, score: Double, id: Int)] = []
    try scan { id, row in entries.append((row.age, row.score, id)) }
    entries.sort { $0.age != $1.age ? $0.age < $1.age : $0.score < $1.score }
    var digest = OrderDigest()
    for entry in entries { digest.add(entry.id) }
    return digest.answer
  }

  func aggregate() throws -> Answer {
    var sum = 0.0
    var count = 0
    var minimum = Double.infinity
    var maximum = -Double.infinity
    try scan { _, row in
      let score = row.score
      sum += score
      count += 1
      if score < minimum { minimum = score }
      if score > maximum { maximum = score }
    }
    var answer = Answer()
    for value in [sum, sum / Double(count), minimum, maximum] { answer.append(value) }
    return answer
  }

  func update(_ updates: [(id: Int, age: Int)]) throws {
    try write { transaction in
      for change in updates {
        guard let row = try row(change.id, transaction) else { continue }
        let oldAge = row.age
        let size = row.byteCount
        memcpy(scratch, row.base, size)
        PackedRow.setAge(change.age, in: scratch)
        var key = idKey(change.id)
        var value = MDB_val(mv_size: size, mv_data: scratch)
        try check(mdb_put(transaction, people, &key, &value, 0))
        guard indexed, oldAge != change.age else { continue }
        try remove(ageKey(oldAge, change.id), ages, transaction)
        try putEmpty(ageKey(change.age, change.id), ages, transaction)
      }
    }
  }

  func delete(_ ids: [Int]) throws {
    try write { transaction in
      for id in ids {
        if indexed, let row = try row(id, transaction) {
          try remove(ageKey(row.age, id), ages, transaction)
          // The first removal may move the row's page only if it were in the same table, so the row is still there.
          let name = UnsafeBufferPointer(start: row.name, count: row.nameLength)
          try remove(nameKey(name, id), names, transaction)
        }
        try remove(idKey(id), people, transaction)
      }
    }
  }

  func commitEach(_ rows: ArraySlice<PersonRow>) throws {
    for row in rows { try write { try put(row, $0, 0) } }
  }

  func commitNames(_ changes: [PersonRow]) throws {
    for change in changes {
      try write { transaction in
        guard try row(change.id, transaction) != nil else { return }
        try put(change, transaction, 0)
      }
    }
  }

  func beginFollowing(scoreBelow limit: Double) throws -> Bool { false }

  func changeAndFollow(_ changes: [(id: Int, name: String)]) throws -> Spent {
    throw BenchmarkError("lmdb: nothing to follow")
  }

  func followedMatches() throws -> Answer { throw BenchmarkError("lmdb: nothing to follow") }

  func rerun(scoreBelow limit: Double) throws -> Answer? { nil }

  func endFollowing() {}

  func contents() throws -> Answer {
    var count = 0
    var ids = 0
    var ages = 0
    try scan { id, row in
      count += 1
      ids += id
      ages += row.age
    }
    return Answer(count, ids, ages)
  }

  func fileBytes() throws -> Int { try fileSize(path) }

  func close() throws {
    mdb_env_close(environment)
    environment = nil
  }

  // MARK: - Keys and entries

  private func put(_ row: PersonRow, _ transaction: OpaquePointer?, _ flags: UInt32) throws {
    let size = PackedRow.pack(row, into: scratch)
    var key = idKey(row.id)
    var value = MDB_val(mv_size: size, mv_data: scratch)
    try check(mdb_put(transaction, people, &key, &value, flags))
    guard indexed else { return }
    try putEmpty(ageKey(row.age, row.id), ages, transaction)
    let length = copy(row.name, to: scratch)
    let name = UnsafeBufferPointer(start: scratch.assumingMemoryBound(to: UInt8.self), count: length)
    try putEmpty(nameKey(name, row.id), names, transaction)
  }

  private func idKey(_ id: Int) -> MDB_val {
    keyScratch.storeBytes(of: UInt64(id).bigEndian, as: UInt64.self)
    return MDB_val(mv_size: 8, mv_data: keyScratch)
  }

  private func ageKey(_ age: Int, _ id: Int) -> MDB_val {
    keyScratch.storeBytes(of: UInt8(age), as: UInt8.self)
    keyScratch.storeBytes(of: UInt64(id).bigEndian, toByteOffset: 1, as: UInt64.self)
    return MDB_val(mv_size: 9, mv_data: keyScratch)
  }

  private func nameKey(_ name: UnsafeBufferPointer<UInt8>, _ id: Int) -> MDB_val {
    if let base = name.baseAddress { memcpy(keyScratch, base, name.count) }
    keyScratch.storeBytes(of: 0, toByteOffset: name.count, as: UInt8.self)
    keyScratch.storeBytes(of: UInt64(id).bigEndian, toByteOffset: name.count + 1, as: UInt64.self)
    return MDB_val(mv_size: name.count + 9, mv_data: keyScratch)
  }

  private func putEmpty(_ key: MDB_val, _ table: MDB_dbi, _ transaction: OpaquePointer?) throws {
    var key = key
    var value = MDB_val(mv_size: 0, mv_data: scratch)
    try check(mdb_put(transaction, table, &key, &value, 0))
  }

  private func remove(_ key: MDB_val, _ table: MDB_dbi, _ transaction: OpaquePointer?) throws {
    var key = key
    try check(mdb_del(transaction, table, &key, nil))
  }

  private func row(_ id: Int, _ transaction: OpaquePointer?) throws -> PackedRow? {
    var key = idKey(id)
    var value = MDB_val()
    let result = mdb_get(transaction, people, &key, &value)
    if result == MDB_NOTFOUND { return nil }
    try check(result)
    return PackedRow(base: UnsafeRawPointer(value.mv_data))
  }

  private func copy(_ text: String, to target: UnsafeMutableRawPointer) -> Int {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      if let base = bytes.baseAddress { memcpy(target, base, bytes.count) }
      return bytes.count
    } ?? 0
  }

  private static func precedes(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let a = left.baseAddress, let b = right.baseAddress else { return left.count < right.count }
    let order = memcmp(a, b, min(left.count, right.count))
    return order != 0 ? order < 0 : left.count < right.count
  }

  // MARK: - Transactions

  @inline(__always)
  private func scan(_ body: (Int, PackedRow) -> Void) throws { try read { try scan($0, body) } }

  @inline(__always)
  private func scan(_ transaction: OpaquePointer?, _ body: (Int, PackedRow) -> Void) throws {
    var cursor: OpaquePointer?
    try check(mdb_cursor_open(transaction, people, &cursor))
    defer { mdb_cursor_close(cursor) }
    var key = MDB_val()
    var value = MDB_val()
    while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0 {
      body(
        Int(UInt64(bigEndian: key.mv_data.loadUnaligned(as: UInt64.self))),
        PackedRow(base: UnsafeRawPointer(value.mv_data)))
    }
  }

  /// Visits the keys of a table from the first `from` bytes of `keyScratch` on, until `body` returns false.
  private func forEach(
    _ transaction: OpaquePointer?, _ table: MDB_dbi, from size: Int, _ body: (MDB_val) -> Bool
  ) throws {
    var cursor: OpaquePointer?
    try check(mdb_cursor_open(transaction, table, &cursor))
    defer { mdb_cursor_close(cursor) }
    var key = MDB_val(mv_size: size, mv_data: keyScratch)
    var value = MDB_val()
    var result = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE)
    while result == 0, body(key) { result = mdb_cursor_get(cursor, &key, &value, MDB_NEXT) }
  }

  private func read(_ body: (OpaquePointer?) throws -> Void) throws {
    var transaction: OpaquePointer?
    try check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction))
    defer { mdb_txn_abort(transaction) }
    try body(transaction)
  }

  private func write(_ body: (OpaquePointer?) throws -> Void) throws {
    var transaction: OpaquePointer?
    try check(mdb_txn_begin(environment, nil, 0, &transaction))
    do { try body(transaction) } catch {
      mdb_txn_abort(transaction)
      throw error
    }
    try check(mdb_txn_commit(transaction))
  }

  private func check(_ result: Int32) throws {
    if result != 0 { throw BenchmarkError("lmdb: \(String(cString: mdb_strerror(result)))") }
  }
}

/// A row in the value of an entry: score, created, age, active, the name's length, then name and email.
private struct PackedRow {
  let base: UnsafeRawPointer

  private static let header = 20

  var score: Double { base.loadUnaligned(as: Double.self) }
  var created: Int { Int(base.loadUnaligned(fromByteOffset: 8, as: Int64.self)) }
  var age: Int { Int(base.load(fromByteOffset: 16, as: UInt8.self)) }
  var active: Bool { base.load(fromByteOffset: 17, as: UInt8.self) != 0 }
  var nameLength: Int { Int(base.load(fromByteOffset: 18, as: UInt8.self)) }
  var emailLength: Int { Int(base.load(fromByteOffset: 19, as: UInt8.self)) }
  var name: UnsafePointer<UInt8> { (base + Self.header).assumingMemoryBound(to: UInt8.self) }
  var byteCount: Int { Self.header + nameLength + emailLength }

  static func setAge(_ age: Int, in target: UnsafeMutableRawPointer) {
    target.storeBytes(of: UInt8(age), toByteOffset: 16, as: UInt8.self)
  }

  /// Writes a row and says how many bytes it took.
  static func pack(_ row: PersonRow, into target: UnsafeMutableRawPointer) -> Int {
    target.storeBytes(of: row.score, as: Double.self)
    target.storeBytes(of: Int64(row.created), toByteOffset: 8, as: Int64.self)
    setAge(row.age, in: target)
    target.storeBytes(of: row.active ? 1 : 0, toByteOffset: 17, as: UInt8.self)
    var position = header
    for (offset, text) in [(18, row.name), (19, row.email)] {
      let length =
        text.utf8.withContiguousStorageIfAvailable { bytes in
          if let start = bytes.baseAddress { memcpy(target + position, start, bytes.count) }
          return bytes.count
        } ?? 0
      target.storeBytes(of: UInt8(length), toByteOffset: offset, as: UInt8.self)
      position += length
    }
    return position
  }
}
