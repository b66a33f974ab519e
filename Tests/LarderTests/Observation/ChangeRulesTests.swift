import Dispatch
import Foundation
import Testing

@testable import Larder

/// Covers N-4, N-7, N-8, N-14, N-15, N-30, N-42, N-44 and N-66 on a Realm of a serial queue.
@Suite("Rules of changes", .timeLimit(.minutes(30))) struct ChangeRulesTests {
  private final class Fixture: @unchecked Sendable {
    // Unchecked: the Realm is used on its queue.
    let queue = DispatchQueue(label: "owner")
    let configuration = temporaryConfiguration()
    let recorder = Recorder()
    var realm: Realm?

    init() throws {
      try queue.sync {
        let realm = try Realm(configuration: configuration, queue: queue)
        try realm.write { for id in 0..<3 { realm.add(Person(id: id, name: "p\(id)")) } }
        self.realm = realm
      }
    }

    /// Observes all people; returns once the first call was made.
    func observe(keyPaths: [String]? = nil) -> NotificationToken? {
      let token = UncheckedBox(
        queue.sync {
          realm?.objects(Person.self).observe(keyPaths: keyPaths, on: nil) { [recorder] change in
            if case .update(_, let deletions, let insertions, let modifications) = change {
              recorder.add("-\(deletions) +\(insertions) ~\(modifications)")
            } else {
              recorder.add("initial")
            }
          }
        })
      #expect(recorder.wait())
      return token.value
    }

    func here(_ body: (Realm) throws -> Void) throws { try queue.sync { if let realm { try body(realm) } } }

    func elsewhere(_ body: (Realm) throws -> Void) throws {
      let realm = try Realm(configuration: configuration)
      realm.refresh()
      try realm.write { try body(realm) }
    }
  }

  private func person(_ realm: Realm, _ id: Int) throws -> Person {
    try #require(realm.object(ofType: Person.self, forPrimaryKey: id))
  }

  @Test("N-4, N-7, N-8 and N-14 later, as one change, of what was assigned; nothing for nothing")
  func coalescing() throws {
    let fixture = try Fixture()
    let token = fixture.observe()
    try fixture.here { realm in
      try realm.write { realm.add(Dog(name: "silent")) }
      try realm.write { realm.add(Person(id: 8)) }
      #expect(fixture.recorder.all == ["initial"])
      // The write delivers what is due before it begins (N-3).
      try realm.write { realm.delete(try person(realm, 8)) }
      #expect(fixture.recorder.all == ["initial", "-[] +[3] ~[]"])
    }
    _ = fixture.recorder.wait()
    #expect(fixture.recorder.wait() && fixture.recorder.all.last == "-[3] +[] ~[]")
    try fixture.elsewhere { realm in
      realm.add(Person(id: 9))
      let first = try person(realm, 0)
      first.name = first.name
      realm.delete(try person(realm, 9))
    }
    #expect(fixture.recorder.wait() && fixture.recorder.all.last == "-[] +[] ~[0]")
    token?.invalidate()
  }

  @Test("N-15 and N-30 linked objects count; key paths choose among modifications")
  func keyPaths() throws {
    let fixture = try Fixture()
    try fixture.elsewhere { realm in
      try person(realm, 0).dogs.append(Dog(name: "Rex"))
    }
    let all = fixture.observe()
    try fixture.elsewhere { realm in realm.objects(Dog.self)[0].name = "Bello" }
    #expect(fixture.recorder.wait() && fixture.recorder.all.last == "-[] +[] ~[0]")
    all?.invalidate()
    let some = fixture.observe(keyPaths: ["age", "dogs.name"])
    let before = fixture.recorder.all.count
    try fixture.elsewhere { realm in try person(realm, 1).name = "not asked for" }
    try fixture.elsewhere { realm in
      try person(realm, 2).age = 5
      realm.objects(Dog.self)[0].name = "Rex"
    }
    #expect(fixture.recorder.wait() && Array(fixture.recorder.all[before...]) == ["-[] +[] ~[0, 2]"])
    some?.invalidate()
  }

  @Test("N-66 observers named by a write skip it, and count on from there")
  func skipping() throws {
    let fixture = try Fixture()
    let token = UncheckedBox(fixture.observe())
    try fixture.here { realm in
      try realm.write(withoutNotifying: token.value.map { [$0] } ?? []) { realm.add(Person(id: 7)) }
    }
    try fixture.elsewhere { realm in try person(realm, 7).age = 1 }
    #expect(fixture.recorder.wait() && fixture.recorder.all == ["initial", "-[] +[] ~[3]"])
    token.value?.invalidate()
  }

  @Test("N-42 and N-44 old values of others' changes; deleting and creating again is a deletion")
  func objects() throws {
    let fixture = try Fixture()
    let token = UncheckedBox(
      try fixture.queue.sync { () throws -> NotificationToken? in
        guard let realm = fixture.realm else { return nil }
        return try person(realm, 0).observe { (change: ObjectChange<Person>) in
          if case .change(_, let properties) = change {
            fixture.recorder.add("\(properties.map { "\($0.name) \($0.oldValue ?? "-") \($0.newValue ?? "-")" })")
          }
          if case .deleted = change { fixture.recorder.add("deleted") }
        }
      })
    try fixture.elsewhere { realm in try person(realm, 0).age = 4 }
    #expect(fixture.recorder.wait() && fixture.recorder.all == ["[\"age 0 4\"]"])
    try fixture.here { realm in try realm.write { try person(realm, 0).age = 5 } }
    #expect(fixture.recorder.wait() && fixture.recorder.all.last == "[\"age - 5\"]")
    try fixture.elsewhere { realm in
      realm.delete(try person(realm, 0))
      realm.add(Person(id: 0))
    }
    #expect(fixture.recorder.wait() && fixture.recorder.all.last == "deleted")
    token.value?.invalidate()
  }
}
