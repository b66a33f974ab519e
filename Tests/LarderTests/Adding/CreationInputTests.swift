import Foundation
import Testing

@testable import Larder

/// Tests of what `create(value:)` does with the objects in its input.
@Suite("Input of creating") struct CreationInputTests {
  class Node: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var next: Node?
    @Persisted var nodes: List<Node>
    @Persisted var set: MutableSet<Node>
    @Persisted var map: Map<String, Node?>
    @Persisted var any: AnyRealmValue
    @Persisted var anys: List<AnyRealmValue>
    @Persisted var anyMap: Map<String, AnyRealmValue>
    @Persisted var part: Part?
    @Persisted var parts: List<Part>

    convenience init(_ id: Int, _ name: String = "") {
      self.init()
      self.id = id
      self.name = name
    }
  }
  class Part: EmbeddedObject {
    @Persisted var size: Int
    @Persisted var node: Node?
  }

  private func makeRealm() throws -> Realm { try LarderTests.makeRealm([Node.self, Part.self]) }

  @Test(
    "F-4: create copies nested unmanaged objects from dictionaries and objects, wherever they are; the input is untouched"
  )
  func copies() throws {
    let realm = try makeRealm()
    let inner = (0..<9).map { Node(100 + $0, "n\($0)") }
    let part = Part(value: ["size": 3])
    part.node = inner[6]
    let source = Node(1, "top")
    source.next = inner[0]
    source.nodes.append(objectsIn: [inner[1], inner[0]])
    source.set.insert(inner[2])
    source.map["a"] = inner[3]
    source.any = .object(inner[4])
    source.anys.append(.list(.init()))
    source.anys[0] = .fromArray([.object(inner[5]), .fromDictionary(["x": .object(inner[4])])])
    source.anyMap["k"] = .object(inner[7])
    source.part = part
    source.parts.append(Part(value: ["size": 4]))
    inner[0].next = source
    inner[8].next = inner[0]
    let copy = try realm.write { realm.create(Node.self, value: source) }
    #expect(([source] + inner).allSatisfy { $0.realm == nil && !$0.isManaged } && part.realm == nil)
    #expect(source.next === inner[0] && source.part === part && source.any.object(Node.self) === inner[4])
    #expect(copy.next?.name == "n0" && copy.next?.next?.isSameObject(as: copy) == true)
    #expect(copy.nodes.map(\.id) == [101, 100] && copy.nodes[1].isSameObject(as: copy.next))
    #expect(copy.set.map(\.id) == [102] && copy.map["a"]??.id == 103 && copy.any.object(Node.self)?.id == 104)
    let nested = copy.anys[0].listValue
    #expect(nested?[0].object(Node.self)?.id == 105 && nested?[1].dictionaryValue?["x"]?.object(Node.self)?.id == 104)
    #expect(copy.anyMap["k"]?.object(Node.self)?.id == 107 && copy.part?.node?.id == 106)
    #expect(copy.parts.map(\.size) == [4] && realm.objects(Node.self).count == 9)
    // The input can be changed on, and used again.
    source.name = "changed"
    inner[0].name = "changed"
    #expect(copy.name == "top" && copy.next?.name == "n0")
    try realm.write { realm.create(Node.self, value: source, update: .all) }
    #expect(copy.name == "changed" && copy.next?.name == "changed")
    #expect(([source] + inner).allSatisfy { $0.realm == nil } && part.realm == nil)
  }

  @Test("F-4: dictionaries and arrays with unmanaged objects, all policies, typed and by name") func values() throws {
    for policy in [Realm.UpdatePolicy.error, .modified, .all] {
      for isDynamic in [false, true] {
        let realm = try makeRealm()
        let (a, b, c) = (Node(2, "a"), Node(3, "b"), Node(4, "c"))
        let part = Part(value: ["size": 1])
        let value: [String: Any] = [
          "id": 1, "next": a, "nodes": [a, b], "map": ["x": b], "any": c, "anys": [c, [c]], "part": part,
          "parts": [part],
        ]
        try realm.write {
          if policy != .error { realm.create(Node.self, value: ["id": 1, "part": ["size": 9], "next": ["id": 2]]) }
          if isDynamic {
            realm.dynamicCreate("Node", value: value, update: policy)
          } else {
            realm.create(Node.self, value: value, update: policy)
          }
        }
        #expect([a, b, c].allSatisfy { $0.realm == nil } && part.realm == nil, "\(policy) \(isDynamic)")
        let made = try #require(realm.object(ofType: Node.self, forPrimaryKey: 1))
        #expect(made.next?.name == "a" && made.nodes.map(\.name) == ["a", "b"] && made.map["x"]??.name == "b")
        #expect(made.any.object(Node.self)?.name == "c" && made.part?.size == 1 && made.parts.map(\.size) == [1])
        #expect(realm.objects(Node.self).count == 4)
      }
    }
  }

  @Test("F-4: managed objects in the input are linked, and those of another Realm copied") func managed() throws {
    let (realm, other) = (try makeRealm(), try makeRealm())
    let mine = try realm.write { realm.create(Node.self, value: ["id": 5, "name": "mine"]) }
    let theirs = try other.write { other.create(Node.self, value: ["id": 6, "name": "theirs"]) }
    let between = Node(7)
    between.next = mine
    let made = try realm.write {
      realm.create(Node.self, value: ["id": 1, "next": between, "nodes": [mine, theirs]] as [String: Any])
    }
    #expect(between.realm == nil && made.next?.next?.isSameObject(as: mine) == true)
    #expect(made.nodes[0].isSameObject(as: mine) && made.nodes[1].realm == realm && made.nodes[1].name == "theirs")
  }

  @Test("F-4: adding and assigning still make the instance itself managed") func adding() throws {
    let realm = try makeRealm()
    let (top, next, byName) = (Node(1), Node(2), Node(3))
    top.next = next
    try realm.write {
      realm.add(top)
      next["next"] = byName
    }
    #expect(next.realm == realm && byName.realm == realm && top.next?.next?.isSameObject(as: byName) == true)
  }
}
