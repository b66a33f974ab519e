import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Larder

/// Covers N-11, N-13, N-17 to N-20, N-31 to N-37, N-51, N-52, N-60, N-64 and N-66 on a Realm of a serial queue.
@Suite("Rules of observers", .timeLimit(.minutes(30))) struct ObservationRulesTests {
  private final class Fixture: @unchecked Sendable {
    // Unchecked: the Realm is used on its queue.
    let queue = DispatchQueue(label: "owner")
    let configuration = temporaryConfiguration()
    let recorder = Recorder()
    let realm: Realm
    var tokens: [NotificationToken] = []

    init(people: Int = 3) throws {
      let (queue, configuration) = (queue, configuration)
      realm = try queue.sync {
        let realm = try Realm(configuration: configuration, queue: queue)
        try realm.write { for id in 0..<people { realm.add(Person(id: id, name: "p\(id)", age: id)) } }
        return realm
      }
    }

    func person(_ id: Int) -> Person? { realm.object(ofType: Person.self, forPrimaryKey: id) }

    /// Observes; returns once the first call was made.
    func observe<C: RealmCollection>(
      _ name: String = "", keyPaths: [String]? = nil, _ collection: (Realm) throws -> C
    ) rethrows {
      let token = UncheckedBox(
        try queue.sync {
          try collection(realm).observe(keyPaths: keyPaths, on: nil) { [recorder] change in
            switch change {
            case .initial: recorder.add(name + "initial")
            case .update(_, let deletions, let insertions, let modifications):
              recorder.add(name + "-\(deletions) +\(insertions) ~\(modifications)")
            case .error(let error): recorder.add("\(error)")
            }
          }
        })
      tokens.append(token.value)
      _ = recorder.wait()
    }

    func write(_ body: (Realm) throws -> Void) throws {
      try queue.sync { try realm.write { try body(realm) } }
    }

    func last() -> String { recorder.wait() ? recorder.all.last ?? "" : "nothing" }

    /// Writes, and what was reported of it.
    func told(_ body: (Realm) throws -> Void) throws -> String {
      try write(body)
      return last()
    }

    /// Returns what is reported of a write that may not be reported, and of one after it that is reported for certain.
    func toldOfMark(after body: (Realm) throws -> Void) throws -> [String] {
      let before = recorder.all.count
      try write(body)
      queue.sync {}
      try write { realm in realm.add(Person(id: 999, name: "zzz", age: 999)) }
      _ = recorder.wait()
      while recorder.all.count == before { Thread.sleep(forTimeInterval: 0.001) }
      queue.sync {}
      return Array(recorder.all[before...])
    }
  }

  @Test("N-11, N-12, N-13 sorted: a moved element is a deletion and an insertion, and no modification")
  func moves() throws {
    let fixture = try Fixture()
    fixture.observe { $0.objects(Person.self).filter("age < 10").sorted(byKeyPath: "age") }
    #expect(try fixture.told { _ in fixture.person(0)?.age = 5 } == "-[0] +[2] ~[]")
    #expect(try fixture.told { _ in fixture.person(0)?.age = 6 } == "-[] +[] ~[2]")
    #expect(try fixture.told { _ in fixture.person(0)?.age = 60 } == "-[2] +[] ~[]")
    #expect(try fixture.told { _ in fixture.person(0)?.age = 0 } == "-[] +[0] ~[]")
  }

  @Test("N-17 results of a list follow the list; R-14 they are empty, and told so, when its owner goes")
  func ofList() throws {
    let fixture = try Fixture()
    try fixture.write { _ in fixture.person(0)?.dogs.append(objectsIn: [Dog(name: "a"), Dog(name: "b")]) }
    fixture.observe { _ in
      fixture.person(0)!.dogs.filter("name != 'x'")
    }
    #expect(try fixture.told { _ in fixture.person(0)?.dogs.append(Dog(name: "c")) } == "-[] +[2] ~[]")
    #expect(try fixture.told { _ in fixture.person(0)?.dogs.remove(at: 0) } == "-[0] +[] ~[]")
    #expect(
      try fixture.told { realm in if let person = fixture.person(0) { realm.delete(person) } } == "-[0, 1] +[] ~[]")
  }

  @Test("N-18, N-19 lists tell operations: set, move, removing all and appending again")
  func lists() throws {
    let fixture = try Fixture()
    let dog = UncheckedBox(Dog(name: "tags"))
    try fixture.write { realm in
      realm.add(dog.value)
      dog.value.tags.append(objectsIn: ["a", "b", "c"])
    }
    fixture.observe { _ in dog.value.tags }
    #expect(try fixture.told { _ in dog.value.tags[1] = "b" } == "-[] +[] ~[1]")
    #expect(try fixture.told { _ in dog.value.tags.move(from: 0, to: 2) } == "-[0] +[2] ~[]")
    #expect(try fixture.told { _ in dog.value.tags.swapAt(0, 2) } != "")
    #expect(
      try fixture.told { _ in
        let tags = Array(dog.value.tags)
        dog.value.tags.removeAll()
        dog.value.tags.append(objectsIn: tags)
      } == "-[0, 1, 2] +[0, 1, 2] ~[]")
  }

  @Test("N-20 the owner's end is reported once, with all positions; nothing when there was nothing")
  func owner() throws {
    let fixture = try Fixture()
    try fixture.write { _ in fixture.person(0)?.dogs.append(Dog(name: "a")) }
    fixture.observe("full ") { _ in fixture.person(0)!.dogs }
    fixture.observe("empty ") { _ in fixture.person(1)!.dogs }
    #expect(try fixture.told { realm in realm.delete(realm.objects(Person.self)) } == "full -[0] +[] ~[]")
    try fixture.write { realm in realm.add(Dog(name: "b")) }
    fixture.queue.sync {}
    #expect(fixture.recorder.all == ["full initial", "empty initial", "full -[0] +[] ~[]"])
  }

  @Test("N-1, N-2 values of a list in order, or each once, tell positions of that order")
  func values() throws {
    let fixture = try Fixture()
    let dog = UncheckedBox(Dog(name: "tags"))
    try fixture.write { realm in
      realm.add(dog.value)
      dog.value.tags.append(objectsIn: ["c", "a", "c"])
    }
    fixture.observe { _ in dog.value.tags.sorted() }
    #expect(try fixture.told { _ in dog.value.tags.append("b") } == "-[] +[1] ~[]")
    #expect(try fixture.told { _ in dog.value.tags.remove(at: 0) } != "")
    fixture.tokens = []
    fixture.observe { _ in dog.value.tags.sorted().distinct() }
    try fixture.write { _ in dog.value.tags.append("b") }
    #expect(try fixture.told { _ in dog.value.tags.append("d") } == "-[] +[3] ~[]")
  }

  @Test("N-31, N-32 paths name exactly what is followed, however far")
  func paths() throws {
    let fixture = try Fixture(people: 6)
    try fixture.write { _ in for id in 0..<5 { fixture.person(id)?.best = fixture.person(id + 1) } }
    fixture.observe(keyPaths: ["best.best.best.best.best.name"]) {
      $0.objects(Person.self).filter("id == 0 OR id == 999")
    }
    #expect(try fixture.told { _ in fixture.person(5)?.name = "far" } == "-[] +[] ~[0]")
    #expect(try fixture.toldOfMark { _ in fixture.person(5)?.age = 9 } == ["-[] +[1] ~[]"])
  }

  @Test("N-31 a list's path: its membership, not what is inside; with a property after it, that too")
  func listPaths() throws {
    let fixture = try Fixture()
    try fixture.write { _ in fixture.person(0)?.dogs.append(Dog(name: "a")) }
    fixture.observe(keyPaths: ["dogs"]) { $0.objects(Person.self) }
    #expect(try fixture.told { _ in fixture.person(0)?.dogs.append(Dog(name: "b")) } == "-[] +[] ~[0]")
    #expect(try fixture.toldOfMark { realm in realm.objects(Dog.self)[0].name = "c" } == ["-[] +[3] ~[]"])
    fixture.tokens = []
    fixture.observe(keyPaths: ["dogs.name"]) { $0.objects(Person.self) }
    #expect(try fixture.told { realm in realm.objects(Dog.self)[0].name = "d" } == "-[] +[] ~[0]")
  }

  @Test("N-35, U-17 a star means every property; after one that links to nothing it leads nowhere")
  func stars() throws {
    let fixture = try Fixture()
    try fixture.write { _ in fixture.person(1)?.dogs.append(Dog(name: "a")) }
    fixture.observe(keyPaths: ["*"]) { $0.objects(Person.self) }
    #expect(try fixture.told { _ in fixture.person(0)?.email = "e" } == "-[] +[] ~[0]")
    #expect(try fixture.toldOfMark { realm in realm.objects(Dog.self)[0].name = "c" } == ["-[] +[3] ~[]"])
    fixture.tokens = []
    fixture.observe(keyPaths: ["*.*"]) { $0.objects(Person.self) }
    #expect(try fixture.told { realm in realm.objects(Dog.self)[0].name = "d" } == "-[] +[] ~[1]")
  }

  @Test("N-36, N-37 each observer has its own filter; a move by a sort is reported whatever the filter")
  func filters() throws {
    let fixture = try Fixture()
    fixture.observe("name ", keyPaths: ["name"]) { $0.objects(Person.self).sorted(byKeyPath: "age") }
    fixture.observe("active ", keyPaths: ["active"]) { $0.objects(Person.self).sorted(byKeyPath: "age") }
    #expect(try fixture.told { _ in fixture.person(1)?.active = false } == "active -[] +[] ~[1]")
    try fixture.write { _ in fixture.person(0)?.age = 9 }
    _ = (fixture.recorder.wait(), fixture.recorder.wait())
    #expect(fixture.recorder.all.suffix(2) == ["name -[0] +[2] ~[]", "active -[0] +[2] ~[]"])
  }

  @Test("N-51, N-52 the Realm is notified first, then observers in order of registration, who see the new version")
  func order() throws {
    let fixture = try Fixture()
    for name in ["first ", "second "] { fixture.observe(name) { $0.objects(Person.self) } }
    let token = UncheckedBox(
      fixture.queue.sync {
        fixture.realm.observe { notification, realm in
          fixture.recorder.add("realm \(realm.objects(Person.self).count)")
        }
      })
    let realm = try Realm(configuration: fixture.configuration)
    try realm.write { realm.add(Person(id: 50)) }
    _ = (fixture.recorder.wait(), fixture.recorder.wait(), fixture.recorder.wait())
    #expect(fixture.recorder.all.suffix(3) == ["realm 4", "first -[] +[3] ~[]", "second -[] +[3] ~[]"])
    token.value.invalidate()
  }

  @Test("N-64 the observation keeps the collection; N-63 an ended one lets go of what its block holds")
  func keeping() throws {
    final class Held {}
    let fixture = try Fixture()
    weak var held: Held?
    let token = UncheckedBox(
      fixture.queue.sync {
        let object = Held()
        held = object
        return fixture.realm.objects(Person.self).observe { change in
          withExtendedLifetime(object) { fixture.recorder.add("called") }
        }
      })
    #expect(fixture.recorder.wait() && held != nil)
    token.value.invalidate()
    fixture.queue.sync {}
    #expect(held == nil)
  }

  @Test("U-3 versions in use are reported with age and holders")
  func liveVersions() throws {
    let realm = try makeRealm()
    try realm.write { realm.add(Person(id: 1)) }
    let frozen = realm.freeze()
    try realm.write { realm.add(Person(id: 2)) }
    let versions = realm.liveVersions
    #expect(versions.count == 2 && versions[0].version + 1 == versions[1].version)
    #expect(versions[0].holders.count == 1 && versions[0].holders[0].hasPrefix("a frozen Realm made on"))
    #expect(versions[1].holders[0].hasPrefix("the Realm of") && versions[0].age >= 0)
    withExtendedLifetime(frozen) {}
  }

  @Test("E-37 too many versions") func tooManyVersions() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var configuration = temporaryConfiguration()
      configuration.maximumNumberOfActiveVersions = 3
      let realm = try Realm(configuration: configuration, queue: nil)
      var frozen: [Realm] = []
      for id in 0..<10 {
        realm.beginWrite()
        realm.add(Person(id: id))
        try realm.commitWrite()
        frozen.append(realm.freeze())
      }
    }
    #expect(misuseText(result).contains("4 versions of") && misuseText(result).contains("a frozen Realm made on"))
  }

  @Test("N-34, E-124 a name that is no property") func unknownName() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      _ = realm.objects(Person.self).changes(keyPaths: ["dogs.nme"])
    }
    #expect(misuseText(result).contains("Dog has no property 'nme' to observe (in 'dogs.nme')"))
  }

  @Test("N-34 a name after something that is no link") func noLink() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      _ = realm.objects(Person.self).changes(keyPaths: ["name.age"])
    }
    #expect(misuseText(result).contains("Person.name holds no objects"))
  }

  @Test("N-60, E-120 frozen and unmanaged things") func frozen() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      _ = realm.objects(Person.self).freeze().observe { _ in }
    }
    #expect(misuseText(result).contains("Only live, managed things can be observed"))
    let other = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Person(id: 1).dogs.observe { _ in }
    }
    #expect(misuseText(other).contains("unmanaged list"))
  }

  @Test("N-60, E-121 a thread on which nothing delivers") func noRunLoop() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      elsewhere {
        let realm = try? makeRealm()
        _ = realm?.objects(Person.self).observe { _ in }
      }
    }
    #expect(misuseText(result).contains("pass a serial queue with on:"))
  }

  @Test("N-60, E-123 after the first change of a write") func insideWrite() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      realm.beginWrite()
      realm.add(Person(id: 1))
      _ = realm.objects(Person.self).observe(on: DispatchQueue(label: "q")) { _ in }
    }
    #expect(misuseText(result).contains("before the transaction changes anything"))
  }

  @Test("N-66, E-125 tokens of another Realm") func foreignToken() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      let other = try makeRealm()
      let token = other.objects(Person.self).observe(on: DispatchQueue(label: "q")) { _ in }
      try realm.write(withoutNotifying: [token]) { realm.add(Person(id: 1)) }
    }
    #expect(misuseText(result).contains("Tokens must belong to this Realm"))
  }
}
