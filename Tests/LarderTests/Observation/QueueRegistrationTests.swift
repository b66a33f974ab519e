import Dispatch
import Foundation
import Testing

@testable import Larder

/// Covers N-61: registering on a queue, whose Realm stands elsewhere than the one that the observed thing is of.
@Suite("Registering on a queue", .timeLimit(.minutes(30))) struct QueueRegistrationTests {
  /// A queue whose Realm stays at the version it was opened at.
  private final class Behind: @unchecked Sendable {
    // Unchecked: the Realm is used on its queue.
    let queue = DispatchQueue(label: "behind")
    let realm: Realm

    init(_ configuration: Realm.Configuration) throws {
      let queue = queue
      realm = try queue.sync {
        let realm = try Realm(configuration: configuration, queue: queue)
        realm.autorefresh = false
        _ = realm.objects(Person.self).count
        return realm
      }
    }
  }

  private static func text(_ change: ObjectChange<Person>) -> String {
    switch change {
    case .change(let person, let properties):
      "\(person.id) \(properties.map { "\($0.name) \($0.oldValue ?? "-") \($0.newValue ?? "-")" })"
    case .deleted: "deleted"
    case .error: "error"
    }
  }

  @Test("N-61 an object that the queue's Realm does not have yet is observed there") func object() throws {
    let configuration = temporaryConfiguration()
    let realm = try Realm(configuration: configuration)
    let behind = try Behind(configuration)
    let person = Person(id: 1)
    try realm.write { realm.add(person) }
    let recorder = Recorder()
    let token = person.observe(on: behind.queue) { recorder.add(Self.text($0)) }
    behind.queue.sync {}
    try realm.write { person.age = 7 }
    behind.queue.sync { _ = behind.realm.refresh() }
    #expect(recorder.all == ["1 [\"age 0 7\"]"])
    token.invalidate()
  }

  @Test("N-61 so are collections of every kind, in the state they had when they were observed, or a later one")
  func collections() throws {
    let types: [ObjectBase.Type] = [
      Person.self, Dog.self, Address.self, Room.self, Bag.self, Owner.self, Pet.self, Holder.self, Shelf.self,
    ]
    let configuration = temporaryConfiguration(types)
    let realm = try Realm(configuration: configuration)
    let behind = try Behind(configuration)
    let (person, bag) = (Person(id: 1), Bag())
    try realm.write {
      realm.add(person)
      person.dogs.append(objectsIn: [Dog(name: "a"), Dog(name: "b")])
      realm.add(bag)
      bag.ints.insert(objectsIn: [1, 2, 3])
      bag.counts["x"] = 1
    }
    let recorder = Recorder()
    func observe<C: RealmCollection>(_ name: String, _ collection: C) -> NotificationToken {
      collection.observe(on: behind.queue) { change in
        if case .initial(let found) = change { recorder.add("\(name) \(found.count)") }
      }
    }
    let tokens = [
      observe("list", person.dogs), observe("results", realm.objects(Person.self)),
      observe("of a list", person.dogs.sorted(byKeyPath: "name")), observe("set", bag.ints),
      observe("erased", AnyRealmCollection(person.dogs)),
      bag.counts.observe(on: behind.queue) { change in
        if case .initial(let found) = change { recorder.add("map \(found.count)") }
      },
      person.dogs.sectioned(by: \.name).observe(on: behind.queue) { change in
        if case .initial(let found) = change { recorder.add("sections \(found.count)") }
      },
    ]
    for _ in tokens { #expect(recorder.wait()) }
    #expect(
      Set(recorder.all) == ["list 2", "results 1", "of a list 2", "set 3", "erased 2", "map 1", "sections 2"])
    for token in tokens { token.invalidate() }
  }

  @Test("N-61, N-40 what happens to an object before the queue gets to it is reported") func inBetween() throws {
    let configuration = temporaryConfiguration()
    let realm = try Realm(configuration: configuration)
    let (first, second) = (Person(id: 1), Person(id: 2))
    try realm.write { realm.add([first, second]) }
    let queue = DispatchQueue(label: "late")
    let recorder = Recorder()
    queue.suspend()
    let tokens = [first, second].map { person in person.observe(on: queue) { recorder.add(Self.text($0)) } }
    try realm.write {
      realm.delete(first)
      second.age = 7
    }
    queue.resume()
    #expect(recorder.wait() && recorder.wait())
    #expect(Set(recorder.all) == ["deleted", "2 [\"age 0 7\"]"])
    for token in tokens { token.invalidate() }
  }

  @Test(
    "N-61, N-2 the observer of a collection whose owner went before the queue got to it is notified once, of what it is then"
  )
  func ownerGone() throws {
    let configuration = temporaryConfiguration()
    let realm = try Realm(configuration: configuration)
    let person = Person(id: 1)
    try realm.write {
      realm.add(person)
      person.dogs.append(Dog(name: "a"))
    }
    let queue = DispatchQueue(label: "late")
    let recorder = Recorder()
    queue.suspend()
    let tokens = [
      person.dogs.observe(on: queue) { change in
        if case .initial(let dogs) = change { recorder.add("list \(dogs.isInvalidated)") }
      },
      person.dogs.filter("name != 'x'").observe(on: queue) { change in
        if case .initial(let dogs) = change { recorder.add("results \(dogs.count)") }
      },
      person.dogs.sectioned(by: \.name).observe(on: queue) { change in
        if case .initial(let sections) = change { recorder.add("sections \(sections.count)") }
      },
    ]
    try realm.write { realm.delete(person) }
    queue.resume()
    for _ in tokens { #expect(recorder.wait()) }
    #expect(Set(recorder.all) == ["list true", "results 0", "sections 0"])
    for token in tokens { token.invalidate() }
  }
}
