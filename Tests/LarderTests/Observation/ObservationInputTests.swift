import Dispatch
import Foundation
@testable import LarderObservation
import LarderLocks
import LarderStorage
import TestSupport
import Testing

@testable import Larder

/// Tests of where observing is refused, and of callbacks that do what they like: nothing is lost, nothing is reported twice.
///
/// Covers N-53, N-60, N-63, N-65, E-39 and E-120 to E-128.
@Suite("Odd observers", .timeLimit(.minutes(30))) struct ObservationInputTests {
  private static let types: [ObjectBase.Type] = [Person.self, Dog.self, Address.self, Room.self]

  private func text<C>(_ change: RealmCollectionChange<C>) -> String {
    switch change {
    case .initial: "initial"
    case .update(_, let deletions, let insertions, let modifications): "-\(deletions) +\(insertions) ~\(modifications)"
    case .error(let error): "\(error)"
    }
  }

  @Test("N-53 a handler of a Realm that writes is not called again from inside of its call") func noReentry() throws {
    try onQueue(Self.types) { realm in
      var depth = 0
      var calls = 0
      let token = realm.observe { _, realm in
        depth += 1
        calls += 1
        #expect(depth == 1)
        // Without the rule this would never end.
        try? realm.write { realm.add(Person(id: calls)) }
        depth -= 1
      }
      try realm.write { realm.add(Person(id: 100)) }
      #expect(calls == 1 && realm.objects(Person.self).count == 2)
      try realm.write { realm.add(Person(id: 101)) }
      #expect(calls == 2)
      token.invalidate()
    }
  }

  @Test("N-65 a callback that writes: each observer hears of each write once") func writing() throws {
    try onQueue(Self.types) { realm in
      var first: [String] = []
      var second: [String] = []
      let people = realm.objects(Person.self)
      let tokens = [
        people.observe { change in
          first.append(text(change))
          let count = realm.objects(Person.self).count
          if count < 4 { try? realm.write { realm.add(Person(id: count)) } }
        },
        people.observe { second.append(text($0)) },
      ]
      realm.refresh()
      for _ in 0..<6 { try realm.write {} }
      let expected = ["initial", "-[] +[0] ~[]", "-[] +[1] ~[]", "-[] +[2] ~[]", "-[] +[3] ~[]"]
      #expect(first == expected && second == expected)
      for token in tokens { token.invalidate() }
    }
  }

  @Test("N-63 a callback that ends its own observation, and the next one's; N-65 one that begins another")
  func ending() throws {
    try onQueue(Self.types) { realm in
      let people = realm.objects(Person.self)
      var told: [String] = []
      var tokens: [NotificationToken] = []
      var late: NotificationToken?
      for number in 0..<3 {
        tokens.append(
          people.observe { change in
            told.append("\(number) \(text(change))")
            guard number == 0, case .update = change else { return }
            tokens[0].invalidate()
            tokens[1].invalidate()
            late = realm.objects(Person.self).observe { told.append("late \(text($0))") }
          })
      }
      realm.refresh()
      try realm.write { realm.add(Person(id: 1)) }
      try realm.write { realm.add(Person(id: 2)) }
      for _ in 0..<2 { try realm.write {} }
      #expect(
        told == [
          "0 initial", "1 initial", "2 initial", "0 -[] +[0] ~[]", "2 -[] +[0] ~[]", "2 -[] +[1] ~[]",
          "late initial",
        ])
      late?.invalidate()
      tokens[2].invalidate()
    }
  }

  @Test(
    "a callback that blocks: what is committed meanwhile is reported once, afterwards; N-67 and no other queue waits")
  func blocking() throws {
    let configuration = temporaryConfiguration(Self.types)
    let keep = try Realm(configuration: configuration)
    try keep.write { keep.add(Person(id: 0)) }
    let (slow, quick) = (Recorder(), Recorder())
    let gate = DispatchSemaphore(value: 0)
    let isFirst = Lock(true)
    let people = keep.objects(Person.self)
    let tokens = [
      people.observe(on: DispatchQueue(label: "slow")) { change in
        slow.add(text(change))
        if case .update = change,
          isFirst.withLock({ first in
            defer { first = false }; return first
          })
        {
          gate.wait()
        }
      },
      people.observe(on: DispatchQueue(label: "quick")) { quick.add(text($0)) },
    ]
    #expect(slow.wait() && quick.wait())
    try keep.write { keep.add(Person(id: 1)) }
    #expect(slow.wait() && quick.wait())
    // The slow one sits in its callback now.
    for id in 2..<6 {
      try keep.write { keep.add(Person(id: id)) }
      #expect(quick.wait())
    }
    #expect(slow.all == ["initial", "-[] +[1] ~[]"])
    gate.signal()
    var inserted = 1
    while inserted < 5, slow.wait() {
      let last = slow.all.last ?? ""
      inserted += last.split(separator: "+")[1].split(separator: "]")[0].split(separator: ",").count
    }
    #expect(inserted == 5 && quick.all == ["initial"] + (1..<6).map { "-[] +[\($0)] ~[]" })
    for token in tokens { token.invalidate() }
  }

  @Test("N-60 observing within a write that has changed nothing yet is allowed, and tells its changes")
  func beforeChanges()
    throws
  {
    try onQueue(Self.types) { realm in
      var told: [String] = []
      realm.beginWrite()
      let token = realm.objects(Person.self).observe { told.append(text($0)) }
      realm.add(Person(id: 1))
      try realm.commitWrite()
      try realm.write {}
      #expect(told.last == "initial" || told == ["initial", "-[] +[0] ~[]"])
      token.invalidate()
    }
  }

  @Test(
    "E-126, E-127 what could not be computed is logged, and the observer hears nothing: there is no error to handle")
  func failed() async {
    await #expect(processExitsWith: .success) {
      let recorder = Recorder()
      Logger.shared = Logger(level: .error) { level, text in recorder.add("\(level) \(text)") }
      let realm = try makeRealm()
      let event = ObservationEvent(
        change: .failed(StorageError(.corrupted, "damaged leaf")), snapshot: realm.core.currentSnapshot(),
        previous: nil,
        keys: nil)
      guard CollectionObservation.change(event, realm.objects(Person.self)) == nil, recorder.all.count == 1,
        recorder.all[0].hasPrefix("error An observation ended"), recorder.all[0].contains("damaged leaf")
      else { fatalError("\(recorder.all)") }
    }
  }

  @Test("E-128 a callback that waits for another of its own Realm gets it by writing, which delivers it")
  func waiting() throws {
    try onQueue(Self.types) { realm in
      var isTold = false
      var told: [String] = []
      let people = realm.objects(Person.self)
      let tokens = [
        people.observe { change in
          told.append("first")
          if case .update = change, !isTold { try? realm.write { #expect(isTold) } }
        },
        people.observe { change in
          told.append("second")
          if case .update = change { isTold = true }
        },
      ]
      realm.refresh()
      try realm.write { realm.add(Person(id: 1)) }
      try realm.write {}
      #expect(isTold && told == ["first", "second", "first", "second"])
      for token in tokens { token.invalidate() }
    }
  }

  @Test("E-120 unmanaged and deleted things, and those of a read-only Realm") func notObservable() async {
    let unmanaged = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Person(id: 1).observe { (_: ObjectChange<Person>) in }
    }
    #expect(misuseText(unmanaged).contains("An unmanaged Person cannot be observed"))
    let deleted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      let person = Person(id: 1)
      try realm.write { realm.add(person) }
      let dogs = person.dogs
      try realm.write { realm.delete(realm.objects(Person.self)) }
      _ = dogs.observe(on: DispatchQueue(label: "q")) { _ in }
    }
    #expect(misuseText(deleted).contains("The owner of Person.dogs was deleted"))
    let readOnly = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let folder = try TemporaryFolder()
      var configuration = folder.configuration([Dog.self, Person.self, Address.self, Room.self])
      _ = try Realm(configuration: configuration)
      configuration.readOnly = true
      _ = try Realm(configuration: configuration).objects(Dog.self).observe(on: DispatchQueue(label: "q")) { _ in }
    }
    #expect(misuseText(readOnly).contains("A read-only Realm never changes and cannot be observed"))
  }

  @Test("E-122 the system's concurrent queues, and concurrent queues of one's own") func concurrent() async {
    let global = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try makeRealm().objects(Person.self).observe(on: .global()) { _ in }
    }
    #expect(misuseText(global).contains("Use a serial queue"))
    // Dispatch itself ends the process: whether a queue is concurrent cannot be asked.
    await #expect(processExitsWith: .failure) {
      let realm = try makeRealm()
      let queue = DispatchQueue(label: "several", attributes: .concurrent)
      let token = realm.objects(Person.self).observe(on: queue) { _ in }
      queue.sync {}
      queue.sync(flags: .barrier) {}
      withExtendedLifetime(token) {}
    }
  }

  @Test("E-33 observing on another thread than the Realm's") func wrongThread() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let people = UncheckedBox(try makeRealm().objects(Person.self))
      elsewhere { _ = people.value.observe(on: DispatchQueue(label: "q")) { _ in } }
    }
    #expect(misuseText(result).contains("belongs to"))
  }

  @Test("N-61, E-124 unknown key paths with a queue are refused where observing begins") func unknownOnQueue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let queue = DispatchQueue(label: "q")
      let token = try makeRealm().objects(Person.self).observe(keyPaths: ["nmae"], on: queue) { _ in }
      queue.sync {}
      withExtendedLifetime(token) {}
    }
    #expect(misuseText(result).contains("Person has no property 'nmae' to observe"))
  }
}
