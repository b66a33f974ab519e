import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

@Suite("Full-text indexes")
struct TextIndexTests {
  private static func declaration(isFullText: Bool = true, isOptional: Bool = false) -> ClassDeclaration {
    ClassDeclaration(
      name: "Note",
      columns: [
        ColumnDeclaration(name: "id", type: .int),
        ColumnDeclaration(name: "body", type: .string, isOptional: isOptional, isFullText: isFullText),
      ])
  }

  private struct Fixture {
    let temporary: TemporaryStore
    let note: ClassID
    let body: ColumnID

    init(isFullText: Bool = true) throws {
      temporary = try TemporaryStore(clusterSize: 8)
      try temporary.write { try $0.apply([declaration(isFullText: isFullText, isOptional: true)], schemaVersion: 1) }
      let entry = try #require(try temporary.snapshot.schema["Note"])
      (note, body) = (entry.id, try #require(entry.column(named: "body")).id)
    }

    @discardableResult
    func add(_ writer: StoreWriter, _ text: String?) throws -> ObjectKey {
      let key = try writer.create(note)
      try writer.set(note, body, key, text.map { .string($0) } ?? .null)
      return key
    }

    func keys(_ reader: any StoreReader, _ word: String, isPrefix: Bool = false) throws -> [ObjectKey] {
      Set(try #require(try reader.textIndex(note, body)).keys(of: word, isPrefix: isPrefix)).sorted()
    }

    var problems: [StoreProblem] { get throws { try StoreVerifier.verify(try temporary.snapshot) } }
  }

  @Test("U-15: the index follows inserts, changes, deletions and rollbacks, within transactions too")
  func followsChanges() throws {
    let fixture = try Fixture()
    let (first, second) = try fixture.temporary.write { writer in
      let keys = (try fixture.add(writer, "Swift on Linux"), try fixture.add(writer, "Swift and swiftly"))
      #expect(try fixture.keys(writer, "swift") == [keys.0, keys.1])
      try fixture.add(writer, nil)
      try fixture.add(writer, "")
      return keys
    }
    var snapshot = try fixture.temporary.snapshot
    #expect(try fixture.keys(snapshot, "swift") == [first, second] && fixture.keys(snapshot, "linux") == [first])
    #expect(try fixture.keys(snapshot, "swiftl", isPrefix: true) == [second] && fixture.keys(snapshot, "swif").isEmpty)
    var lengths: [Int] = []
    try #require(try snapshot.textIndex(fixture.note, fixture.body)).forEachLength { _, count in lengths.append(count) }
    #expect(lengths == [3, 3])

    let writer = try fixture.temporary.store.beginWrite()
    try writer.set(fixture.note, fixture.body, first, .string("nothing"))
    try writer.delete(fixture.note, second)
    #expect(try fixture.keys(writer, "swift").isEmpty && fixture.keys(writer, "nothing") == [first])
    writer.cancel()
    #expect(try fixture.keys(try fixture.temporary.snapshot, "swift") == [first, second])

    try fixture.temporary.write { writer in
      try writer.set(fixture.note, fixture.body, first, .string("swift linux linux"))
      try writer.delete(fixture.note, second)
    }
    snapshot = try fixture.temporary.snapshot
    #expect(try fixture.keys(snapshot, "swift") == [first] && fixture.keys(snapshot, "on").isEmpty)
    var times: [Int] = []
    try #require(try snapshot.textIndex(fixture.note, fixture.body)).forEachOccurrence(of: "linux") { times.append($1) }
    #expect(times == [2])
    #expect(try fixture.problems.isEmpty)
  }

  @Test("U-15: texts that are too large for a leaf are indexed whole")
  func largeTexts() throws {
    let fixture = try Fixture()
    let text = (0..<4_000).map { "word\($0)" }.joined(separator: " ")
    let key = try fixture.temporary.write { try fixture.add($0, text) }
    #expect(try fixture.keys(try fixture.temporary.snapshot, "word3999") == [key])
    try fixture.temporary.write { try $0.set(fixture.note, fixture.body, key, .string(text + " more")) }
    #expect(try fixture.keys(try fixture.temporary.snapshot, "more") == [key])
    #expect(try fixture.problems.isEmpty)
    try fixture.temporary.write { try $0.set(fixture.note, fixture.body, key, .null) }
    #expect(try fixture.keys(try fixture.temporary.snapshot, "word", isPrefix: true).isEmpty)
    #expect(try fixture.problems.isEmpty)
  }

  @Test("U-15 and M-34: an index is built and dropped when it is declared and no longer, without a schema version")
  func addedAndRemoved() throws {
    let fixture = try Fixture(isFullText: false)
    try fixture.temporary.write { writer in
      for number in 0..<100 { try fixture.add(writer, "text \(number % 10)") }
    }
    #expect(try fixture.temporary.snapshot.textIndex(fixture.note, fixture.body) == nil)
    let with = Self.declaration(isOptional: true)
    let changes = SchemaDifference.changes(from: try fixture.temporary.snapshot.schema, to: [with])
    #expect(changes == [.setFullText(className: "Note", property: "body", true)])
    #expect(changes.filter { !$0.isAutomatic }.isEmpty)
    try fixture.temporary.write { try $0.apply([with], schemaVersion: nil) }
    #expect(try fixture.keys(try fixture.temporary.snapshot, "7").count == 10)
    #expect(try SchemaDifference.changes(from: fixture.temporary.snapshot.schema, to: [with]).isEmpty)
    #expect(try fixture.problems.isEmpty)
    try fixture.temporary.write {
      try $0.apply([Self.declaration(isFullText: false, isOptional: true)], schemaVersion: nil)
    }
    #expect(try fixture.temporary.snapshot.textIndex(fixture.note, fixture.body) == nil)
    let table = fixture.temporary.store.tables.indexes
    #expect(try fixture.temporary.snapshot.transaction.cursor(table).first() == nil)
    // Again, and then the whole property goes.
    try fixture.temporary.write { try $0.apply([with], schemaVersion: nil) }
    let bare = ClassDeclaration(name: "Note", columns: [ColumnDeclaration(name: "id", type: .int)])
    try fixture.temporary.write { try $0.apply([bare], schemaVersion: 2) }
    #expect(try fixture.temporary.snapshot.transaction.cursor(table).first() == nil)
    #expect(try fixture.problems.isEmpty)
  }

  @Test("U-15: only single strings can have the index")
  func otherTypes() throws {
    let temporary = try TemporaryStore()
    for column in [
      ColumnDeclaration(name: "x", type: .int, isFullText: true),
      ColumnDeclaration(name: "x", type: .string, collection: .list, isFullText: true),
    ] {
      #expect(throws: StorageError.self) {
        try temporary.write { try $0.apply([ClassDeclaration(name: "A", columns: [column])], schemaVersion: 1) }
      }
    }
  }

  @Test("L-24: a store says that it has full-text indexes, so that builds that do not know them only read")
  func featureBit() throws {
    let fixture = try Fixture(isFullText: false)
    func access() throws -> FeatureBits.Access {
      let store = fixture.temporary.store
      let bytes = try #require(
        try store.environment.beginRead().get(store.tables.catalog, StoreLayout.identityKey))
      let identity = try CatalogIdentity(bytes, path: store.path)
      return FeatureBits(readOnlyCompatible: identity.readOnlyCompatible)
        .access(known: FeatureBits(compatible: FeatureBits.unknownWritersAllowed))
    }
    #expect(try access() == .readWrite)
    try fixture.temporary.write { try $0.apply([Self.declaration(isOptional: true)], schemaVersion: nil) }
    #expect(try access() == .readOnly)
    try fixture.temporary.write {
      try $0.apply([Self.declaration(isFullText: false, isOptional: true)], schemaVersion: nil)
    }
    #expect(try access() == .readWrite)
  }

  @Test("U-15: a check of the store finds words that the index lacks, and words of no text")
  func damageIsFound() throws {
    let fixture = try Fixture()
    let key = try fixture.temporary.write { try fixture.add($0, "alpha beta") }
    let store = fixture.temporary.store
    let transaction = try store.environment.beginWrite()
    var changes = PairChanges(codec: .bytes)
    changes.add(.bytes(TextIndexEntry.bytes(Array("alpha".utf8), 1)), key, -1)
    changes.add(.bytes(TextIndexEntry.bytes(Array("gamma".utf8), 1)), ObjectKey(rawValue: 77), 1)
    try store.tree(.words(fixture.note, fixture.body), codec: .bytes).apply(&changes, in: transaction)
    try transaction.commit()
    let problems = try fixture.problems.map(\.description)
    #expect(problems.contains { $0.contains("object 0") && $0.contains("not those of its text") }, "\(problems)")
    #expect(problems.contains { $0.contains("1 objects that do not exist") }, "\(problems)")
  }
}
