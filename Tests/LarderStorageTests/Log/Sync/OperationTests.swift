import Foundation
import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

@Suite struct OperationTests {
  let fixture: OperationFixture

  init() throws { fixture = try OperationFixture() }

  private var id: ClassID { fixture.item.id }

  /// The operations of one transaction.
  private func operations(_ body: (StoreWriter) throws -> Void) throws -> [StoreOperation] {
    let before = try fixture.store.newestVersion
    try fixture.write(body)
    let after = try fixture.store.snapshot()
    return try OperationsReader(after).commits(after: before, upTo: after.version).flatMap(\.operations)
  }

  private func makeItem(_ number: Int64 = 1) throws -> ObjectKey {
    var key = ObjectKey(rawValue: 0)
    try fixture.write { key = try $0.create(id, primaryKey: .int(number)) }
    return key
  }

  @Test("L-16: a created object tells which properties hold defaults, and why it came to be")
  func creation() throws {
    let (int, text) = (try fixture.column("int"), try fixture.column("string"))
    let found = try operations { writer in
      let key = try writer.create(id, primaryKey: .int(7), intent: .createOrUpdateModified)
      try writer.set(id, int, key, .int(5))
      try writer.set(id, text, key, .string("given"))
      writer.noteDefault(id, int, key)
    }
    try #require(found.count == 1)
    #expect(found[0].object.primaryKey == .int(7))
    guard case .create(let intent, let properties) = found[0].change else { throw Unexpected() }
    #expect(intent == .createOrUpdateModified)
    #expect(properties.contains(OperationProperty(column: int, value: .plain(.value(.int(5))), isDefault: true)))
    #expect(
      properties.contains(OperationProperty(column: text, value: .plain(.value(.string("given"))), isDefault: false)))
  }

  private struct Unexpected: Error {}

  @Test("L-19: an addition is an operation of its own, a sum that is set is not; what is set as well is set")
  func addition() throws {
    let key = try makeItem()
    let count = try fixture.column("count")
    let added = try operations { writer in
      try ValueAssignment(writer: writer).add(id, count, key, .int(4))
      try ValueAssignment(writer: writer).add(id, count, key, .int(-1))
    }
    #expect(added.map(\.change) == [.add(count, .int(3))])
    #expect(try fixture.store.snapshot().value(id, count, key) == .int(3))
    let set = try operations { try $0.set(id, count, key, .int(10)) }
    #expect(set.map(\.change) == [.set(count, .plain(.value(.int(10))))])
    let both = try operations { writer in
      try ValueAssignment(writer: writer).add(id, count, key, .int(4))
      try writer.set(id, count, key, .int(1))
      try ValueAssignment(writer: writer).add(id, count, key, .int(1))
    }
    #expect(both.map(\.change) == [.set(count, .plain(.value(.int(2))))])
    #expect(throws: StorageError.self) {
      try fixture.write { writer in
        try writer.set(id, count, key, .int(.max))
        try ValueAssignment(writer: writer).add(id, count, key, .int(1))
      }
    }
    let text = try fixture.column("string")
    #expect(throws: StorageError.self) {
      try fixture.write { try ValueAssignment(writer: $0).add(id, text, key, .int(1)) }
    }
  }

  @Test("F-104: what is added to a new object is apart from what it was given, as far as nothing was assigned after it")
  func additionToNewObject() throws {
    let (count, decimal) = (try fixture.column("count"), try fixture.column("decimal128"))
    let optional = try fixture.column("int?")
    let half = StoredValue.decimal128(try #require(DecimalNumber("0.5")).bits)
    let one = StoredValue.decimal128(DecimalNumber(Int64(1)).bits)
    var number: Int64 = 100
    func made(
      _ column: ColumnID, _ body: (ValueAssignment, StoreWriter, ObjectKey) throws -> Void
    ) throws -> (given: OperationProperty?, added: [StoreOperation.Change]) {
      let found = try operations { writer in
        number += 1
        let key = try writer.create(id, primaryKey: .int(number))
        try body(ValueAssignment(writer: writer), writer, key)
      }
      guard case .create(_, let properties) = found.first?.change else { throw Unexpected() }
      return (properties.first { $0.column == column }, found.dropFirst().map(\.change))
    }
    func given(_ column: ColumnID, _ value: StoredValue, isDefault: Bool = false) -> OperationProperty {
      OperationProperty(column: column, value: .plain(LoggedValue(value)), isDefault: isDefault)
    }

    let plain = try made(count) { try $0.add(id, count, $2, .int(5)) }
    #expect(plain.given == given(count, .int(0)) && plain.added == [.add(count, .int(5))])
    let twice = try made(count) { assignment, writer, key in
      try writer.set(id, count, key, .int(10))
      try assignment.add(id, count, key, .int(5))
      try assignment.add(id, count, key, .int(-2))
    }
    #expect(twice.given == given(count, .int(10)) && twice.added == [.add(count, .int(3))])
    let between = try made(count) { assignment, writer, key in
      try assignment.add(id, count, key, .int(5))
      try writer.set(id, count, key, .int(10))
      try assignment.add(id, count, key, .int(1))
    }
    #expect(between.given == given(count, .int(10)) && between.added == [.add(count, .int(1))])
    let after = try made(count) { assignment, writer, key in
      try assignment.add(id, count, key, .int(5))
      try writer.set(id, count, key, .int(10))
    }
    #expect(after.given == given(count, .int(10)) && after.added.isEmpty)
    let byDefault = try made(count) { assignment, writer, key in
      writer.noteDefault(id, count, key)
      try assignment.add(id, count, key, .int(5))
    }
    #expect(byDefault.given == given(count, .int(0), isDefault: true) && byDefault.added == [.add(count, .int(5))])
    let decimals = try made(decimal) { assignment, writer, key in
      try writer.set(id, decimal, key, one)
      try assignment.add(id, decimal, key, half)
    }
    #expect(decimals.given == given(decimal, one) && decimals.added == [.add(decimal, half)])
    let none = try made(optional) { try $0.add(id, optional, $2, .int(5)) }
    #expect(none.given == given(optional, .null) && none.added == [.add(optional, .int(5))])
    let large = try made(count) { assignment, writer, key in
      try writer.set(id, count, key, .int(-9))
      try assignment.add(id, count, key, .int(.max))
      try assignment.add(id, count, key, .int(9))
    }
    #expect(large.given == given(count, .int(.max)) && large.added.isEmpty)
    let undone = try made(count) { assignment, writer, key in
      try assignment.add(id, count, key, .int(5))
      try? writer.savepoint {
        try assignment.add(id, count, key, .int(7))
        throw Unexpected()
      }
    }
    #expect(undone.given == given(count, .int(0)) && undone.added == [.add(count, .int(5))])
  }

  @Test("L-13: an observer learns of an addition as of an assignment")
  func additionIsRecorded() throws {
    let key = try makeItem()
    let count = try fixture.column("count")
    try fixture.write { try ValueAssignment(writer: $0).add(id, count, key, .int(4)) }
    let snapshot = try fixture.store.snapshot()
    let record = try #require(try snapshot.store.log.record(snapshot.version, in: snapshot.transaction))
    #expect(record.flags.contains(.hasOperations))
    #expect(record[id]?.modified.map(\.column) == [count])
  }

  @Test("L-13: local classes and properties that stay on the device have no operations")
  func localChanges() throws {
    let key = try makeItem()
    let (secret, secrets) = (try fixture.column("secret"), try fixture.column("secrets"))
    let found = try operations { writer in
      try writer.set(id, secret, key, .string("secret"))
      try writer.lists.insert(id, secrets, key, at: 0, [.string("secret")])
      let page = try writer.create(fixture.diary.id)
      let part = try writer.createEmbedded(
        in: fixture.diary.id, try fixture.column("part", of: fixture.diary), page)
      try writer.set(fixture.part.id, try fixture.column("weight", of: fixture.part), part, .double(1))
    }
    #expect(found.isEmpty)
  }

  @Test("L-13: what a savepoint undoes has no operations")
  func savepoint() throws {
    let key = try makeItem()
    let (texts, count) = (try fixture.column("texts"), try fixture.column("count"))
    let found = try operations { writer in
      try writer.lists.insert(id, texts, key, at: 0, [.string("kept")])
      try? writer.savepoint {
        try writer.lists.insert(id, texts, key, at: 1, [.string("undone")])
        try ValueAssignment(writer: writer).add(id, count, key, .int(1))
        throw Unexpected()
      }
      try writer.lists.insert(id, texts, key, at: 1, [.string("kept too")])
    }
    let values = found.flatMap { operation -> [OperationValue] in
      if case .list(_, _, let values) = operation.change { return values }
      return []
    }
    #expect(values == [.plain(.value(.string("kept"))), .plain(.value(.string("kept too")))])
    #expect(found.allSatisfy { if case .list = $0.change { true } else { false } })
  }

  @Test("L-21: a long value is its length and hash")
  func longValue() throws {
    let key = try makeItem()
    let text = String(repeating: "ä", count: 3_000)
    let column = try fixture.column("string")
    let found = try operations { try $0.set(id, column, key, .string(text)) }
    guard case .set(_, .plain(.digest(let length, _, _)))? = found.first?.change else { throw Unexpected() }
    #expect(length == 6_000)
  }

  @Test("L-13: a commit of many operations is read back whole, and a damaged or missing part is an error")
  func parts() throws {
    let texts = try fixture.column("texts")
    let found = try operations { writer in
      for number in 0..<500 {
        let key = try writer.create(id, primaryKey: .int(Int64(number)))
        try writer.lists.insert(id, texts, key, at: 0, [.string(String(repeating: "x", count: 900))])
      }
    }
    #expect(found.count == 1_000)
    let version = try fixture.store.newestVersion
    let table = try #require(StoreTables.Sync(fixture.store.environment)?.operations)
    try fixture.store.environment.write { transaction in
      var bytes = try #require(try transaction.get(table, OperationStream.key(version, 2))).bytes
      bytes[40] ^= 1
      try transaction.put(table, OperationStream.key(version, 2), bytes)
    }
    let damaged = try fixture.store.environment.beginRead()
    let cursor = try damaged.cursor(table)
    let first = try #require(try cursor.seek(OperationStream.key(version, 0)))
    var stream = try OperationStreamReader(first, cursor)
    #expect(throws: StorageError.self) { while try stream.next() != nil {} }
  }

  @Test("L-13, L-14: operations stay until the upload has dealt with them")
  func trimming() throws {
    let key = try makeItem()
    let column = try fixture.column("int")
    for number in 0..<70 { try fixture.write { try $0.set(id, column, key, .int(Int64(number))) } }
    var snapshot = try fixture.store.snapshot()
    #expect(try OperationsReader(snapshot).commits(after: 0, upTo: snapshot.version).count == 71)
    let middle = snapshot.version - 10
    try fixture.write { writer in
      try writer.store.log.register(
        LogConsumer(name: ChangeLog.uploadConsumer, consumed: middle, policy: .hard), in: writer.transaction)
      try writer.set(id, column, key, .int(1_000))
    }
    while try fixture.store.newestVersion % 64 != 0 { try fixture.write { try $0.set(id, column, key, .int(-1)) } }
    snapshot = try fixture.store.snapshot()
    let left = try OperationsReader(snapshot).commits(after: 0, upTo: snapshot.version).map(\.version)
    #expect(left == Array(middle + 1...snapshot.version))
  }

  @Test("L-26: a migration of a synced class, and a class that becomes synced, count as changed entirely")
  func migration() throws {
    _ = try makeItem()
    var classes = OperationFixture.classes
    classes[0].columns.append(ColumnDeclaration(name: "more", type: .string))
    classes[0].columns.removeAll { $0.name == "double" }
    classes[0].columns.append(ColumnDeclaration(name: "double", type: .string))
    classes[3].columns.append(ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true))
    classes[3].syncMode = .synced
    let found = try operations { try $0.apply(classes, schemaVersion: 2) }
    #expect(found.map(\.change) == [.everything, .everything])
    #expect(found.map(\.object.root.classID) == [id, fixture.diary.id])
  }

  @Test("L-24: a store with synced classes must not be written by builds that do not know them; others are as ever")
  func features() throws {
    func identity(_ store: Store) throws -> CatalogIdentity {
      try CatalogIdentity(
        try #require(try store.environment.beginRead().get(store.tables.catalog, StoreLayout.identityKey)),
        path: store.path)
    }
    let synced = try identity(fixture.store)
    let bits = FeatureBits(readOnlyCompatible: synced.readOnlyCompatible, incompatible: synced.incompatible)
    let before = FeatureBits(
      readOnlyCompatible: FeatureBits.ghosts | FeatureBits.fullText,
      incompatible: FeatureBits.known.incompatible)
    #expect(bits.access(known: before) == .readOnly)
    #expect(bits.access() == .readWrite)
    let local = try StoreFixture()
    #expect(try identity(local.store).readOnlyCompatible == 0)
    #expect(try local.store.environment.tableNames() == StoreLayout.tables.sorted())
  }

  @Test(
    "L-23: sync modes, merge kinds and what stays on the device are in the schema, and stay when a local program opens it"
  )
  func schema() throws {
    func check(_ schema: StoreSchema) throws {
      let entry = try #require(schema["Item"])
      #expect(entry.syncMode == .synced)
      #expect(schema["Diary"]?.syncMode == .local)
      #expect(entry.column(named: "secret")?.isLocalOnly == true)
      #expect(entry.column(named: "texts")?.isLocalOnly == false)
      #expect(entry.column(named: "count")?.mergeKind == .counter)
      #expect(schema.isSynced(fixture.part.id) && !schema.isSynced(fixture.diary.id))
    }
    try check(try fixture.store.snapshot().schema)
    let local = OperationFixture.classes.map { declared in
      var result = declared
      result.syncMode = nil
      for index in result.columns.indices {
        result.columns[index].isLocalOnly = false
        result.columns[index].mergeKind = .default
      }
      return result
    }
    try fixture.write { try $0.apply(local, schemaVersion: 3) }
    try check(try fixture.store.snapshot().schema)
    let snapshot = try fixture.store.snapshot()
    let record = try snapshot.schemaRecord.encode().withView { try SchemaRecord($0) }
    #expect(record == snapshot.schemaRecord)
  }

  @Test("L-13: a copy has the operations and goes on with them", arguments: [false, true])
  func copies(isEncrypted: Bool) throws {
    var random = SeededRandom.forTest()
    for _ in 0..<20 { try fixture.change(&random) }
    let snapshot = try fixture.store.snapshot()
    let expected = try OperationsReader(snapshot).commits(after: 0, upTo: snapshot.version)
    #expect(!expected.isEmpty)
    let path = fixture.temporary.directory.file("copy.larder")
    let key = isEncrypted ? EncryptionKey.test() : nil
    try snapshot.copy(to: path, key: isEncrypted ? .key(key) : .unchanged)
    var options = StoreOptions()
    options.encryptionKey = key
    let copy = try Store.open(path: path, options: options)
    let copied = try copy.snapshot()
    #expect(try OperationsReader(copied).commits(after: 0, upTo: copied.version) == expected)
    #expect(try StoreVerifier.verify(copied).isEmpty)
    let writer = try copy.beginWrite()
    let item = try writer.create(id, primaryKey: .int(1 << 40))
    try writer.commit()
    let last = try copy.snapshot()
    let found = try OperationsReader(last).commits(after: copied.version, upTo: last.version).flatMap(\.operations)
    #expect(found.map(\.object.root.key) == [item])
  }
}
