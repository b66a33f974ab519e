import Dispatch
import Foundation
import LarderLocks
import LarderStorage
import Testing

@testable import Larder

/// Covers N-66: observers that a write leaves out.
@Suite("Observers that a write leaves out", .timeLimit(.minutes(30))) struct SkippingTests {
  private final class Fixture: @unchecked Sendable {
    // Unchecked: the Realm is used on its queue.
    let queue = DispatchQueue(label: "owner")
    let configuration = temporaryConfiguration()
    let realm: Realm

    init() throws {
      let (queue, configuration) = (queue, configuration)
      realm = try queue.sync {
        let realm = try Realm(configuration: configuration, queue: queue)
        try realm.write { for id in 0..<3 { realm.add(Person(id: id)) } }
        return realm
      }
    }

    func observe(_ recorder: Recorder) -> UncheckedBox<NotificationToken> {
      let token = queue.sync {
        UncheckedBox(
          realm.objects(Person.self).observe { change in
            if case .initial = change { recorder.add("initial") }
            if case .update(_, let deletions, let insertions, let modifications) = change {
              recorder.add("-\(deletions) +\(insertions) ~\(modifications)")
            }
          })
      }
      _ = recorder.wait()
      return token
    }
  }

  @Test(
    "N-66 what another thread commits right after a write that leaves an observer out is reported to it, and only that")
  func interloper() throws {
    let fixture = try Fixture()
    let (left, told) = (Recorder(), Recorder())
    let token = fixture.observe(left)
    let other = fixture.observe(told)
    let isFirst = Lock(true)
    let configuration = fixture.configuration
    // Called between the commit and the Realm's look for the newest version.
    let handler = fixture.realm.core.store.addCommitHandler { _ in
      guard isFirst.withLock({ $0.exchange(false) }) else { return }
      elsewhere {
        do {
          let realm = try Realm(configuration: configuration)
          try realm.write { realm.add(Person(id: 50)) }
        } catch {
          Issue.record(error)
        }
      }
    }
    try fixture.queue.sync {
      let realm = fixture.realm
      try realm.write(withoutNotifying: [token.value]) { realm.add(Person(id: 7)) }
      #expect(realm.objects(Person.self).count == 5)
    }
    #expect(left.wait() && left.all == ["initial", "-[] +[4] ~[]"])
    #expect(told.wait() && told.all == ["initial", "-[] +[3, 4] ~[]"])
    fixture.realm.core.store.removeCommitHandler(handler)
    token.value.invalidate()
    other.value.invalidate()
  }

  @Test("N-66 a Realm's own observer that is left out hears nothing of this commit, and of the next again")
  func realmTokens() throws {
    let fixture = try Fixture()
    try fixture.queue.sync {
      let realm = fixture.realm
      var told: [String] = []
      let first = realm.observe { _, _ in told.append("first") }
      let second = realm.observe { _, _ in told.append("second") }
      try realm.write(withoutNotifying: [first]) { realm.add(Person(id: 7)) }
      #expect(told == ["second"])
      try realm.write { realm.add(Person(id: 8)) }
      #expect(told == ["second", "first", "second"])
      // A cancelled write is not the next commit.
      realm.beginWrite()
      realm.cancelWrite()
      try realm.write(withoutNotifying: [first, second]) { realm.add(Person(id: 9)) }
      #expect(told == ["second", "first", "second"])
      first.invalidate()
      second.invalidate()
    }
  }

  @Test("N-66 a token that was invalidated belongs to no Realm") func invalidated() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onQueue([Person.self, Dog.self, Address.self, Room.self]) { realm in
        let token = realm.objects(Person.self).observe { _ in }
        token.invalidate()
        try realm.write(withoutNotifying: [token]) { realm.add(Person(id: 1)) }
      }
    }
    #expect(misuseText(result).contains("Tokens must belong to this Realm"))
  }
}

extension Bool {
  /// Sets it, and gives back what it was.
  fileprivate mutating func exchange(_ new: Bool) -> Bool {
    defer { self = new }
    return self
  }
}
