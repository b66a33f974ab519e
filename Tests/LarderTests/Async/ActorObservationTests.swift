import Dispatch
import Foundation
import Testing

@testable import Larder

extension Keeper {
  func observePeople(_ recorder: Recorder) async throws {
    keep(
      await (try realm).objects(Person.self).filter("age < 10").observe(on: self) { keeper, change in
        switch change {
        case .initial(let people): recorder.add("initial \(people.count)")
        case .update(let people, let deletions, let insertions, let modifications):
          recorder.add(
            "\(people.count) -\(deletions) +\(insertions) ~\(modifications) \((try? keeper.ids().count) ?? 0)")
        case .error(let error): recorder.add("\(error)")
        }
      })
  }

  func observePerson(_ id: Int, _ recorder: Recorder) async throws {
    let person = try #require(try realm.object(ofType: Person.self, forPrimaryKey: id))
    keep(
      await person.observe(keyPaths: ["name"], on: self) { (_, change: ObjectChange<Person>) in
        switch change {
        case .change(let person, let properties): recorder.add("\(person.name) \(properties.map(\.name))")
        case .deleted: recorder.add("deleted")
        case .error: recorder.add("error")
        }
      })
  }

  func observeDogs(of id: Int, _ recorder: Recorder) async throws {
    let person = try #require(try realm.object(ofType: Person.self, forPrimaryKey: id))
    keep(
      await person.dogs.observe(on: self) { _, change in
        if case .initial(let dogs) = change { recorder.add("initial \(dogs.count)") }
        if case .update(let dogs, _, let insertions, _) = change {
          recorder.add("\(dogs.isInvalidated ? 0 : dogs.count) +\(insertions)")
        }
      })
  }

  /// Lets the actor do nothing else for a while.
  func block(_ begun: DispatchSemaphore, until done: DispatchSemaphore) {
    begun.signal()
    done.wait()
  }

  func keep(_ token: UncheckedBox<NotificationToken>) { keep(token.value) }

  func update(_ body: @Sendable (Realm) -> Void) async throws {
    let realm = try realm
    try await realm.asyncWrite { body(realm) }
  }

  func collect(_ count: Int, _ recorder: Recorder) async throws {
    var seen = 0
    for await change in try realm.objects(Person.self).sorted(byKeyPath: "age").changes {
      switch change {
      case .initial(let people): recorder.add("initial \(Array(people.map(\.age)))")
      case .update(let people, let deletions, let insertions, let modifications):
        recorder.add("\(Array(people.map(\.age))) -\(deletions) +\(insertions) ~\(modifications) \(people.isFrozen)")
      case .error(let error): recorder.add("\(error)")
      }
      seen += 1
      if seen == count { return }
    }
    recorder.add("ended")
  }
}

/// Covers N-62, U-18 and the sequences of changes.
@Suite("Observing from actors and tasks", .timeLimit(.minutes(30))) struct ActorObservationTests {
  private func wait(_ recorder: Recorder, _ count: Int) async throws {
    for _ in 0..<10_000 where recorder.all.count < count { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test("N-62 an actor is called isolated, with a collection of its own, after its own and others' commits")
  func collection() async throws {
    let configuration = temporaryConfiguration()
    let keeper = Keeper()
    try await keeper.open(configuration)
    try await keeper.add(1)
    let recorder = Recorder()
    try await keeper.observePeople(recorder)
    try await wait(recorder, 1)
    try await keeper.add(2)
    try await wait(recorder, 2)
    let other = try Keeper.write(configuration, 3)
    try await wait(recorder, 3)
    #expect(recorder.all == ["initial 1", "2 -[] +[1] ~[] 2", "3 -[] +[2] ~[] 3"])
    withExtendedLifetime(other) {}
    await keeper.close()
  }

  @Test("N-62 objects and lists on an actor") func objects() async throws {
    let keeper = Keeper()
    try await keeper.open(temporaryConfiguration())
    try await keeper.add(1, "A")
    let (persons, dogs) = (Recorder(), Recorder())
    try await keeper.observePerson(1, persons)
    try await keeper.observeDogs(of: 1, dogs)
    try await wait(dogs, 1)
    try await keeper.update { $0.object(ofType: Person.self, forPrimaryKey: 1)?.dogs.append(Dog(name: "Rex")) }
    try await wait(dogs, 2)
    try await keeper.update { $0.object(ofType: Person.self, forPrimaryKey: 1)?.name = "B" }
    try await wait(persons, 1)
    try await keeper.update { realm in realm.delete(realm.objects(Person.self)) }
    try await wait(persons, 2)
    #expect(persons.all == ["B [\"name\"]", "deleted"])
    #expect(dogs.all.prefix(2) == ["initial 0", "1 +[0]"])
    await keeper.close()
  }

  @Test(
    "N-62, N-40 what happens to an object between the call and its registration on a busy actor is reported",
    .serialized, arguments: [true, false])
  func meanwhile(isDeleted: Bool) async throws {
    let configuration = temporaryConfiguration()
    let keeper = Keeper()
    try await keeper.open(configuration)
    try await keeper.add(1, "A")
    let recorder = Recorder()
    let queue = DispatchQueue(label: "elsewhere")
    let begun = DispatchSemaphore(value: 0)
    let changed = DispatchSemaphore(value: 0)
    let token = Task { @MainActor in
      let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
      let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
      // From here on nothing needs a thread that the actor might block.
      Task { await keeper.block(begun, until: changed) }
      await Self.wait(for: begun)
      // Registration waits for the actor, which waits for this.
      queue.async {
        do {
          let realm = try Realm(configuration: configuration, queue: queue)
          try realm.write {
            let person = realm.object(ofType: Person.self, forPrimaryKey: 1)
            if isDeleted { realm.delete(person.map { [$0] } ?? []) } else { person?.name = "B" }
          }
        } catch { Issue.record(error) }
        changed.signal()
      }
      return UncheckedBox(
        await person.observe(on: keeper) { (_, change: ObjectChange<Person>) in
          switch change {
          case .change(let person, let properties): recorder.add("\(person.name) \(properties.map(\.name))")
          case .deleted: recorder.add("deleted")
          case .error: recorder.add("error")
          }
        })
    }
    await keeper.keep(try await token.value)
    try await wait(recorder, 1)
    #expect(recorder.all == [isDeleted ? "deleted" : "B [\"name\"]"])
    await keeper.close()
  }

  private static func wait(for semaphore: DispatchSemaphore) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        semaphore.wait()
        continuation.resume()
      }
    }
  }

  @Test("N-63 an actor goes with its Realm and its observers: nothing keeps it")
  func release() async throws {
    weak var gone: Keeper?
    do {
      let keeper = Keeper()
      gone = keeper
      try await keeper.open(temporaryConfiguration())
      let recorder = Recorder()
      try await keeper.observePeople(recorder)
      try await wait(recorder, 1)
    }
    for _ in 0..<5_000 where gone != nil { try await Task.sleep(for: .milliseconds(1)) }
    #expect(gone == nil)
  }

  @Test(
    "N-2, N-7, N-10 a loop over changes: frozen contents, positions that fit them, and one change for what it missed")
  func sequence() async throws {
    let configuration = temporaryConfiguration()
    let keeper = Keeper()
    try await keeper.open(configuration)
    let recorder = Recorder()
    let loop = Task { try await keeper.collect(3, recorder) }
    try await wait(recorder, 1)
    let writer = Keeper()
    try await writer.open(configuration)
    try await writer.update { $0.add(Person(id: 1, age: 5)) }
    try await wait(recorder, 2)
    try await writer.update { $0.add(Person(id: 2, age: 3)) }
    try await loop.value
    #expect(recorder.all == ["initial []", "[5] -[] +[0] ~[] true", "[3, 5] -[] +[0] ~[] true"])
  }

  @Test("U-18 a slow loop hears of everything it missed at once")
  func slow() async throws {
    let configuration = temporaryConfiguration()
    let realm = try Realm(configuration: configuration, queue: nil)
    try realm.write { realm.add(Person(id: 0)) }
    let changes = UncheckedBox(realm.objects(Person.self).changes)
    var iterator = changes.value.makeAsyncIterator()
    guard case .initial(let first)? = await iterator.next(), first.count == 1 else {
      throw CocoaError(.featureUnsupported)
    }
    let many = try Keeper.writeMany(configuration, 50)
    var total = 1
    var calls = 0
    while total < 51, case .update(let people, _, let insertions, _)? = await iterator.next() {
      total += insertions.count
      calls += 1
      #expect(people.count == total)
    }
    #expect(total == 51 && calls < 50)
    withExtendedLifetime(many) {}
  }

  @Test("U-18 a loop over changes ends with its task") func cancelled() async throws {
    let keeper = Keeper()
    try await keeper.open(temporaryConfiguration())
    let recorder = Recorder()
    let loop = Task { try await keeper.collect(.max, recorder) }
    try await wait(recorder, 1)
    loop.cancel()
    try await loop.value
    #expect(recorder.all == ["initial []", "ended"])
  }

  @Test("N-40, N-42 a loop over an object's changes ends with the object") func object() async throws {
    let configuration = temporaryConfiguration()
    let keeper = Keeper()
    try await keeper.open(configuration)
    try await keeper.add(1, "A")
    let recorder = Recorder()
    let loop = Task { try await keeper.follow(1, recorder) }
    try await wait(recorder, 1)
    try await keeper.update { $0.object(ofType: Person.self, forPrimaryKey: 1)?.name = "B" }
    try await wait(recorder, 2)
    try await keeper.update { realm in realm.delete(realm.objects(Person.self)) }
    try await loop.value
    #expect(recorder.all == ["began", "name A B", "deleted", "ended"])
  }
}

extension Keeper {
  func follow(_ id: Int, _ recorder: Recorder) async throws {
    let person = try #require(try realm.object(ofType: Person.self, forPrimaryKey: id))
    let changes = person.changes
    recorder.add("began")
    for await change in changes {
      switch change {
      case .change(_, let properties):
        recorder.add(properties.map { "\($0.name) \($0.oldValue ?? "-") \($0.newValue ?? "-")" }.joined())
      case .deleted: recorder.add("deleted")
      case .error: recorder.add("error")
      }
    }
    recorder.add("ended")
  }

  static func writeMany(_ configuration: Realm.Configuration, _ count: Int) throws -> UncheckedBox<Realm> {
    let realm = try Realm(configuration: configuration)
    for id in 1...count { try realm.write { realm.add(Person(id: id)) } }
    return UncheckedBox(realm)
  }
}
