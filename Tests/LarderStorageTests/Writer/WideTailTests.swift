import TestSupport
import Testing

@testable import LarderStorage

/// Tails of classes with very many properties.
@Suite struct WideTailTests {
  private func make(_ columns: Int) throws -> (TemporaryStore, ClassDescriptor) {
    let fixture = try TemporaryStore()
    let declared = (0..<columns).map { ColumnDeclaration(name: "p\($0)", type: $0 % 2 == 0 ? .int : .string) }
    try fixture.write { try $0.apply([ClassDeclaration(name: "Wide", columns: declared)], schemaVersion: 0) }
    return (fixture, try #require(try fixture.snapshot.schema["Wide"]))
  }

  private func add(_ number: Int, _ fixture: TemporaryStore, _ entry: ClassDescriptor) throws {
    try fixture.write { writer in
      let key = try writer.create(entry.id)
      for (place, column) in entry.columns.enumerated() {
        let value = place % 2 == 0 ? StoredValue.int(Int64(number << 8 + place)) : .string("value \(number).\(place)")
        try writer.set(entry.id, column.id, key, value)
      }
    }
  }

  @Test(
    "F-63: one object with many properties is committed without writing a leaf for each",
    .notUnder([.littleMemory, .smallClusters], "there is no tail then"), arguments: [20, 100, 600])
  func wide(columns: Int) throws {
    let (fixture, entry) = try make(columns)
    func leaves() throws -> Int { try fixture.snapshot.transaction.statistics(fixture.store.tables.clusters).entries }
    var added = 0
    while try leaves() == 0, added < 80 {
      try add(added, fixture, entry)
      added += 1
    }
    // So many rows share the cost of writing all leaves once.
    #expect(added >= 4 && added <= 65)
    try add(added, fixture, entry)
    let snapshot = try fixture.snapshot
    #expect(try snapshot.tail(of: entry.id, cluster: 0) != nil)
    for number in 0...added {
      let key = ObjectKey(rawValue: UInt64(number))
      #expect(try snapshot.value(entry.id, entry.columns[0].id, key) == .int(Int64(number << 8)))
      let last = columns - 1
      #expect(try snapshot.value(entry.id, entry.columns[last].id, key) == .string("value \(number).\(last)"))
    }
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
  }
}
