import Dispatch
import Foundation
import LarderLocks
import Testing

@testable import Larder

/// The changes that an observer saw, collected across threads.
final class Recorder: Sendable {
  private let lines = Lock<[String]>([])
  private let signal = DispatchSemaphore(value: 0)

  func add(_ line: String) {
    lines.withLock { $0.append(line) }
    signal.signal()
  }

  /// The next line; fails the test when none comes.
  func wait() -> Bool { signal.wait(timeout: .now() + 10) == .success }
  var all: [String] { lines.withLock { $0 } }
}

@Suite struct ObservationTests {
  @Test("N-1, N-10 and N-61 a queue gets the initial state, then positions of what changed")
  func collection() throws {
    let configuration = temporaryConfiguration()
    let realm = try Realm(configuration: configuration)
    try realm.write { for id in 0..<5 { realm.add(Person(id: id, age: id)) } }
    let recorder = Recorder()
    let queue = DispatchQueue(label: "observer")
    let token = realm.objects(Person.self).filter("age < 10").observe(on: queue) { change in
      switch change {
      case .initial(let people): recorder.add("initial \(people.count)")
      case .update(let people, let deletions, let insertions, let modifications):
        recorder.add("update \(people.count) \(deletions) \(insertions) \(modifications)")
      case .error(let error): recorder.add("\(error)")
      }
    }
    #expect(recorder.wait())
    try realm.write {
      realm.add(Person(id: 9, age: 1))
      realm.objects(Person.self)[1].age = 20
      realm.objects(Person.self)[3].name = "x"
    }
    #expect(recorder.wait())
    #expect(recorder.all == ["initial 5", "update 5 [1] [4] [3]"])
    #expect(token.invalidate())
    #expect(!token.invalidate())
  }

  @Test("N-3 what is pending is delivered inside of beginWrite, before the block runs")
  func beforeWriting() throws {
    let configuration = temporaryConfiguration()
    let recorder = Recorder()
    let queue = DispatchQueue(label: "owner")
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      let token = realm.objects(Person.self).observe { change in
        if case .initial(let people) = change { recorder.add("initial \(people.count)") }
        if case .update(let people, _, let insertions, _) = change {
          recorder.add("update \(people.count) \(insertions)")
        }
      }
      try realm.write {
        recorder.add("block")
        realm.add(Person(id: 1))
      }
      #expect(recorder.all == ["initial 0", "block"])
      try realm.write { recorder.add("second") }
      #expect(recorder.all == ["initial 0", "block", "update 1 [0]", "second"])
      token.invalidate()
    }
  }

  @Test("N-18 lists tell positions; N-40 objects tell properties and deletion")
  func listsAndObjects() throws {
    let configuration = temporaryConfiguration()
    let realm = try Realm(configuration: configuration)
    let person = Person(id: 1)
    try realm.write {
      realm.add(person)
      person.dogs.append(objectsIn: [Dog(name: "a"), Dog(name: "b")])
    }
    let lists = Recorder()
    let objects = Recorder()
    let queue = DispatchQueue(label: "observer")
    let tokens = [
      person.dogs.observe(on: queue) { change in
        if case .initial(let dogs) = change { lists.add("initial \(dogs.count)") }
        if case .update(let dogs, let deletions, let insertions, let modifications) = change {
          lists.add("update \(dogs.isInvalidated ? -1 : dogs.count) \(deletions) \(insertions) \(modifications)")
        }
      },
      person.observe(on: queue) { (change: ObjectChange<Person>) in
        if case .change(let person, let properties) = change {
          let values = properties.map { property in
            let new = (property.newValue as? List<Dog>).map { "\($0.count) dogs" } ?? property.newValue ?? "-"
            return "\(property.name) \(property.oldValue ?? "-") \(new)"
          }
          objects.add("\(person.id) \(values)")
        }
        if case .deleted = change { objects.add("deleted") }
      },
    ]
    #expect(lists.wait())
    queue.sync {}
    try realm.write {
      person.age = 7
      person.dogs.insert(Dog(name: "c"), at: 0)
      person.dogs.remove(at: 2)
    }
    #expect(lists.wait() && objects.wait())
    try realm.write { realm.delete(person) }
    #expect(objects.wait())
    #expect(lists.all.prefix(2) == ["initial 2", "update 2 [1] [0] []"])
    #expect(objects.all == ["1 [\"age 0 7\", \"dogs - 2 dogs\"]", "deleted"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("N-50 a Realm tells its own commits at once")
  func realmItself() throws {
    let queue = DispatchQueue(label: "owner")
    let recorder = Recorder()
    try queue.sync {
      let realm = try Realm(configuration: temporaryConfiguration(), queue: queue)
      let token = realm.observe { notification, _ in recorder.add(notification.rawValue) }
      try realm.write { realm.add(Person(id: 1)) }
      #expect(recorder.all == ["RLMRealmDidChangeNotification"])
      token.invalidate()
      try realm.write {}
      #expect(recorder.all.count == 1)
    }
  }
}
