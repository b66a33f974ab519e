import Foundation
import LarderLMDB
import LarderStorage
import TestSupport

/// Changes of a store that someone made on purpose: any field of any structure, each with the checksum that it should have.
struct CraftedDamage {
  private struct Record {
    let table: Int
    let key: [UInt8]
    let value: [UInt8]
  }

  private let records: [Int: [Record]]
  private let seals: StoreSeals

  /// Reads all entries of a store, opened with the key if it has one.
  init(_ path: String) throws {
    let store = try Self.open(path)
    let reading = try store.environment.beginRead()
    var records: [Int: [Record]] = [:]
    for (number, table) in store.tables.all.enumerated() {
      let cursor = try reading.cursor(table, for: .examining)
      var entry = try cursor.first()
      while let found = entry {
        records[number, default: []].append(Record(table: number, key: found.key.bytes, value: found.value.bytes))
        entry = try cursor.next()
      }
    }
    self.records = records
    seals = StoreSeals(store.tables.all.map(\.name))
  }

  private static func open(_ path: String) throws -> Store {
    var options = StoreOptions()
    options.durability = .none
    options.mapSize = 1 << 28
    options.encryptionKey = try StoreAccessKey.key()
    return try Store.open(path: path, options: options)
  }

  /// Changes the store at a path, which is a copy of the one that was read; gives back what was done.
  func apply(to path: String, _ random: inout SeededRandom) throws -> String {
    let store = try Self.open(path)
    let tables = store.tables.all
    var told: [String] = []
    let transaction = try store.environment.beginWrite()
    for _ in 0..<random.pick([1, 1, 1, 2, 3]) {
      let record = pick(&random)
      let (name, table) = (tables[record.table].name, tables[record.table])
      let place = "\(name) \(hex(record.key.prefix(24)))"
      switch random.int(0..<12) {
      case 0:
        _ = try transaction.delete(table, KeyBytes(bytes: record.key))
        told.append("\(place) deleted")
      case 1:
        // Under another key, with the checksum that it should have there.
        let key = changedKey(record.key, &random)
        let value = seals.sealed(record.value, under: key, of: name)
        try transaction.put(table, KeyBytes(bytes: key), value)
        told.append("\(place) copied to \(hex(key.prefix(24)))")
      default:
        let (bytes, what) = changed(record, name, &random)
        try transaction.put(table, KeyBytes(bytes: record.key), bytes)
        told.append("\(place) \(what)")
      }
    }
    try transaction.commit()
    return told.joined(separator: "; ")
  }

  private func pick(_ random: inout SeededRandom) -> Record {
    // The catalog, leaves, collections and indexes more often than the rest.
    while true {
      let number = random.pick([0, 0, 0, 1, 1, 1, 1, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6, 7, 8, 9])
      if let found = records[number], !found.isEmpty { return random.pick(found) }
    }
  }

  private func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  private func changedKey(_ key: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var key = key
    let width = random.pick([1, 2, 4, 8])
    let place = random.int(0..<key.count / width) * width
    set(Array(number(&random, width: width).reversed()), at: place, in: &key)
    return key
  }

  // MARK: - Values

  private func changed(_ record: Record, _ table: String, _ random: inout SeededRandom) -> ([UInt8], String) {
    var value = record.value
    var told: [String] = []
    for _ in 0..<random.pick([1, 1, 1, 2]) {
      told.append(change(&value, in: fields(of: record, table, &random), &random))
    }
    return (seals.sealed(value, under: record.key, of: table), told.joined(separator: ", "))
  }

  /// The bytes that are changed: mostly of a header, where the numbers are that others are read by.
  private func fields(of record: Record, _ table: String, _ random: inout SeededRandom) -> Range<Int> {
    let start = seals.isSealedInFront(record.key, table) ? min(8, record.value.count) : 0
    let end = random.oneIn(3) ? record.value.count : min(record.value.count, start + 48)
    if table == "catalog", random.oneIn(2) { return start..<record.value.count }
    return start..<max(start, end)
  }

  private func change(_ value: inout [UInt8], in fields: Range<Int>, _ random: inout SeededRandom) -> String {
    let fields = fields.clamped(to: value.indices)
    guard !fields.isEmpty else { return "is empty" }
    switch random.int(0..<16) {
    case 0:
      let length = random.int(0...value.count / 8) * 8
      value.removeLast(value.count - length)
      return "cut to \(length)"
    case 1:
      let more = random.int(1...600) * 8
      value += random.oneIn(2) ? [UInt8](repeating: 0, count: more) : random.bytes(count: more)
      return "\(more) bytes longer"
    case 2, 3:
      let place = random.int(fields)
      value[place] = value[place] &+ random.pick([1, 255])
      return "byte \(place) one off"
    case 4, 5:
      let place = random.int(fields)
      value[place] ^= 1 << UInt8(random.int(0...7))
      return "a bit of byte \(place)"
    default:
      let width = random.pick([1, 2, 4, 8])
      let place = min(random.int(fields) / width * width, max(0, value.count - width))
      let number = number(&random, width: width)
      set(number, at: place, in: &value)
      return "\(width) bytes at \(place) are \(hex(number))"
    }
  }

  private func set(_ bytes: [UInt8], at place: Int, in value: inout [UInt8]) {
    for (offset, byte) in bytes.enumerated() where place + offset < value.count { value[place + offset] = byte }
  }

  /// A number of so many bytes, lowest first: often one near a limit.
  private func number(_ random: inout SeededRandom, width: Int) -> [UInt8] {
    let limits: [UInt64] = [
      0, 1, 2, 7, 8, 63, 64, 127, 128, 240, 255, 256, 480, 481, 992, 1_024, 32_767, 65_535, 65_536, 1 << 20, 1 << 31,
      0xFFFF_FFFF, 1 << 32, 1 << 40, 1 << 61, 1 << 62, 1 << 63, .max, .max - 1, 0x7FFF_FFFF_FFFF_FFFF,
    ]
    let number = random.oneIn(3) ? random.next() : random.pick(limits)
    return (0..<width).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }
}
