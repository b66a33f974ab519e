import Foundation
import Testing

@testable import LarderStorage

/// Transactions that change very much at once.
@Suite struct LargeTransactionTests {
  @Test("L-11 a commit of which the log cannot tell everything is made, and its class counts as changed")
  func record() throws {
    let fixture = try CollectionFixture(
      [ColumnDeclaration(name: "labels", type: .string, collection: .set)], clusterSize: 8)
    let labels = try fixture.column("labels")
    let key = try fixture.write { try $0.create(fixture.owner) }
    let text = String(repeating: "x", count: 4_000)
    try fixture.write { writer in
      for part in 0..<10 {
        try writer.sets.insert(fixture.owner, labels, key, (0..<430).map { .string("\(part * 1_000 + $0) \(text)") })
      }
    }
    let snapshot = try fixture.snapshot()
    #expect(try snapshot.set(fixture.owner, labels, key).count == 4_300)
    #expect(try snapshot.changes(since: snapshot.version - 1).isUnknown(fixture.owner))
    #expect(try fixture.problems().isEmpty)
  }

  @Test("large values are written out before they fill the memory, all in one cluster or small ones in many")
  func memory() throws {
    let fixture = try CollectionFixture([ColumnDeclaration(name: "body", type: .data)], clusterSize: 256)
    let body = try fixture.column("body")
    for (size, count) in [(500_000, 40), (900, 4_000)] {
      try fixture.write { writer in
        writer.decodedLimit = 2 << 20
        var most = 0
        let stamp = writer.viewStamp
        for number in 0..<count {
          let key = try writer.create(fixture.owner)
          try writer.set(fixture.owner, body, key, .data(Data(repeating: UInt8(number & 0xFF), count: size)))
          most = max(most, writer.cache.decodedBytes)
        }
        #expect(most < 4 << 20 && writer.viewStamp > stamp)
      }
    }
    #expect(try fixture.problems().isEmpty)
  }

  @Test("O-11 what goes from a list goes in one look through it, others and those that came twice stay right")
  func list() throws {
    let fixture = try CollectionFixture(
      [
        ColumnDeclaration(name: "items", type: .link, collection: .list, target: "Item"),
        ColumnDeclaration(name: "named", type: .link, collection: .map, target: "Item"),
      ], clusterSize: 64)
    let (items, named) = (try fixture.column("items"), try fixture.column("named"))
    let (owner, keys) = try fixture.write { writer in
      let owner = try writer.create(fixture.owner)
      let keys = try (0..<6_000).map { _ in try writer.create(fixture.item) }
      try writer.lists.insert(
        fixture.owner, items, owner, at: 0, keys.map { .link($0) } + keys.prefix(100).map { .link($0) })
      try writer.maps.put(fixture.owner, named, owner, keys.prefix(50).enumerated().map { ("k\($0 + 10)", .link($1)) })
      return (owner, keys)
    }
    let kept = keys.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
    try fixture.write { writer in
      try writer.delete(fixture.item, keys: keys.enumerated().filter { $0.offset % 3 != 0 }.map(\.element))
    }
    let snapshot = try fixture.snapshot()
    let expected = kept + kept.prefix(34)
    #expect(try CollectionFixture.elements(snapshot.list(fixture.owner, items, owner)) == expected.map { .link($0) })
    let map = try snapshot.map(fixture.owner, named, owner)
    #expect(try (0..<map.count).map { try map.value(at: $0) == .null } == (0..<50).map { $0 % 3 != 0 })
    #expect(try fixture.problems().isEmpty)
  }
}
