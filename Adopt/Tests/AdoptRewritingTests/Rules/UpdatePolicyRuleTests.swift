import AdoptRewriting
import Testing

@Suite struct UpdatePolicyRuleTests {
  @Test(
    "F-181: a Bool for update becomes the policy that it was",
    arguments: [
      ("func f(_ realm: Realm) { realm.add(dog, update: true) }", "realm.add(dog, update: .all)"),
      ("func f(_ realm: Realm) { realm.add(dog, update: false) }", "realm.add(dog, update: .error)"),
      ("let realm = try! Realm()\nrealm.add(dogs, update: true)", "realm.add(dogs, update: .all)"),
      ("try! Realm().add(dog, update: true)", "add(dog, update: .all)"),
      (
        "func f() { realm.create(Dog.self, value: [1], update: true) }",
        "realm.create(Dog.self, value: [1], update: .all)"
      ),
      ("extension Realm { func put(_ dog: Dog) { add(dog, update: true) } }", "add(dog, update: .all)"),
      ("func f(_ realm: Realm, _ all: Bool) { realm.add(dog, update: all) }", "update: all ? .all : .error)"),
      ("func f(_ realm: Realm) { realm.add(dog, update: !isNew) }", "update: !isNew ? .all : .error)"),
      ("func f(_ realm: Realm) { realm.add(dog, update: key != nil) }", "update: key != nil ? .all : .error)"),
      ("class A { var realm: Realm!\n  func f() { self.realm?.add(dog, update: true) } }", "update: .all)"),
    ])
  func policies(_ before: String, _ after: String) throws {
    let outcome = try Rewriting.outcome(before)
    #expect(outcome.after.string.contains(after), "\(outcome.after.string)")
    #expect(outcome.findings == [])
  }

  @Test(
    "F-181: policies and functions of the program stay",
    arguments: [
      "func f(_ realm: Realm) { realm.add(dog, update: .modified) }",
      "func f(_ realm: Realm, _ policy: Realm.UpdatePolicy) { realm.add(dog, update: policy) }",
      "func f(_ realm: Realm) { realm.add(dog, update: Realm.UpdatePolicy.all) }",
      "struct Cache { func add(_ a: Int, update: Bool) {}\n  func f(_ other: Cache) { add(1, update: true); other.add(1, update: true) } }",
      "func f(_ list: [Int]) { list.add(1, update: true) }",
    ])
  func others(_ source: String) throws {
    let outcome = try Rewriting.outcome(source)
    #expect(outcome.after.string == source)
    #expect(outcome.findings == [])
  }

  @Test(
    "F-181: what may be of a Realm is listed with the line to write",
    arguments: [
      "struct Cache { func add(_ a: Int, update: Bool) {} }\nfunc f() { unknown().add(1, update: true) }",
      "func f(_ realm: Realm) { let all = make(); realm.add(dog, update: all) }",
    ])
  func listed(_ source: String) throws {
    let outcome = try Rewriting.outcome(source)
    #expect(outcome.after.string == source)
    #expect(outcome.findings.map(\.kind) == [.updatePolicy])
    #expect(outcome.findings.first?.suggestion.isEmpty == false)
  }
}
