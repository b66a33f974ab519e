import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import Larder

/// Random operations on a graph of objects, lists, sets, maps and embedded objects through the API, compared with plain values
/// after each transaction, inside of some, after rollbacks and when the store was opened again.
@Suite("Model of the object API") struct GraphModelTests {
  private static let types: [ObjectBase.Type] = [Vertex.self, VertexPart.self, VertexBolt.self]
  private static let operations = 50_000

  @Test("O-11, O-45, O-71, O-73 and R-8: the graph is what the oracle says", arguments: 0..<4)
  func model(_ run: Int) throws {
    var random = SeededRandom.forTest("model(\(run))")
    for _ in 0..<run { _ = random.next() }
    let folder = try TemporaryDirectory()
    let configuration = Realm.Configuration(
      fileURL: folder.url.appendingPathComponent("model.realm"), objectTypes: Self.types)
    var model: [Int: VertexState] = [:]
    var nextID = 1
    var done = 0
    while done < Self.operations {
      let realm = try Realm(configuration: configuration)
      try compare(realm, model, random, "reopened")
      for _ in 0..<50 {
        let before = model
        var operations = GraphOperations(realm: realm, random: random, model: model, nextID: nextID)
        realm.beginWrite()
        for _ in 0..<random.int(1...200) {
          operations.step()
          done += 1
        }
        (random, model, nextID) = (operations.random, operations.model, operations.nextID)
        if random.oneIn(8) { try compare(realm, model, random, "in the write") }
        if random.oneIn(5) {
          realm.cancelWrite()
          model = before
        } else {
          try realm.commitWrite()
        }
        try compare(realm, model, random, "after the transaction")
      }
      #expect(try StoreVerifier.verify(realm.core.store.snapshot()).isEmpty)
    }
  }

  private func compare(_ realm: Realm, _ model: [Int: VertexState], _ random: SeededRandom, _ when: String) throws {
    let nodes = realm.objects(Vertex.self)
    try #require(Set(nodes.map(\.id)) == Set(model.keys), "\(when), seed \(random.seed)")
    var partCount = 0
    var boltCount = 0
    for node in nodes {
      let expected = try #require(model[node.id])
      let found = VertexState(node)
      try #require(found == expected, "node \(node.id) \(when), seed \(random.seed)")
      let parts = expected.parts + [expected.part].compactMap { $0 } + expected.partsByName.values.compactMap { $0 }
      partCount += parts.count
      boltCount += parts.reduce(0) { $0 + $1.sizes.count }
      let previous = model.filter { $0.value.next == node.id }.keys
      try #require(Set(node.previous.map(\.id)) == Set(previous), "inverse of \(node.id) \(when), seed \(random.seed)")
    }
    // Embedded objects went with their owners.
    try #require(realm.dynamicObjects("VertexPart").count == partCount, "\(when), seed \(random.seed)")
    try #require(realm.dynamicObjects("VertexBolt").count == boltCount, "\(when), seed \(random.seed)")
    for group in 0..<5 {
      let expected = model.values.filter { $0.group == group }.count
      try #require(nodes.filter("group = %@", group).count == expected, "\(when), seed \(random.seed)")
    }
  }
}
