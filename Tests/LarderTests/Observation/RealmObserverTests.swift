import Dispatch
import Foundation
import LarderLocks
import Testing

@testable import Larder

/// Covers N-6, N-50, N-60 and N-63: observers of a Realm itself, and what they hear while it stays behind.
@Suite("Observers of a Realm", .timeLimit(.minutes(30))) struct RealmObserverTests {
  private static let types: [ObjectBase.Type] = [Person.self, Dog.self, Address.self, Room.self]

  @Test("N-50 an empty commit is reported, synchronously; a cancelled write, and a refresh that finds nothing, are not")
  func empty() throws {
    try onQueue(Self.types) { realm in
      var told: [String] = []
      let token = realm.observe { notification, told_ in
        told.append("\(notification.rawValue) \(told_ == realm) \(realm.isInWriteTransaction)")
      }
      try realm.write {}
      let didChange = "RLMRealmDidChangeNotification true false"
      #expect(told == [didChange])
      realm.beginWrite()
      realm.add(Person(id: 1))
      realm.cancelWrite()
      #expect(!realm.refresh() && told == [didChange])
      #expect(throws: CocoaError.self) {
        try realm.write {
          realm.add(Person(id: 1))
          throw CocoaError(.featureUnsupported)
        }
      }
      #expect(told == [didChange])
      try realm.write { realm.add(Person(id: 1)) }
      #expect(told == [didChange, didChange])
      token.invalidate()
    }
  }

  @Test(
    "N-6, N-50 without autorefresh: the first call comes, then only that a newer version is there; the rest after refresh"
  )
  func staying() throws {
    let configuration = temporaryConfiguration(Self.types)
    let queue = DispatchQueue(label: "owner")
    let recorder = Recorder()
    let holder = UncheckedBox(
      try queue.sync { () throws -> (Realm, [NotificationToken]) in
        let realm = try Realm(configuration: configuration, queue: queue)
        realm.autorefresh = false
        let people = realm.objects(Person.self).observe { change in
          switch change {
          case .initial(let people): recorder.add("initial \(people.count)")
          case .update(let people, _, let insertions, _): recorder.add("update \(people.count) \(insertions)")
          case .error: recorder.add("error")
          }
        }
        let own = realm.observe { notification, realm in
          recorder.add(
            "\(notification == .refreshRequired ? "required" : "changed") \(realm.objects(Person.self).count)")
        }
        return (realm, [people, own])
      })
    #expect(recorder.wait() && recorder.all == ["initial 0"])
    let other = try Realm(configuration: configuration)
    try other.write { other.add(Person(id: 1)) }
    #expect(recorder.wait() && recorder.all == ["initial 0", "required 0"])
    // A second look at the same version is no news.
    for _ in 0..<50 {
      queue.sync {}
      Thread.sleep(forTimeInterval: 0.001)
    }
    #expect(recorder.all == ["initial 0", "required 0"])
    try other.write { other.add(Person(id: 2)) }
    #expect(recorder.wait() && recorder.all == ["initial 0", "required 0", "required 0"])
    queue.sync { #expect(holder.value.0.refresh()) }
    #expect(recorder.all.dropFirst(3) == ["changed 2", "update 2 [0, 1]"])
    for token in holder.value.1 { token.invalidate() }
  }

  @Test("N-6 an observer that is added while the Realm stays behind gets the version it is at") func behind()
    throws
  {
    let configuration = temporaryConfiguration(Self.types)
    let queue = DispatchQueue(label: "owner")
    let recorder = Recorder()
    let realm = UncheckedBox(
      try queue.sync { () throws -> Realm in
        let realm = try Realm(configuration: configuration, queue: queue)
        realm.autorefresh = false
        _ = realm.objects(Person.self).count
        return realm
      })
    let other = try Realm(configuration: configuration)
    try other.write { other.add(Person(id: 1)) }
    let token = queue.sync {
      UncheckedBox(
        realm.value.objects(Person.self).observe { change in
          if case .initial(let people) = change { recorder.add("initial \(people.count)") }
          if case .update(_, _, let insertions, _) = change { recorder.add("update \(insertions)") }
        })
    }
    #expect(recorder.wait() && recorder.all == ["initial 0"])
    queue.sync { #expect(realm.value.refresh()) }
    #expect(recorder.all == ["initial 0", "update [0]"])
    token.value.invalidate()
  }

  @Test("N-50, N-60, E-121 a Realm of a thread on which nothing delivers") func noRunLoop() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      elsewhere {
        let realm = try? makeRealm()
        _ = realm?.observe { _, _ in }
      }
    }
    #expect(misuseText(result).contains("Nothing delivers notifications on this thread"))
  }

  @Test("N-60, E-120 frozen and read-only Realms") func unobservable() async {
    let frozen = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try makeRealm().freeze().observe { _, _ in }
    }
    #expect(misuseText(frozen).contains("this Realm is frozen"))
    let readOnly = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let folder = try TemporaryFolder()
      var configuration = folder.configuration(Self.types)
      _ = try Realm(configuration: configuration)
      configuration.readOnly = true
      _ = try Realm(configuration: configuration).observe { _, _ in }
    }
    #expect(misuseText(readOnly).contains("A read-only Realm never changes and cannot be observed"))
  }

  @Test("N-63 a Realm's token that goes without invalidate() ends, and is reported in the log; other tokens are not")
  func dropped() async {
    await #expect(processExitsWith: .success) {
      let recorder = Recorder()
      Logger.shared = Logger(level: .warn) { level, text in recorder.add("\(level) \(text)") }
      try onQueue(Self.types) { realm in
        var calls = 0
        func observe() throws {
          let kept = realm.observe { _, _ in calls += 1 }
          let dropped = realm.observe { _, _ in calls += 1 }
          let collection = realm.objects(Person.self).observe { _ in }
          try realm.write {}
          kept.invalidate()
          withExtendedLifetime((dropped, collection)) {}
        }
        try observe()
        try realm.write {}
        guard calls == 2, recorder.all.count == 1,
          recorder.all[0].hasPrefix("warn A token of Realm.observe went away without invalidate()")
        else { fatalError("\(calls) \(recorder.all)") }
      }
    }
  }

  @Test("N-63, U-2 a token may be invalidated on any thread, by any number at once: one ends it") func anyThread()
    throws
  {
    let queue = DispatchQueue(label: "owner")
    let configuration = temporaryConfiguration(Self.types)
    let realm = UncheckedBox(try queue.sync { try Realm(configuration: configuration, queue: queue) })
    let recorder = Recorder()
    for _ in 0..<20 {
      // No box: tokens are Sendable.
      let tokens: [NotificationToken] = queue.sync {
        [realm.value.objects(Person.self).observe { _ in }, realm.value.observe { _, _ in recorder.add("told") }]
      }
      for token in tokens {
        let ended = Lock(0)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
          if token.invalidate() { ended.withLock { $0 += 1 } }
        }
        #expect(ended.withLock { $0 } == 1)
      }
      try queue.sync { try realm.value.write {} }
    }
    #expect(recorder.all.isEmpty)
  }
}
