import Foundation
import Testing

@testable import Larder
@testable import LarderStorage

/// Writes that change nothing.
@Suite("Writes that change nothing", .timeLimit(.minutes(30))) struct UnchangedWriteTests {
  private static let types: [ObjectBase.Type] = [Person.self, Dog.self, Address.self, Room.self]

  private func version(_ realm: Realm) throws -> UInt64 { try realm.core.store.newestVersion }

  @Test(
    "F-62: an empty write and one of equal values make no version; the Realm's observers are notified of both (N-50)")
  func noVersion() throws {
    try onQueue(Self.types) { realm in
      let person = Person(id: 1)
      person.name = "Ada"
      try realm.write { realm.add(person) }
      var told = 0
      let token = realm.observe { _, _ in told += 1 }
      let before = try version(realm)
      try realm.write {}
      #expect(told == 1)
      try realm.write {
        person.name = "Ada"
        person.age = person.age
      }
      #expect(told == 2)
      #expect(try version(realm) == before)
      #expect(person.name == "Ada" && !person.isInvalidated)
      try realm.write { person.name = "Grace" }
      #expect(try version(realm) == before + 1 && told == 3)
      #expect(person.name == "Grace")
      token.invalidate()
    }
  }

  @Test("F-62, N-14: with an observer an assignment of the same value is a modification")
  func observed() throws {
    try onQueue(Self.types) { realm in
      let person = Person(id: 1)
      try realm.write { realm.add(person) }
      var modifications: [[Int]] = []
      let token = realm.objects(Person.self).observe { change in
        if case .update(_, _, _, let modified) = change { modifications.append(modified) }
      }
      realm.refresh()
      let before = try version(realm)
      try realm.write { person.name = person.name }
      realm.refresh()
      #expect(modifications == [[0]])
      try realm.write {}
      realm.refresh()
      #expect(modifications == [[0]])
      #expect(try version(realm) == before)
      token.invalidate()
      try realm.write { person.name = person.name }
      #expect(try version(realm) == before)
    }
  }

  @Test("F-62, N-14: every kind of observer is notified of an assignment of the same value; without a version")
  func kinds() throws {
    try onQueue(Self.types) { realm in
      let person = Person(id: 1)
      let dog = Dog(name: "Rex")
      person.dogs.append(dog)
      try realm.write { realm.add(person) }
      var told: [String] = []
      func note<C>(_ name: String, _ change: RealmCollectionChange<C>) {
        if case .update(_, let deleted, let inserted, let modified) = change {
          told.append("\(name) \(deleted) \(inserted) \(modified)")
        }
      }
      let tokens: [NotificationToken] = [
        realm.objects(Dog.self).observe { note("dogs", $0) },
        realm.objects(Person.self).sorted(byKeyPath: "id").observe { note("people", $0) },
        realm.objects(Person.self).observe(keyPaths: ["dogs.name"]) { note("path", $0) },
        realm.objects(Person.self).observe(keyPaths: ["name"]) { note("other path", $0) },
        person.dogs.observe { note("list", $0) },
        dog.observe { (change: ObjectChange<Dog>) in
          if case .change(_, let properties) = change { told.append("dog \(properties.map(\.name))") }
        },
        person.observe(keyPaths: ["dogs.name"]) { (change: ObjectChange<Person>) in
          if case .change(_, let properties) = change { told.append("person \(properties.map(\.name))") }
        },
      ]
      realm.refresh()
      let before = try version(realm)
      for _ in 0..<3 {
        told = []
        try realm.write { dog.name = "Rex" }
        realm.refresh()
        #expect(
          told.sorted() == [
            "dog [\"name\"]", "dogs [] [] [0]", "list [] [] [0]", "path [] [] [0]", "people [] [] [0]",
            "person [\"dogs\"]",
          ])
      }
      // Between versions, each of which is reported before the next write begins.
      told = []
      try realm.write { realm.create(Dog.self, value: ["name": "Ace"]) }
      try realm.write { dog.name = "Rex" }
      try realm.write { realm.create(Dog.self, value: ["name": "Max"]) }
      realm.refresh()
      #expect(told.filter { $0.hasPrefix("dogs") } == ["dogs [] [1] []", "dogs [] [] [0]", "dogs [] [2] []"])
      // Who is left out is not told, then or later.
      told = []
      try realm.write(withoutNotifying: Array(tokens.prefix(2))) { dog.name = "Rex" }
      realm.refresh()
      #expect(!told.contains { $0.hasPrefix("dogs") || $0.hasPrefix("people") } && told.count == 4)
      try realm.write { dog.name = "Rex" }
      realm.refresh()
      #expect(told.filter { $0.hasPrefix("dogs") } == ["dogs [] [] [0]"])
      #expect(try version(realm) == before + 2)
      tokens.forEach { $0.invalidate() }
    }
  }

  @Test(
    "F-62, N-14: another Realm of the process is notified, at an older version too, and an observer that comes later is not"
  )
  func otherRealms() throws {
    let configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: Self.types)
    let (first, second) = (DispatchQueue(label: "first"), DispatchQueue(label: "second"))
    let reader = try second.sync { try Realm(configuration: configuration, queue: second) }
    let writer = try first.sync { try Realm(configuration: configuration, queue: first) }
    try first.sync { try writer.write { writer.add(Person(id: 1)) } }
    var told: [[Int]] = []
    var late: [[Int]] = []
    func observe(_ note: @escaping ([Int]) -> Void) -> NotificationToken {
      reader.objects(Person.self).observe { change in
        if case .update(_, _, _, let modified) = change { note(modified) }
      }
    }
    let before = try version(writer)
    _ = second.sync { reader.refresh() }
    var tokens = [second.sync { observe { told.append($0) } }]
    _ = second.sync { reader.refresh() }
    let assign = {
      try first.sync {
        try writer.write { writer.objects(Person.self).first?.name = writer.objects(Person.self).first?.name ?? "" }
      }
    }
    try second.sync {
      // What happens before it is read is reported at once.
      for _ in 0..<5 { try assign() }
      try first.sync { try writer.write { writer.add(Person(id: 2)) } }
      for _ in 0..<5 { try assign() }
      #expect(told.isEmpty && reader.refresh() && told == [[0]])
      #expect(!reader.refresh() && told == [[0]])
      tokens.append(observe { late.append($0) })
      reader.refresh()
      #expect(late.isEmpty)
      try assign()
      #expect(reader.refresh() && told == [[0], [0]] && late == [[0]])
    }
    // By itself, too.
    try assign()
    let done = Date.now + 20
    while second.sync(execute: { told.count }) < 3, Date.now < done {}
    second.sync { #expect(told.count == 3 && late.count == 2) }
    #expect(try version(writer) == before + 1)
    second.sync { tokens.forEach { $0.invalidate() } }
  }

  @Test("F-62: a cancelled write before one without changes, and objects made after it")
  func afterCancelling() throws {
    try onQueue(Self.types) { realm in
      realm.beginWrite()
      let dropped = realm.create(Person.self, value: ["id": 5])
      realm.cancelWrite()
      try realm.write {}
      #expect(dropped.isInvalidated)
      try realm.write { realm.add(Person(id: 6)) }
      #expect(realm.objects(Person.self).map(\.id) == [6])
      #expect(dropped.isInvalidated)
    }
  }
}
