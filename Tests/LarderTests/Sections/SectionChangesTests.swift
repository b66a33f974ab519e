import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Larder

/// Covers S-40 to S-60: what observers of sections are notified of.
@Suite("Changes of sections", .timeLimit(.minutes(30))) struct SectionChangesTests {
  /// People by the first letters of their names, on a queue.
  private final class Fixture: @unchecked Sendable {
    // Unchecked: the Realm is used on its queue.
    let queue = DispatchQueue(label: "owner")
    let configuration = temporaryConfiguration()
    let recorder = Recorder()
    let realm: Realm
    var tokens: [NotificationToken] = []

    init(_ names: [String]) throws {
      let configuration = configuration
      let queue = queue
      realm = try queue.sync {
        let realm = try Realm(configuration: configuration, queue: queue)
        try realm.write { for (id, name) in names.enumerated() { realm.add(Person(id: id, name: name)) } }
        return realm
      }
    }

    var sections: SectionedResults<String, Person> {
      realm.objects(Person.self).sectioned(by: { String($0.name.prefix(1)).uppercased() }, sortDescriptors: ["name"])
    }

    func observe(keyPaths: [String]? = nil) {
      let token = UncheckedBox(
        queue.sync {
          sections.observe(keyPaths: keyPaths) { [recorder] change in recorder.add(SectionChangesTests.text(change)) }
        })
      tokens.append(token.value)
      _ = recorder.wait()
    }

    func observe(section key: String) {
      let token = UncheckedBox(
        queue.sync {
          sections.first { $0.key == key }?.observe { [recorder] change in
            recorder.add("\(key) " + SectionChangesTests.text(change))
          }
        })
      if let token = token.value { tokens.append(token) }
      _ = recorder.wait()
    }

    func write(_ body: (Realm) throws -> Void) throws {
      try queue.sync { try realm.write { try body(realm) } }
      queue.sync {}
    }

    func rename(_ names: [Int: String]) throws {
      try write { realm in
        for (id, name) in names { realm.object(ofType: Person.self, forPrimaryKey: id)?.name = name }
      }
    }

    /// Returns the last report; the empty text when nothing came.
    func last() -> String { recorder.wait() ? recorder.all.last ?? "" : "" }
  }

  private static func text<C>(_ change: SectionedResultsChange<C>) -> String {
    func paths(_ paths: [IndexPath]) -> String { paths.map { "\($0.section):\($0.item)" }.joined(separator: ",") }
    switch change {
    case .initial: return "initial"
    case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted):
      return "-\(paths(deletions)) +\(paths(insertions)) ~\(paths(modifications)) "
        + "s-\(Array(deleted)) s+\(Array(inserted))"
    }
  }

  @Test(
    "S-40, S-43, S-44, S-48 sections come and go; rows of those that go are not listed, of those that come they are")
  func comeAndGo() throws {
    let fixture = try Fixture(["ann"])
    fixture.observe()
    #expect(fixture.recorder.all == ["initial"])
    try fixture.write { realm in
      realm.add(Person(id: 10, name: "bob"))
      realm.add(Person(id: 11, name: "bea"))
    }
    #expect(fixture.last() == "- +1:0,1:1 ~ s-[] s+[1]")
    try fixture.write { realm in realm.deleteAll() }
    #expect(fixture.last() == "- + ~ s-[0, 1] s+[]")
  }

  @Test("S-45, S-46 another key is a deletion and an insertion; in place it is a modification; pushed down it is both")
  func modifications() throws {
    let fixture = try Fixture(["mail", "zoo"])
    fixture.observe()
    try fixture.rename([0: "mailbox"])
    #expect(fixture.last() == "- + ~0:0 s-[] s+[]")
    try fixture.write { realm in
      realm.object(ofType: Person.self, forPrimaryKey: 0)?.name = "mails"
      realm.add(Person(id: 9, name: "ma"))
    }
    #expect(fixture.last() == "-0:0 +0:0,0:1 ~ s-[] s+[]")
    try fixture.rename([9: "zero"])
    #expect(fixture.last() == "-0:0 +1:0 ~ s-[] s+[]")
  }

  @Test("S-42, S-47 the worked example")
  func worked() throws {
    let fixture = try Fixture(["any", "any", "any", "beans", "duck", "goat", "zebra"])
    fixture.observe()
    try fixture.rename([0: "banana", 1: "melon", 2: "calendar", 3: "apricot", 4: "duck", 5: "duck", 6: "apple"])
    #expect(fixture.last() == "-0:0,0:1,0:2,1:0 +0:0,0:1,1:0,2:0,3:1,4:0 ~2:0 s-[3, 4] s+[2, 4]")
  }

  @Test("S-41, S-49 told whenever the results change, and only then; writes may leave observers out")
  func silence() throws {
    let fixture = try Fixture(["ann"])
    fixture.observe()
    try fixture.write { realm in realm.add(Dog(name: "Rex")) }
    try fixture.queue.sync {
      try fixture.realm.write(withoutNotifying: fixture.tokens) { fixture.realm.add(Person(id: 5, name: "aaa")) }
    }
    try fixture.rename([0: "anna"])
    #expect(fixture.last() == "- + ~0:1 s-[] s+[]")
    #expect(fixture.recorder.all.count == 2)
  }

  @Test("S-60 an empty list of key paths filters nothing")
  func noKeyPaths() throws {
    let fixture = try Fixture(["ann"])
    fixture.observe(keyPaths: [])
    try fixture.rename([0: "anna"])
    #expect(fixture.last() == "- + ~0:0 s-[] s+[]")
  }

  @Test("S-50, S-51, S-52, S-53 observers of one section hear of their key only: its rows, its end, its return")
  func oneSection() throws {
    let fixture = try Fixture(["ann", "bob", "zoe"])
    fixture.observe(section: "B")
    #expect(fixture.recorder.all == ["B initial"])
    try fixture.rename([0: "zara"])
    try fixture.rename([2: "bert"])
    #expect(fixture.last() == "B - +0:0 ~ s-[] s+[]")
    try fixture.rename([1: "carl", 2: "carla"])
    #expect(fixture.last() == "B - + ~ s-[0] s+[]")
    try fixture.rename([0: "zoran"])
    try fixture.write { realm in realm.add(Person(id: 20, name: "ben")) }
    #expect(fixture.last() == "B - +0:0 ~ s-[] s+[0]")
    #expect(fixture.recorder.all.count == 4)
  }

  @Test("S-60 key paths choose among modifications; a change of the key or the place is always told")
  func keyPaths() throws {
    let fixture = try Fixture(["apple", "zoo"])
    fixture.observe(keyPaths: ["active"])
    try fixture.write { realm in
      let apple = realm.object(ofType: Person.self, forPrimaryKey: 0)
      apple?.name = "apple"
      apple?.age = 4
    }
    try fixture.rename([0: "box"])
    #expect(fixture.last() == "- +0:0 ~ s-[0] s+[0]")
    try fixture.write { realm in realm.object(ofType: Person.self, forPrimaryKey: 1)?.active = false }
    #expect(fixture.last() == "- + ~1:0 s-[] s+[]")
    #expect(fixture.recorder.all.count == 3)
  }

  @Test("S-41 on an actor") func onActor() async throws {
    let configuration = temporaryConfiguration()
    let keeper = Keeper()
    try await keeper.open(configuration)
    try await keeper.add(1, "ann")
    let recorder = Recorder()
    try await keeper.observeSections(recorder)
    for _ in 0..<5_000 where recorder.all.count < 1 { try await Task.sleep(for: .milliseconds(1)) }
    try await keeper.add(2, "bob")
    for _ in 0..<5_000 where recorder.all.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(recorder.all == ["initial", "- +1:0 ~ s-[] s+[1]"])
    await keeper.close()
  }

  /// Applies each change set to what was reported before, and compares with sections computed by hand.
  @Test("S-42 to S-46 random writes: each change leads from the old sections to the new ones", arguments: 0..<3)
  func random(kind: Int) throws {
    var random = SeededRandom.forTest()
    let realm = try makeRealm()
    var living: [Int] = []
    var next = 0
    let people = realm.objects(Person.self)
    let key = { @Sendable (person: Person) in person.name.isEmpty ? "" : String(person.name.prefix(1)) }
    // By the key's property, by another one, and with ties.
    let sections = people.sectioned(by: key, sortDescriptors: [["name"], ["age"], ["age", "name"]][kind])
    let model = SectionModel(sections)
    for _ in 0..<400 {
      model.remember()
      let before = realm.freeze()
      try realm.write {
        for _ in 0..<random.int(1...4) {
          switch random.int(0...3) {
          case 0:
            realm.add(Person(id: next, name: random.pick(["a", "ab", "b", "bc", "c", "d"]), age: random.int(0...5)))
            living.append(next)
            next += 1
          case 1 where living.count > 4:
            let id = living.remove(at: random.int(0..<living.count))
            if let person = realm.object(ofType: Person.self, forPrimaryKey: id) { realm.delete(person) }
          default:
            guard !living.isEmpty else { continue }
            let person = realm.object(ofType: Person.self, forPrimaryKey: random.pick(living))
            if random.int(0...1) == 0 {
              person?.age = random.int(0...5)
            } else {
              person?.name = random.pick(["a", "b", "c"])
            }
          }
        }
      }
      try model.check(from: before)
    }
  }
}

extension Keeper {
  func observeSections(_ recorder: Recorder) async throws {
    let sections = try realm.objects(Person.self).sectioned(by: \.initial)
    keep(
      await sections.observe(on: self) { _, change in
        switch change {
        case .initial: recorder.add("initial")
        case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted):
          recorder.add(
            "-\(deletions.map(\.item)) +\(insertions.map { "\($0.section):\($0.item)" }.joined()) ~\(modifications.map(\.item)) "
              .replacingOccurrences(of: "[]", with: "") + "s-\(Array(deleted)) s+\(Array(inserted))")
        }
      })
  }
}
