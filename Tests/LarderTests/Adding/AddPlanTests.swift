import Foundation
import LarderStorage
import Testing

@testable import Larder

/// Adding in two phases: planning changes nothing, applying changes all.
@Suite("Plans of adding") struct AddPlanTests {
  class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var friend: Person?
    @Persisted var friends: List<Person>
    @Persisted var badge: Badge?
    override class var uniqueKeys: [[AnyKeyPath]] { [[\Person.name]] }
  }
  class Badge: EmbeddedObject { @Persisted var code: Int }

  private let realm: Realm
  private var core: RealmCore { realm.core }

  init() throws { realm = try makeRealm([Person.self, Badge.self]) }

  private var count: Int { realm.objects(Person.self).count }

  @Test("E-0b: what was planned is added by apply, in the order in which it was named") func apply() throws {
    try realm.write {
      let first = Person(value: ["id": 1, "name": "a"] as [String: Any])
      first.friend = Person(value: ["id": 2, "name": "b"] as [String: Any])
      let last = Person(value: ["id": 3, "name": "c"] as [String: Any])
      var plan = AddPlan(core, .error)
      try plan.add(first)
      try plan.create(
        ["id": 4, "name": "d", "friends": [["id": 5, "name": "e"]], "badge": [7]] as [String: Any], cursor())
      try plan.add(last)
      #expect(count == 0 && !first.isManaged && !last.isManaged)
      let made = try plan.apply().compactMap { $0 as? Person }
      #expect(made.map(\.id) == [1, 4, 3] && count == 5 && first.isManaged && last.isManaged)
      #expect(made[1].badge?.code == 7 && made[1].friends.map(\.id) == [5])
    }
  }

  @Test("E-0b, E-50: one call takes each key once, whichever way its objects are given") func keys() throws {
    try realm.write {
      var plan = AddPlan(core, .error)
      try plan.add(Person(value: ["id": 1, "name": "a"] as [String: Any]))
      #expect(throws: Realm.Error.self) { try plan.create(["id": 1, "name": "b"] as [String: Any], cursor()) }
      #expect(throws: Realm.Error.self) { try plan.create(["id": 2, "name": "a"] as [String: Any], cursor()) }
      #expect(count == 0)
    }
  }

  @Test("U-13: a plan refuses values that are taken; without one the commit does, so that they may change places")
  func unique() throws {
    try realm.write {
      realm.add(Person(value: ["id": 1, "name": "a"] as [String: Any]))
      let value = ["id": 2, "name": "a"] as [String: Any]
      var plan = AddPlan(core, .error)
      #expect(throws: Realm.Error.self) { try plan.create(value, cursor()) }
      #expect(count == 1)
      realm.create(Person.self, value: value).name = "b"
    }
    #expect(realm.objects(Person.self).map(\.name).sorted() == ["a", "b"])
  }

  @Test("O-7: the policy holds within the call alone, whether it ends or throws") func policy() throws {
    try realm.write {
      #expect(core.adding.policy == .error)
      var plan = AddPlan(core, .modified)
      try plan.create(["id": 1, "name": "a", "friend": ["id": 2, "name": "b"]] as [String: Any], cursor())
      try plan.apply(assignedOnly: true)
      #expect(core.adding.policy == .error && !core.adding.assignedOnly)
      struct Refusal: Error {}
      #expect(throws: Refusal.self) {
        try core.adding(under: .all) {
          #expect(core.adding.policy == .all)
          core.adding(under: .error) { #expect(core.adding.policy == .error) }
          throw Refusal()
        }
      }
      #expect(core.adding.policy == .error)
    }
  }

  private func cursor() throws -> _ClassCursor { try core.verifiedCursor(for: Person.self) }
}
