import TestSupport
import Testing

@testable import LarderStorage

/// Parts of a transaction that are undone by themselves (U-22): data, indexes, backlinks, lists, large values and the log.
@Suite("Savepoints of a writer") struct WriterSavepointTests {
  private struct Undo: Error {}

  /// A class with a primary key, an index, a link, a list of links and texts that may be large.
  private final class Fixture {
    let temporary: TemporaryStore
    let item: ClassID
    let id, name, next, others: ColumnID
    var store: Store { temporary.store }

    init() throws {
      temporary = try TemporaryStore(clusterSize: 8)
      try temporary.write { writer in
        try writer.apply(
          [
            ClassDeclaration(
              name: "Item",
              columns: [
                ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
                ColumnDeclaration(name: "name", type: .string, isIndexed: true),
                ColumnDeclaration(name: "next", type: .link, isOptional: true, target: "Item"),
                ColumnDeclaration(name: "others", type: .link, collection: .list, target: "Item"),
              ])
          ], schemaVersion: 0)
      }
      let descriptor = try #require(try temporary.snapshot.schema["Item"])
      item = descriptor.id
      func column(_ name: String) throws -> ColumnID { try #require(descriptor.column(named: name)?.id) }
      (id, name, next, others) = (try column("id"), try column("name"), try column("next"), try column("others"))
    }

    func row(_ number: Int64, in reader: any StoreReader) throws -> Row? {
      guard let key = try reader.object(item, primaryKey: .int(number)) else { return nil }
      guard case .string(let text) = try reader.value(item, name, key) else { return nil }
      func identifier(_ key: ObjectKey) throws -> Int64 {
        if case .int(let number) = try reader.value(item, id, key) { return number }
        return -1
      }
      var next: Int64?
      if case .link(let target) = try reader.value(item, self.next, key) { next = try identifier(target) }
      let others = try reader.list(item, self.others, key).values().map { value -> Int64 in
        if case .link(let target) = value { return try identifier(target) }
        return -1
      }
      return Row(name: text, next: next, others: others)
    }
  }

  private struct Row: Equatable {
    var name: String
    var next: Int64?
    var others: [Int64] = []
  }

  @Test("U-22 what a savepoint did is undone when it throws, in the log too, and kept when it returns")
  func undoing() throws {
    let fixture = try Fixture()
    let first = try fixture.temporary.write { writer in
      let key = try writer.create(fixture.item, primaryKey: 1)
      try writer.set(fixture.item, fixture.name, key, .string("a"))
      return key
    }
    let before = try fixture.temporary.snapshot
    var lost: ObjectKey?
    try fixture.temporary.write { writer in
      try writer.set(fixture.item, fixture.name, first, .string("b"))
      #expect(throws: Undo.self) {
        try writer.savepoint {
          lost = try writer.create(fixture.item, primaryKey: 2)
          try writer.set(fixture.item, fixture.name, first, .string("c"))
          try writer.lists.insert(fixture.item, fixture.others, first, at: 0, [.link(first)])
          #expect(try writer.index(fixture.item, fixture.name)?.keys(equalTo: .string("c")) == [first])
          throw Undo()
        }
      }
      #expect(try writer.value(fixture.item, fixture.name, first) == .string("b"))
      #expect(try writer.index(fixture.item, fixture.name)?.keys(equalTo: .string("c")) == [])
      #expect(try writer.list(fixture.item, fixture.others, first).count == 0)
      let kept = try writer.savepoint { try writer.create(fixture.item, primaryKey: 2) }
      #expect(kept != lost, "a key is never given twice")
      #expect(try writer.count(of: fixture.item) == 2)
    }
    let after = try fixture.temporary.snapshot
    let changes = try #require(try after.changes(since: before.version)[fixture.item])
    #expect(changes.inserted.count == 1 && changes.deleted.isEmpty && changes.lists.isEmpty)
    #expect(Array(changes.modified.keys) == [fixture.name])
    #expect(try after.contains(fixture.item, try #require(lost)) == false)
    #expect(try StoreVerifier.verify(after).isEmpty)
  }

  @Test("U-22 ending the whole transaction inside of a savepoint: cancelling undoes all, committing is refused")
  func ending() throws {
    let fixture = try Fixture()
    let writer = try fixture.store.beginWrite()
    _ = try writer.create(fixture.item, primaryKey: 1)
    #expect(throws: StorageError.self) {
      try writer.savepoint {
        _ = try writer.create(fixture.item, primaryKey: 2)
        writer.cancel()
      }
    }
    #expect(throws: StorageError.self) { try writer.savepoint {} }
    #expect(try fixture.temporary.snapshot.count(of: fixture.item) == 0)
    try fixture.temporary.write { writer in _ = try writer.create(fixture.item, primaryKey: 3) }
    #expect(try fixture.temporary.snapshot.count(of: fixture.item) == 1)
  }

  @Test("U-22 random transactions with savepoints within savepoints, some undone, agree with plain dictionaries")
  func random() throws {
    var random = SeededRandom.forTest()
    let fixture = try Fixture()
    var rows: [Int64: Row] = [:]
    for _ in 0..<60 {
      let before = try fixture.temporary.snapshot
      let old = rows
      var touched: Set<Int64> = []
      try fixture.temporary.write { writer in
        try change(fixture, writer, &rows, &touched, depth: 0, &random)
      }
      let after = try fixture.temporary.snapshot
      #expect(try after.count(of: fixture.item) == rows.count)
      for number in 0..<40 as Range<Int64> {
        #expect(try fixture.row(number, in: after) == rows[number])
        let named = try after.index(fixture.item, fixture.name)?.keys(equalTo: .string("n\(number)")).count
        #expect(named == rows.values.count { $0.name == "n\(number)" })
      }
      #expect(try StoreVerifier.verify(after).isEmpty)
      let changes = try after.changes(since: before.version)[fixture.item]
      let names = try keys(old, touched, fixture, before)
      // The log names what was touched and kept, and nothing that only an undone part touched.
      let told = changes?.allModified ?? KeyRanges()
      #expect(told.subtracting(names).isEmpty)
    }
  }

  /// Objects of before that may be reported as modified: those assigned, and those that link to what was deleted.
  private func keys(_ old: [Int64: Row], _ touched: Set<Int64>, _ fixture: Fixture, _ before: Snapshot) throws
    -> KeyRanges
  {
    let keys = try old.filter { number, row in
      touched.contains(number) || row.next.map { touched.contains($0) } ?? false
        || row.others.contains { touched.contains($0) }
    }.compactMap { try before.object(fixture.item, primaryKey: .int($0.key)) }
    return KeyRanges(keys.sorted())
  }

  private func change(
    _ fixture: Fixture, _ writer: StoreWriter, _ rows: inout [Int64: Row], _ touched: inout Set<Int64>, depth: Int,
    _ random: inout SeededRandom
  ) throws {
    for _ in 0..<random.int(1...5) {
      if depth < 3, random.oneIn(3) {
        let (rowsBefore, touchedBefore) = (rows, touched)
        do {
          try writer.savepoint {
            try change(fixture, writer, &rows, &touched, depth: depth + 1, &random)
            if random.oneIn(2) { throw Undo() }
          }
        } catch is Undo {
          (rows, touched) = (rowsBefore, touchedBefore)
        }
        continue
      }
      try changeOne(fixture, writer, &rows, &touched, &random)
    }
  }

  private func changeOne(
    _ fixture: Fixture, _ writer: StoreWriter, _ rows: inout [Int64: Row], _ touched: inout Set<Int64>,
    _ random: inout SeededRandom
  ) throws {
    let number = Int64(random.int(0..<40))
    // One in eight is too large for a leaf.
    let text = random.oneIn(8) ? String(repeating: "x", count: 70_000) : "n\(random.int(0..<40))"
    touched.insert(number)
    guard let key = try writer.object(fixture.item, primaryKey: .int(number)) else {
      #expect(rows[number] == nil)
      let made = try writer.create(fixture.item, primaryKey: number)
      try writer.set(fixture.item, fixture.name, made, .string(text))
      rows[number] = Row(name: text)
      return
    }
    let target = random.pick(Array(rows.keys).sorted())
    let link = StoredValue.link(try #require(try writer.object(fixture.item, primaryKey: .int(target))))
    switch random.int(0...5) {
    case 0:
      try writer.delete(fixture.item, key)
      rows[number] = nil
      for other in rows.keys {
        if rows[other]?.next == number { rows[other]?.next = nil }
        rows[other]?.others.removeAll { $0 == number }
      }
    case 1:
      try writer.set(fixture.item, fixture.next, key, link)
      rows[number]?.next = target
    case 2:
      try writer.lists.insert(fixture.item, fixture.others, key, at: 0, [link])
      rows[number]?.others.insert(target, at: 0)
    case 3:
      try writer.lists.clear(fixture.item, fixture.others, key)
      rows[number]?.others = []
    default:
      try writer.set(fixture.item, fixture.name, key, .string(text))
      rows[number]?.name = text
    }
  }
}
