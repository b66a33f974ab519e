import Foundation
import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

/// Tests what is left of values that were deleted or overwritten: in leaves, and in copies.
@Suite struct DeletedValuesTests {
  private static let declaration = ClassDeclaration(
    name: "Person",
    columns: [
      ColumnDeclaration(name: "id", type: .string, isPrimaryKey: true),
      ColumnDeclaration(name: "email", type: .string, isOptional: true, isIndexed: true),
      ColumnDeclaration(name: "notes", type: .string, isFullText: true),
      ColumnDeclaration(name: "picture", type: .data),
      ColumnDeclaration(name: "code", type: .uuid),
      ColumnDeclaration(name: "number", type: .int),
      ColumnDeclaration(name: "any", type: .mixed, isOptional: true),
      ColumnDeclaration(name: "list", type: .string, collection: .list),
      ColumnDeclaration(name: "set", type: .string, collection: .set),
      ColumnDeclaration(name: "map", type: .string, collection: .map),
    ], indexes: [IndexDeclaration(["email", "number"], isUnique: false)])

  /// A store whose texts say whether they are deleted or overwritten later, or kept.
  private struct Subject {
    let fixture: TemporaryStore
    let entry: ClassDescriptor
    private static let count = 60

    init(key: EncryptionKey?) throws {
      fixture = try TemporaryStore(clusterSize: 32, key: key)
      try fixture.write { try $0.apply([DeletedValuesTests.declaration], schemaVersion: 0) }
      entry = try #require(try fixture.snapshot.schema["Person"])
    }

    func column(_ name: String) throws -> ColumnID { try #require(entry.column(named: name)).id }

    static func isDeleted(_ number: Int) -> Bool { number % 6 == 5 }

    /// Makes all objects, in commits of seven.
    func fill() throws -> [ObjectKey] {
      var keys: [ObjectKey] = []
      for first in stride(from: 0, to: Self.count, by: 7) {
        try fixture.write { writer in
          for number in first..<min(first + 7, Self.count) {
            let isDeleted = Self.isDeleted(number)
            let word = isDeleted ? "gone" : "kept"
            let key = try writer.create(entry.id, primaryKey: .string("\(word)id\(number)"))
            try assign(isDeleted ? "gone" : number % 2 == 0 ? "gone" : "kept", number, key, writer)
            keys.append(key)
          }
        }
      }
      return keys
    }

    func assign(_ word: String, _ number: Int, _ key: ObjectKey, _ writer: StoreWriter) throws {
      let id = entry.id
      func text(_ what: String) -> String { "\(word)\(what)\(number)x" }
      try writer.set(id, column("email"), key, .string(text("email")))
      try writer.set(id, column("notes"), key, .string("some \(text("word")) words"))
      let times = number % 3 == 0 ? 400 : 2
      try writer.set(id, column("picture"), key, .data(Data(String(repeating: text("picture"), count: times).utf8)))
      try writer.set(id, column("number"), key, .int(Int64(number) << 40))
      let uuid = Array(text("code").utf8) + [UInt8](repeating: 32, count: 16)
      try writer.set(id, column("code"), key, .uuid(Self.uuid(uuid)))
      try writer.set(
        id, column("any"), key,
        number % 4 == 0 ? .string(text("any")) : .dictionary(StoredDictionary([text("key"): .string(text("any"))])))
      try writer.lists.assign(id, column("list"), key, [.string(text("element")), .string("both")])
      try writer.sets.assign(id, column("set"), key, [.string(text("member")), .string("both")])
      try writer.maps.assign(id, column("map"), key, [(text("mapkey"), .string(text("value")))])
    }

    private static func uuid(_ bytes: [UInt8]) -> UUID {
      let text = bytes.prefix(16).map { String(format: "%02x", $0) }.joined()
      var parts: [Substring] = []
      var rest = text[...]
      for length in [8, 4, 4, 4, 12] {
        parts.append(rest.prefix(length))
        rest = rest.dropFirst(length)
      }
      return UUID(uuidString: parts.joined(separator: "-")) ?? UUID()
    }

    /// Deletes some objects and overwrites every value of others.
    func change(_ keys: [ObjectKey], _ writer: StoreWriter) throws {
      for (number, key) in keys.enumerated() {
        if Self.isDeleted(number) {
          try writer.delete(entry.id, key)
        } else if number % 2 == 0 {
          try assign("kept", number, key, writer)
        }
      }
    }
  }

  private static func fileBytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  /// All keys and values of a store, or of one of its tables, decrypted.
  private static func openedBytes(_ store: Store, of name: String? = nil) throws -> Data {
    var result = Data()
    let transaction = try store.snapshot().transaction
    for table in store.tables.all where name == nil || table.name == name {
      let cursor = try transaction.walkingCursor(table)
      var entry = try cursor.first()
      while let found = entry {
        result.append(contentsOf: found.key.bytes)
        result.append(contentsOf: found.value.bytes)
        entry = try cursor.next()
      }
    }
    return result
  }

  private enum Copying: CaseIterable {
    case snapshot, otherKey, writer, inPlace
  }

  @Test("F-60: a copy and a compacted store hold no byte of a deleted or overwritten value", arguments: [false, true])
  func copies(isEncrypted: Bool) throws {
    let key: EncryptionKey? = isEncrypted ? .test() : nil
    for copying in Copying.allCases {
      let subject = try Subject(key: key)
      let keys = try subject.fill()
      let target = subject.fixture.directory.file("copy.larder")
      var options = StoreOptions()
      options.mapSize = 1 << 32
      options.encryptionKey = key
      switch copying {
      case .writer:
        let writer = try subject.fixture.store.beginWrite()
        try subject.change(keys, writer)
        try writer.copy(to: target)
        writer.cancel()
      case .snapshot:
        try subject.fixture.write { try subject.change(keys, $0) }
        // What is looked for is found where nothing was written again.
        #expect(try has(Self.openedBytes(subject.fixture.store), "gone"))
        try subject.fixture.snapshot.copy(to: target)
      case .otherKey:
        try subject.fixture.write { try subject.change(keys, $0) }
        options.encryptionKey = isEncrypted ? nil : .test(7)
        try subject.fixture.snapshot.copy(to: target, key: .key(options.encryptionKey))
      case .inPlace:
        try subject.fixture.write { try subject.change(keys, $0) }
        // The file of a store that is closed: the seed's copy is the file itself, byte by byte.
        try FileManager.default.copyItem(atPath: subject.fixture.path, toPath: target)
        try Store.compact(target, key: key)
      }
      if options.encryptionKey == nil {
        let bytes = try Self.fileBytes(target)
        #expect(!has(bytes, "gone"), "\(copying) left a value")
        #expect(has(bytes, "keptemail1x") && has(bytes, "keptid1"))
      }
      let copy = try Store.open(path: target, options: options)
      let opened = try Self.openedBytes(copy)
      #expect(!has(opened, "gone"), "\(copying) left a value")
      #expect(has(opened, "keptemail1x") && has(opened, "keptany4x"))
      let problems = try StoreVerifier.verify(copy.snapshot())
      #expect(problems.isEmpty, "\(copying): \(problems)")
      #expect(try copy.snapshot().count(of: subject.entry.id) == 50)
    }
  }

  @Test("F-60: a copy keeps every value that is there", arguments: [false, true])
  func copyKeepsValues(isEncrypted: Bool) throws {
    let subject = try Subject(key: isEncrypted ? .test() : nil)
    let keys = try subject.fill()
    try subject.fixture.write { try subject.change(keys, $0) }
    let source = try subject.fixture.snapshot
    let target = subject.fixture.directory.file("copy.larder")
    try source.copy(to: target)
    try Store.compact(target, key: isEncrypted ? .test() : nil)
    var options = StoreOptions()
    options.encryptionKey = isEncrypted ? .test() : nil
    let copy = try Store.open(path: target, options: options).snapshot()
    #expect(copy.version == source.version)
    for (number, key) in keys.enumerated() {
      #expect(try copy.contains(subject.entry.id, key) == !Subject.isDeleted(number))
      guard !Subject.isDeleted(number) else { continue }
      for column in subject.entry.columns where column.collection == .none {
        #expect(try copy.value(subject.entry.id, column.id, key) == source.value(subject.entry.id, column.id, key))
      }
    }
  }

  @Test("F-60: what a damaged leaf holds is copied as it is")
  func damage() throws {
    let subject = try Subject(key: nil)
    let keys = try subject.fill()
    try subject.fixture.write { try subject.change(keys, $0) }
    let word = StoreLayout.leafKey(subject.entry.id, try subject.column("email"), cluster: 0)
    let tables = subject.fixture.store.tables
    var bytes = try #require(try subject.fixture.snapshot.transaction.get(tables.clusters, KeyBytes(word))).bytes
    bytes[bytes.count - 9] ^= 1
    let transaction = try subject.fixture.store.environment.beginWrite()
    try transaction.put(tables.clusters, KeyBytes(word), bytes)
    try transaction.commit()
    let target = subject.fixture.directory.file("copy.larder")
    try subject.fixture.snapshot.copy(to: target)
    let copy = try Store.open(path: target)
    #expect(try copy.snapshot().transaction.get(copy.tables.clusters, KeyBytes(word))?.bytes == bytes)
  }

  // MARK: - The log

  @Test("F-60: the log names elements of sets and keys of maps and dictionaries that came or went, and no other value")
  func log() throws {
    let subject = try Subject(key: nil)
    let keys = try subject.fill()
    try subject.fixture.write { try subject.change(keys, $0) }
    let bytes = try Self.openedBytes(subject.fixture.store, of: StoreLayout.log)
    for word in ["gone", "kept"] {
      #expect(has(bytes, "\(word)member") && has(bytes, "\(word)mapkey"))
      for name in ["id", "email", "word", "picture", "any", "element", "value"] { #expect(!has(bytes, word + name)) }
    }
  }

  @Test(
    "F-60: the primary key of a deleted object is kept where a consumer of the log is to read the deletion, and no longer"
  )
  func tombstones() throws {
    for hasConsumer in [false, true] {
      let subject = try Subject(key: nil)
      let keys = try subject.fill()
      if hasConsumer {
        try subject.fixture.write {
          let consumer = LogConsumer(name: "reader", consumed: $0.base.version, policy: .hard)
          try $0.store.log.register(consumer, in: $0.transaction)
        }
      }
      try subject.fixture.write { try subject.change(keys, $0) }
      let target = subject.fixture.directory.file("copy.larder")
      try subject.fixture.snapshot.copy(to: target)
      let copy = try Store.open(path: target)
      for store in [subject.fixture.store, copy] {
        #expect(try has(Self.openedBytes(store, of: StoreLayout.tombstones), "goneid5") == hasConsumer)
      }
      // The copy tells who came and went, and that anything else may have changed.
      let snapshot = try copy.snapshot()
      let record = try copy.log.record(snapshot.version, in: snapshot.transaction)?[subject.entry.id]
      #expect(record?.isTruncated == true && record?.deleted.isEmpty == false && record?.sets.isEmpty == true)
    }
  }

  // MARK: - Leaves

  private struct Texts {
    let fixture: TemporaryStore
    let entry: ClassDescriptor
    let keys: [ObjectKey]

    init(_ count: Int) throws {
      let fixture = try TemporaryStore()
      try fixture.write {
        try $0.apply(
          [
            ClassDeclaration(
              name: "Text",
              columns: [
                ColumnDeclaration(name: "text", type: .string), ColumnDeclaration(name: "number", type: .int),
              ])
          ], schemaVersion: 0)
      }
      let entry = try #require(try fixture.snapshot.schema["Text"])
      self.keys = try fixture.write { writer in
        try (0..<count).map { number in
          let key = try writer.create(entry.id)
          try writer.set(entry.id, entry.columns[0].id, key, .string("text\(number)."))
          try writer.set(entry.id, entry.columns[1].id, key, .int(Int64(number) << 32))
          return key
        }
      }
      (self.fixture, self.entry) = (fixture, entry)
    }

    /// Texts of deleted objects that the first cluster's leaf still holds.
    func leftovers(_ isDeleted: (Int) -> Bool) throws -> Int {
      let word = StoreLayout.leafKey(entry.id, entry.columns[0].id, cluster: 0)
      let bytes = try #require(
        try fixture.snapshot.transaction.get(fixture.store.tables.clusters, KeyBytes(word))
      ).bytes
      let held = Data(bytes)
      return keys.indices.count { isDeleted($0) && has(held, "text\($0).") }
    }
  }

  @Test(
    "F-60: a cluster is encoded again when its objects become fewer than a power of two, in one deletion or many",
    .notUnder(.smallClusters, "a cluster of eight has no leaf of many texts"))
  func shrinking() throws {
    for portion in [1, 17, 500] {
      let texts = try Texts(600)
      // In an order of their own: every 7th, counted around.
      let order = (0..<600).map { $0 * 7 % 600 }
      var deleted: Set<Int> = []
      for start in stride(from: 0, to: 590, by: portion) {
        let part = order[start..<min(start + portion, 590)]
        try texts.fixture.write { writer in
          for number in part { try writer.delete(texts.entry.id, texts.keys[number]) }
        }
        deleted.formUnion(part)
        let live = 600 - deleted.count
        // Never more than what went since the last power of two.
        var bound = 1
        while bound <= live { bound *= 2 }
        #expect(try texts.leftovers { deleted.contains($0) } < bound - live)
        if portion == 1, start == 20 { #expect(try texts.leftovers { deleted.contains($0) } > 0) }
      }
      let snapshot = try texts.fixture.snapshot
      for number in order[590...] {
        let key = texts.keys[number]
        #expect(try snapshot.value(texts.entry.id, texts.entry.columns[0].id, key) == .string("text\(number)."))
        #expect(try snapshot.value(texts.entry.id, texts.entry.columns[1].id, key) == .int(Int64(number) << 32))
      }
      #expect(try StoreVerifier.verify(snapshot).isEmpty)
    }
  }

  @Test(
    "F-60: an assignment takes what it overwrites and the property's deleted values out of the cluster, and so does its end",
    .notUnder(.smallClusters, "a cluster of eight has no leaf of many texts"))
  func assignment() throws {
    let texts = try Texts(100)
    let column = texts.entry.columns[0].id
    // Fewer than bring the cluster below a power of two.
    try texts.fixture.write { for key in texts.keys[..<10] { try $0.delete(texts.entry.id, key) } }
    #expect(try texts.leftovers { $0 < 10 } == 10)
    try texts.fixture.write { try $0.set(texts.entry.id, column, texts.keys[50], .string("another")) }
    #expect(try texts.leftovers { $0 < 10 || $0 == 50 } == 0)
    try texts.fixture.write { for key in texts.keys[10...] { try $0.delete(texts.entry.id, key) } }
    let word = StoreLayout.leafKey(texts.entry.id, column, cluster: 0)
    #expect(try texts.fixture.snapshot.transaction.get(texts.fixture.store.tables.clusters, KeyBytes(word)) == nil)
  }

  @Test("F-60: a deletion that is undone leaves the values where they were")
  func undone() throws {
    struct Undone: Error {}
    let texts = try Texts(100)
    try texts.fixture.write { writer in
      #expect(throws: Undone.self) {
        try writer.savepoint {
          for key in texts.keys.dropFirst(5) { try writer.delete(texts.entry.id, key) }
          throw Undone()
        }
      }
      try writer.delete(texts.entry.id, texts.keys[0])
    }
    let snapshot = try texts.fixture.snapshot
    for (number, key) in texts.keys.enumerated().dropFirst() {
      #expect(try snapshot.value(texts.entry.id, texts.entry.columns[0].id, key) == .string("text\(number)."))
    }
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
  }
}

private func has(_ bytes: Data, _ text: String) -> Bool { bytes.range(of: Data(text.utf8)) != nil }
