import Foundation
import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

/// Clusters of which few objects are left, and texts that repeat, in stores.
@Suite("Sparse leaves and dictionaries in stores") struct PackedLeavesTests {
  private static let declaration = ClassDeclaration(
    name: "Flight",
    columns: [
      ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
      ColumnDeclaration(name: "origin", type: .string, isIndexed: true),
      ColumnDeclaration(name: "note", type: .string, isOptional: true),
      ColumnDeclaration(name: "delay", type: .double, isOptional: true),
      ColumnDeclaration(name: "isLate", type: .bool),
      ColumnDeclaration(name: "start", type: .date),
      ColumnDeclaration(name: "picture", type: .data),
    ])

  /// A store, and what it is to hold.
  private struct Subject {
    let fixture: TemporaryStore
    let entry: ClassDescriptor
    var rows: [ObjectKey: [StoredValue]] = [:]

    init(_ count: Int, key: EncryptionKey? = nil) throws {
      fixture = try TemporaryStore(clusterSize: 992, key: key)
      try fixture.write { try $0.apply([PackedLeavesTests.declaration], schemaVersion: 0) }
      entry = try #require(try fixture.snapshot.schema["Flight"])
      try add(0..<count)
    }

    mutating func add(_ numbers: Range<Int>) throws {
      let writer = try fixture.store.beginWrite()
      for number in numbers {
        let key = try writer.create(entry.id, primaryKey: .int(Int64(number)))
        try set(PackedLeavesTests.values(number), key, writer)
      }
      try writer.commit()
    }

    mutating func set(_ values: [StoredValue], _ key: ObjectKey, _ writer: StoreWriter) throws {
      for (column, value) in zip(entry.columns, values).dropFirst() { try writer.set(entry.id, column.id, key, value) }
      rows[key] = values
    }

    mutating func delete(_ writer: StoreWriter, where isDeleted: (ObjectKey) -> Bool) throws {
      for key in rows.keys where isDeleted(key) {
        try writer.delete(entry.id, key)
        rows[key] = nil
      }
    }

    func expectSame(_ reader: some StoreReader, _ place: String) throws {
      var wrong = 0
      for (key, values) in rows {
        for (column, value) in zip(entry.columns, values) where try reader.value(entry.id, column.id, key) != value {
          wrong += 1
        }
      }
      #expect(wrong == 0, "\(place)")
      #expect(try reader.count(of: entry.id) == rows.count, "\(place)")
    }

    /// Returns the form in which a property's leaf of a cluster is stored.
    func stored(_ name: String, cluster: Int = 0) throws -> (isSparse: Bool, codec: LeafCodec?) {
      let column = try #require(entry.column(named: name)).id
      let word = StoreLayout.leafKey(entry.id, column, cluster: cluster)
      let found = try fixture.snapshot.transaction.get(fixture.store.tables.clusters, KeyBytes(word))
      let bytes = try #require(found)
      return (SparseLeaf.isSparse(bytes), LeafCodec(rawValue: bytes.load(8)))
    }

    func features() throws -> UInt64 {
      let transaction = try fixture.snapshot.transaction
      let bytes = try #require(try transaction.get(fixture.store.tables.catalog, StoreLayout.identityKey))
      return try CatalogIdentity(bytes, path: fixture.path).incompatible
    }
  }

  private static func values(_ number: Int) -> [StoredValue] {
    [
      .int(Int64(number)), .string(["EWR", "LGA", "JFK"][number * 7 % 3]),
      number % 3 == 0 ? .null : .string("note \(number)"), number % 5 == 0 ? .null : .double(Double(number) * 0.5),
      .bool(number % 2 == 0), .date(Timestamp(seconds: Int64(number) * 3_601, nanoseconds: UInt32(number % 3))),
      .data(Data(repeating: UInt8(number & 255), count: number % 97 == 0 ? 3_000 : number % 9)),
    ]
  }

  @Test(
    "a cluster of which few objects are left is stored sparse, and read, changed and copied as ever",
    arguments: [false, true])
  func thinnedOut(isEncrypted: Bool) throws {
    var subject = try Subject(2_100, key: isEncrypted ? .test() : nil)
    #expect(try !subject.stored("delay").isSparse)
    var writer = try subject.fixture.store.beginWrite()
    try subject.delete(writer) { $0.rawValue < 1_984 && $0.rawValue % 97 != 0 }
    try writer.commit()
    #expect(try isEncrypted || subject.stored("delay").isSparse)
    #expect(try isEncrypted || subject.stored("picture", cluster: 1).isSparse)
    #expect(try isEncrypted || !subject.stored("delay", cluster: 2).isSparse)
    try subject.expectSame(subject.fixture.snapshot, "after deletions")
    #expect(try StoreVerifier.verify(subject.fixture.snapshot).isEmpty)

    writer = try subject.fixture.store.beginWrite()
    for key in subject.rows.keys.sorted().prefix(9) {
      try subject.set(Self.values(5_000 + Int(key.rawValue)).withID(key), key, writer)
    }
    try writer.flush()
    try subject.expectSame(writer, "in the transaction, after a flush")
    try subject.delete(writer) { $0.rawValue == 97 || $0.rawValue == 2_000 }
    try writer.flush()
    try subject.expectSame(writer, "in the transaction, after two flushes")
    try writer.commit()
    try subject.add(2_100..<2_400)
    try subject.expectSame(subject.fixture.snapshot, "after changes")
    #expect(try StoreVerifier.verify(subject.fixture.snapshot).isEmpty)

    let target = subject.fixture.directory.file("copy.larder")
    try subject.fixture.snapshot.copy(to: target)
    try Store.compact(target, key: isEncrypted ? .test() : nil)
    var options = StoreOptions()
    options.encryptionKey = isEncrypted ? .test() : nil
    let copy = try Store.open(path: target, options: options)
    try subject.expectSame(copy.snapshot(), "in the copy")
    #expect(try StoreVerifier.verify(copy.snapshot()).isEmpty)
  }

  @Test("a store says that builds which do not know these leaves must not open it, from the first of them on")
  func feature() throws {
    var subject = try Subject(40)
    #expect(try subject.features() & FeatureBits.packedLeaves == 0)
    try subject.add(40..<1_200)
    #expect(try subject.stored("origin").codec == .dictionary)
    #expect(try subject.features() & FeatureBits.packedLeaves != 0)
    #expect(FeatureBits(incompatible: FeatureBits.packedLeaves).access(known: FeatureBits()) == .none)
  }

  @Test("a copy without deleted values has dictionaries still")
  func copied() throws {
    var subject = try Subject(992)
    let writer = try subject.fixture.store.beginWrite()
    try subject.delete(writer) { $0.rawValue % 100 == 7 }
    try writer.commit()
    let target = subject.fixture.directory.file("copy.larder")
    try subject.fixture.snapshot.copy(to: target)
    let copy = try Store.open(path: target)
    let word = StoreLayout.leafKey(subject.entry.id, try #require(subject.entry.column(named: "origin")).id, cluster: 0)
    let found = try copy.snapshot().transaction.get(copy.tables.clusters, KeyBytes(word))
    #expect(LeafCodec(rawValue: try #require(found).load(8)) == .dictionary)
    try subject.expectSame(copy.snapshot(), "in the copy")
  }

  @Test("an undone part of a transaction leaves sparse leaves as they were")
  func savepoint() throws {
    var subject = try Subject(1_500)
    let writer = try subject.fixture.store.beginWrite()
    try subject.delete(writer) { $0.rawValue % 100 != 0 }
    try writer.flush()
    let kept = subject.rows
    try? writer.savepoint {
      try subject.delete(writer) { $0.rawValue % 200 != 0 }
      try writer.flush()
      try subject.expectSame(writer, "within")
      throw StorageError(.notFound, "to be undone")
    }
    subject.rows = kept
    try subject.expectSame(writer, "undone")
    try writer.commit()
    try subject.expectSame(subject.fixture.snapshot, "committed")
    #expect(try StoreVerifier.verify(subject.fixture.snapshot).isEmpty)
  }

  @Test("a sparse leaf that contradicts itself is reported with its place, by readers and by the check")
  func damage() throws {
    var subject = try Subject(1_500)
    let writer = try subject.fixture.store.beginWrite()
    try subject.delete(writer) { $0.rawValue % 100 != 0 }
    try writer.commit()
    let column = try #require(subject.entry.column(named: "delay")).id
    let word = StoreLayout.leafKey(subject.entry.id, column, cluster: 0)
    let tables = subject.fixture.store.tables
    var bytes = try #require(try subject.fixture.snapshot.transaction.get(tables.clusters, KeyBytes(word))).bytes
    // The second slot becomes the first again.
    bytes[SparseLeaf.start + 2] = bytes[SparseLeaf.start]
    bytes[SparseLeaf.start + 3] = bytes[SparseLeaf.start + 1]
    let checksum = bytes.withUnsafeBytes { Checksum64.hash(UnsafeRawBufferPointer(rebasing: $0[8...]), seed: word) }
    withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(0..<8, with: $0) }
    let transaction = try subject.fixture.store.environment.beginWrite()
    try transaction.put(tables.clusters, KeyBytes(word), bytes)
    try transaction.commit()
    let snapshot = try subject.fixture.snapshot
    let error = #expect(throws: StorageError.self) {
      try snapshot.value(subject.entry.id, column, ObjectKey(rawValue: 100))
    }
    #expect(error?.code == .corrupted && error?.property == "delay" && error?.className == "Flight")
    #expect(try StoreVerifier.verify(snapshot).contains { "\($0)".contains("names wrong slots") })
  }
}

extension [StoredValue] {
  /// The same with the primary key that an object has.
  fileprivate func withID(_ key: ObjectKey) -> [StoredValue] { [.int(Int64(key.rawValue))] + dropFirst() }
}
