import TestSupport
import Testing

@testable import LarderStorage

/// Tests that what waits in memory during a transaction is bounded by bytes.
@Suite struct BoundedMemoryTests {
  private func make(key: EncryptionKey? = nil) throws -> (fixture: TemporaryStore, entry: ClassDescriptor) {
    let fixture = try TemporaryStore(clusterSize: 32, key: key)
    try fixture.write {
      try $0.apply(
        [
          ClassDeclaration(
            name: "Note",
            columns: [
              ColumnDeclaration(name: "text", type: .string, isFullText: true),
              ColumnDeclaration(name: "list", type: .string, collection: .list),
              ColumnDeclaration(name: "map", type: .string, collection: .map),
            ])
        ], schemaVersion: 0)
    }
    return (fixture, try #require(try fixture.snapshot.schema["Note"]))
  }

  @Test("F-67: open lists are written out by the bytes of their elements, and a flush writes only those that changed")
  func lists() throws {
    let (fixture, entry) = try make()
    let (list, map) = (entry.columns[1].id, entry.columns[2].id)
    let long = String(repeating: "x", count: 500)
    var keys: [ObjectKey] = []
    try fixture.write { writer in
      writer.listLimit = 40_000
      var most = 0
      for number in 0..<100 {
        let key = try writer.create(entry.id)
        keys.append(key)
        try writer.lists.insert(entry.id, list, key, at: 0, (0..<10).map { .string("\(number).\($0)\(long)") })
        try writer.maps.put(entry.id, map, key, [("key", .string("\(number)"))])
        most = max(most, writer.openLists.count)
      }
      // Eight lists of 5,000 bytes, each with the two of a map beside it.
      #expect(most < 40)
      try writer.flush()
      #expect(!writer.openLists.hasChanges && writer.openLists.count > 0)
      _ = try writer.list(entry.id, list, keys[99]).count
      try writer.lists.insert(entry.id, list, keys[98], at: 3, [.string("new")])
      #expect(writer.openLists.changed.map(\.id.key) == [keys[98]])
      // A list that was let go of is changed on.
      try writer.lists.remove(entry.id, list, keys[0], 0..<9)
      try writer.maps.put(entry.id, map, keys[0], [("other", .string("value"))])
    }
    let snapshot = try fixture.snapshot
    for (number, key) in keys.enumerated() {
      let expected =
        number == 0
        ? ["0.9\(long)"]
        : (0..<10).flatMap { number == 98 && $0 == 3 ? ["new", "98.3\(long)"] : ["\(number).\($0)\(long)"] }
      #expect(try snapshot.list(entry.id, list, key).values() == expected.map { .string($0) })
      #expect(try snapshot.map(entry.id, map, key).value(of: "key") == .string("\(number)"))
    }
    #expect(try snapshot.map(entry.id, map, keys[0]).value(of: "other") == .string("value"))
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
  }

  @Test("F-67: the words of a flush are written in parts", arguments: [false, true])
  func words(isEncrypted: Bool) throws {
    let (fixture, entry) = try make(key: isEncrypted ? .test() : nil)
    let text = entry.columns[0].id
    let keys = try fixture.write { writer in
      writer.pairLimit = 2_000
      return try (0..<200).map { number in
        let key = try writer.create(entry.id)
        try writer.set(entry.id, text, key, .string("common word\(number) third\(number % 3) again common"))
        return key
      }
    }
    try fixture.write { writer in
      writer.pairLimit = 2_000
      for (number, key) in keys.enumerated() {
        if number % 4 == 0 { try writer.delete(entry.id, key) }
        if number % 4 == 1 { try writer.set(entry.id, text, key, .string("rare word\(number + 1)")) }
      }
    }
    let snapshot = try fixture.snapshot
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
    #expect(try snapshot.count(of: entry.id) == 150)
  }
}
