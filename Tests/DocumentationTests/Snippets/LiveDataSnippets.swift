import Dispatch
import Foundation
import Larder
import Synchronization
import TestSupport
import Testing

@Suite("Live data, by its examples") struct LiveDataSnippets {
  class Note: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text: String
    @Persisted var stars: Int
    @Persisted var day: String
  }

  private let directory: TemporaryDirectory
  private let configuration: Realm.Configuration
  private let realm: Realm

  init() throws {
    directory = try TemporaryDirectory()
    configuration = Realm.Configuration(
      fileURL: directory.url.appendingPathComponent("notes.larder"), objectTypes: [Note.self])
    realm = try Realm(configuration: configuration)
    let realm = realm
    try realm.write {
      realm.create(Note.self, value: ["id": 1, "text": "milk", "stars": 1, "day": "Monday"] as [String: Any])
      realm.create(Note.self, value: ["id": 2, "text": "bread", "stars": 3, "day": "Tuesday"] as [String: Any])
    }
  }

  @Test func live() throws {
    // begin: live
    let good = realm.objects(Note.self).filter("stars > 2")
    print(good.count)  // 1
    try realm.write {
      realm.create(Note.self, value: ["id": 3, "text": "flour", "stars": 5] as [String: Any])
    }
    print(good.count)  // 2
    // end: live
    #expect(good.count == 2)
    // begin: loop
    try realm.write {
      for note in good { note.stars = 0 }
    }
    // end: loop
    #expect(good.isEmpty && realm.objects(Note.self).filter("stars == 0").count == 2)
  }

  @Test func deleted() throws {
    let note = try #require(realm.object(ofType: Note.self, forPrimaryKey: 2))
    try realm.write { realm.delete(realm.objects(Note.self)) }
    // begin: deleted
    if let note = note.ifValid {
      print(note.text)
    } else {
      print("somebody deleted it")
    }
    // end: deleted
    #expect(note.ifValid == nil && note.isInvalidated)
  }

  @Test func frozen() throws {
    // begin: frozen
    let before = realm.objects(Note.self).sorted(byKeyPath: "id").freeze()
    try realm.write { realm.deleteAll() }
    print(before.count, before[0].text)  // 2 milk
    let now = before.thaw()
    print(now?.count ?? -1)  // 0
    // end: frozen
    #expect(before.count == 2 && before[0].text == "milk" && now?.count == 0)
  }

  @Test func observing() throws {
    let seen = Mutex<[String]>([])
    let signal = DispatchSemaphore(value: 0)
    let queue = DispatchQueue(label: "notes")
    let say: @Sendable (String) -> Void = { text in
      seen.withLock { $0.append(text) }
      signal.signal()
    }
    // begin: observe
    let token = realm.objects(Note.self).filter("stars > 2").observe(on: queue) { change in
      switch change {
      case .initial(let notes):
        say("there are \(notes.count)")
      case .update(let notes, let deletions, let insertions, let modifications):
        say("now \(notes.count): -\(deletions) +\(insertions) ~\(modifications)")
      case .error:
        break
      }
    }
    // end: observe
    #expect(signal.wait(timeout: .now() + 20) == .success)
    try realm.write {
      realm.object(ofType: Note.self, forPrimaryKey: 1)?.stars = 4
      realm.object(ofType: Note.self, forPrimaryKey: 2)?.text = "rye bread"
    }
    #expect(signal.wait(timeout: .now() + 20) == .success)
    #expect(seen.withLock { $0 } == ["there are 1", "now 2: -[] +[0] ~[0]"])
    // begin: token
    token.invalidate()
    // end: token
  }

  @Test func oneObject() throws {
    let seen = Mutex<[String]>([])
    let signal = DispatchSemaphore(value: 0)
    let queue = DispatchQueue(label: "note")
    let say: @Sendable (String) -> Void = { text in
      seen.withLock { $0.append(text) }
      signal.signal()
    }
    let note = try #require(realm.object(ofType: Note.self, forPrimaryKey: 1))
    // begin: object
    let token = note.observe(keyPaths: [\Note.text], on: queue) { (change: ObjectChange<Note>) in
      switch change {
      case .change(let note, let properties): say("\(note.id): \(properties.map(\.name))")
      case .deleted: say("deleted")
      case .error: break
      }
    }
    // end: object
    // The observer is registered when its queue has had its turn.
    queue.sync {}
    try realm.write { note.stars = 9 }
    try realm.write { note.text = "oat milk" }
    #expect(signal.wait(timeout: .now() + 20) == .success)
    try realm.write { realm.delete(note) }
    #expect(signal.wait(timeout: .now() + 20) == .success)
    #expect(seen.withLock { $0 } == ["1: [\"text\"]", "deleted"])
    token.invalidate()
  }

  @Test func leavingOut() throws {
    let queue = DispatchQueue(label: "table")
    let seen = Mutex(0)
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      let notes = realm.objects(Note.self)
      let token = notes.observe { change in
        if case .update = change { seen.withLock { $0 += 1 } }
      }
      try realm.write {}
      // begin: leaving-out
      try realm.write(withoutNotifying: [token]) {
        realm.create(Note.self, value: ["id": 7, "text": "dragged here by the user"] as [String: Any])
      }
      // end: leaving-out
      try realm.write {}
      #expect(notes.count == 3 && seen.withLock { $0 } == 0)
      token.invalidate()
    }
  }

  @Test(.timeLimit(.minutes(30))) func loop() async throws {
    let seen = Mutex<[Int]>([])
    let (configuration, directory) = (configuration, directory)
    // begin: changes
    let follower = Task { @MainActor in
      let realm = try await Realm(configuration: configuration)
      for await change in realm.objects(Note.self).filter("stars > 2").changes {
        switch change {
        case .initial(let notes), .update(let notes, _, _, _):
          seen.withLock { $0.append(notes.count) }
          if notes.isEmpty { return }
        case .error:
          return
        }
      }
    }
    // end: changes
    while seen.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(1)) }
    try await Task { @MainActor in
      let realm = try await Realm(configuration: configuration)
      try await realm.asyncWrite { realm.deleteAll() }
    }.value
    try await follower.value
    #expect(seen.withLock { $0 } == [1, 0])
    withExtendedLifetime(directory) {}
  }

  @Test func sections() throws {
    // begin: sections
    let byDay = realm.objects(Note.self).sectioned(by: \.day)
    for section in byDay {
      print(section.key)
      for note in section { print("  ", note.text) }
    }
    // end: sections
    #expect(byDay.allKeys == ["Monday", "Tuesday"] && byDay[1].first?.text == "bread")
  }
}
