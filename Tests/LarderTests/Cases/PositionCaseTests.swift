import Foundation
import Larder
import Testing

class CaseToy: EmbeddedObject {
  @Persisted var name: String
  @Persisted var year: Int
}

class CaseItem: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var value: Int
  @Persisted var isHidden: Bool
}

class CaseBox: Object {
  @Persisted var name: String
  @Persisted var numbers: List<Int>
  @Persisted var items: List<CaseItem>
  @Persisted var toys: List<CaseToy>
  @Persisted var toy: CaseToy?
  @Persisted var map: Map<String, Int>
  @Persisted var set: MutableSet<Int>
}

class CaseNamed: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted var name: String
}

/// Positions of changes, from public reports of observers that crashed tables. The answers were written down before the first run.
@Suite("Reported cases: positions in changes") @MainActor final class PositionCaseTests {
  private let realm: Realm
  private let box = CaseBox()
  private var log: [String] = []
  private var tokens: [NotificationToken] = []

  init() throws {
    realm = try Realm(
      configuration: .init(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [CaseItem.self, CaseBox.self, CaseToy.self]))
    try realm.write {
      realm.add(box)
      for id in 1...4 {
        box.items.append(realm.create(CaseItem.self, value: ["id": id, "value": id] as [String: Any]))
      }
      box.numbers.append(objectsIn: [10, 20, 30, 40, 50])
      box.map["a"] = 1
      box.map["b"] = 2
      box.set.insert(objectsIn: [1, 5, 9])
    }
  }

  private func item(_ id: Int) -> CaseItem { realm.object(ofType: CaseItem.self, forPrimaryKey: id)! }
  private func byID() -> Results<CaseItem> { realm.objects(CaseItem.self).sorted(byKeyPath: "id") }

  /// Adds the positions of a change to the log.
  private func note<Collection>(_ change: RealmCollectionChange<Collection>) {
    if case .update(_, let deletions, let insertions, let modifications) = change {
      log.append("-\(deletions) +\(insertions) ~\(modifications)")
    }
  }

  private func observe(_ token: NotificationToken...) {
    tokens = token
    realm.refresh()
  }

  /// Writes, and returns what observers reported, sorted.
  private func reports(_ body: () throws -> Void) throws -> [String] {
    log = []
    try realm.write(body)
    realm.refresh()
    return log.sorted()
  }

  @Test("deletions in front of a modification do not move it")
  func deletedAndModified() throws {
    observe(realm.objects(CaseItem.self).filter("value > 0").sorted(byKeyPath: "value").observe { self.note($0) })
    #expect(
      try reports {
        realm.delete(realm.objects(CaseItem.self).filter("id < 4"))
        realm.objects(CaseItem.self).first!.value = 4
      } == ["-[0, 1, 2] +[] ~[3]"])
  }

  @Test("a property that leaves the condition is a deletion")
  func hiding() throws {
    try realm.write { realm.delete(realm.objects(CaseItem.self).filter("id < 4")) }
    observe(realm.objects(CaseItem.self).filter("isHidden == false").sorted(byKeyPath: "id").observe { self.note($0) })
    #expect(
      try reports { for id in 10...13 { realm.create(CaseItem.self, value: ["id": id]) } } == ["-[] +[1, 2, 3, 4] ~[]"])
    #expect(try reports { item(11).isHidden = true } == ["-[2] +[] ~[]"])
  }

  @Test("a list of numbers: inserts, removals, assignments, moves and swaps")
  func numbers() throws {
    observe(box.numbers.observe { self.note($0) })
    let numbers = box.numbers
    #expect(try reports { numbers.insert(15, at: 1) } == ["-[] +[1] ~[]"])
    #expect(try reports { numbers.remove(at: 1) } == ["-[1] +[] ~[]"])
    #expect(try reports { numbers[1] = 21 } == ["-[] +[] ~[1]"])
    #expect(try reports { numbers.removeLast() } == ["-[4] +[] ~[]"])
    #expect(try reports { numbers.move(from: 0, to: 3) } == ["-[0] +[3] ~[]"])
    #expect(try reports { numbers.swapAt(0, 2) } == ["-[0, 2] +[0, 2] ~[]"])
    #expect(
      try reports {
        numbers.append(1)
        numbers.removeLast()
      } == [])
    #expect(try reports { numbers[0] = numbers[0] } == ["-[] +[] ~[0]"])
  }

  @Test("a list of objects: removed, deleted, changed and moved")
  func objects() throws {
    try realm.write {
      box.items.removeAll()
      for id in 20...25 { box.items.append(realm.create(CaseItem.self, value: ["id": id])) }
    }
    observe(box.items.observe { self.note($0) })
    #expect(try reports { box.items.remove(at: 4) } == ["-[4] +[] ~[]"])
    #expect(try reports { realm.delete(item(22)) } == ["-[2] +[] ~[]"])
    #expect(
      try reports {
        box.items[1].value = 9
        box.items.remove(at: 0)
      } == ["-[0] +[] ~[1]"])
    #expect(
      try reports {
        box.items.move(from: 2, to: 0)
        box.items[0].value = 7
      } == ["-[2] +[0] ~[]"])
  }

  @Test("an object that takes another place in sorted results is deleted and inserted, else modified")
  func sorted() throws {
    try realm.write {
      realm.delete(realm.objects(CaseItem.self))
      for id in 0..<5 { realm.create(CaseItem.self, value: ["id": id, "value": id] as [String: Any]) }
    }
    observe(realm.objects(CaseItem.self).sorted(byKeyPath: "value").observe { self.note($0) })
    #expect(try reports { item(0).value = 10 } == ["-[0] +[4] ~[]"])
    #expect(try reports { item(0).value = 11 } == ["-[] +[] ~[4]"])
  }

  @Test("key paths through a list of embedded objects")
  func embeddedPaths() throws {
    let box = box
    observe(
      box.observe(keyPaths: [\CaseBox.toys]) { change in
        if case .change(_, let properties) = change { self.log.append("toys: \(properties.map(\.name))") }
      },
      box.observe(keyPaths: ["toys.name"]) { (change: ObjectChange<CaseBox>) in
        if case .change(_, let properties) = change { self.log.append("names: \(properties.map(\.name))") }
      })
    let both = ["names: [\"toys\"]", "toys: [\"toys\"]"]
    #expect(try reports { box.toys.append(CaseToy(value: ["name": "a"])) } == both)
    #expect(try reports { box.toys[0].name = "b" } == ["names: [\"toys\"]"])
    #expect(try reports { box.toys[0].year = 3 } == [])
    #expect(try reports { box.toys.remove(at: 0) } == both)
    #expect(try reports { box.name = "n" } == [])
  }

  @Test("embedded objects are part of their owner")
  func embedded() throws {
    observe(realm.objects(CaseBox.self).observe { self.note($0) }, box.toys.observe { self.note($0) })
    let modified = "-[] +[] ~[0]"
    #expect(try reports { box.toys.append(CaseToy(value: ["name": "c"])) } == ["-[] +[0] ~[]", modified])
    #expect(try reports { box.toys[0].name = "d" } == [modified, modified])
    #expect(try reports { box.toy = CaseToy() } == [modified])
    #expect(try reports { box.toy!.year = 1 } == [modified])
  }

  @Test("maps are reported by key, sets by place")
  func mapsAndSets() throws {
    observe(
      box.map.observe { change in
        guard case .update(_, let deletions, let insertions, let modifications) = change else { return }
        self.log.append("-\(deletions.sorted()) +\(insertions.sorted()) ~\(modifications.sorted())")
      })
    #expect(
      try reports {
        box.map["c"] = 3
        box.map["a"] = nil
        box.map["b"] = 5
      } == ["-[\"a\"] +[\"c\"] ~[\"b\"]"])
    observe(box.set.observe { self.note($0) })
    #expect(
      try reports {
        box.set.insert(7)
        box.set.remove(1)
        box.set.insert(5)
      } == ["-[0] +[1] ~[]"])
  }

  @Test("made and deleted in one write is nothing; changed and changed back is a modification")
  func backAndForth() throws {
    try realm.write {
      realm.delete(realm.objects(CaseItem.self))
      for id in 0..<5 { realm.create(CaseItem.self, value: ["id": id, "value": id] as [String: Any]) }
    }
    observe(byID().observe { self.note($0) })
    #expect(
      try reports {
        let item = realm.create(CaseItem.self, value: ["id": 99])
        realm.delete(item)
      } == [])
    #expect(
      try reports {
        let item = byID()[2]
        let value = item.value
        item.value = 77
        item.value = value
      } == ["-[] +[] ~[2]"])
    #expect(
      try reports {
        let item = byID()[2]
        let (id, value) = (item.id, item.value)
        realm.delete(item)
        realm.create(CaseItem.self, value: ["id": id, "value": value] as [String: Any])
      } == ["-[2] +[2] ~[]"])
  }

  @Test("sections follow a key that changes and changes back")
  func sections() throws {
    let realm = try Realm(
      configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [CaseNamed.self]))
    try realm.write {
      realm.create(CaseNamed.self, value: ["A", "John"])
      realm.create(CaseNamed.self, value: ["B", "Sam"])
    }
    let sections = realm.objects(CaseNamed.self).sectioned(by: \.name)
    func shape() -> [String] { sections.map { "\($0.key) " + $0.map(\.id).joined() } }
    tokens = [
      sections.observe { change in
        guard case .update(_, let deletions, let insertions, let modifications, let came, let went) = change else {
          return
        }
        func paths(_ paths: [IndexPath]) -> [String] { paths.map { "\($0.section).\($0.item)" } }
        self.log.append(
          "-\(paths(deletions)) +\(paths(insertions)) ~\(paths(modifications)) +\(Array(came)) -\(Array(went))")
      }
    ]
    realm.refresh()
    func reports(_ body: () -> Void) throws -> [String] {
      log = []
      try realm.write(body)
      realm.refresh()
      return log
    }
    func named(_ id: String) -> CaseNamed { realm.object(ofType: CaseNamed.self, forPrimaryKey: id)! }
    #expect(shape() == ["John A", "Sam B"])
    #expect(try reports { named("B").name = "John" } == ["-[] +[\"0.1\"] ~[] +[] -[1]"])
    #expect(shape() == ["John AB"])
    #expect(try reports { named("B").name = "Sam" } == ["-[\"0.1\"] +[\"1.0\"] ~[] +[1] -[]"])
    #expect(shape() == ["John A", "Sam B"])
    #expect(
      try reports {
        realm.create(CaseNamed.self, value: ["C", "Adam"])
        named("A").name = "Adam"
      } == ["-[] +[\"0.0\", \"0.1\"] ~[] +[0] -[0]"])
    #expect(shape() == ["Adam AC", "Sam B"])
  }
}
