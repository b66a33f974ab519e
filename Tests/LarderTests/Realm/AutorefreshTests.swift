import Dispatch
import Foundation
import LarderLocks
import TestSupport
import Testing

@testable import Larder

/// Covers R-2, R-4, N-5, N-50, N-61 and N-80: what moves a Realm on that has no observers, and where calls are made.
@Suite("Moving on by itself", .timeLimit(.minutes(30)))
struct AutorefreshTests {
  /// Looks on a queue, again and again, until something is so.
  private func eventually(_ queue: DispatchQueue, _ condition: () -> Bool) -> Bool {
    for _ in 0..<5_000 {
      if queue.sync(execute: condition) { return true }
      Thread.sleep(forTimeInterval: 0.001)
    }
    return false
  }

  /// A person, opened on a queue of its own, without observers.
  private final class Owner: @unchecked Sendable {
    // Unchecked: used on the queue.
    let queue = DispatchQueue(label: "owner")
    let configuration: Realm.Configuration
    var realm: Realm?
    var person: Person?

    init(_ configuration: Realm.Configuration) throws {
      self.configuration = configuration
      try queue.sync {
        let realm = try Realm(configuration: configuration, queue: queue)
        try realm.write { realm.add(Person(id: 1, name: "A")) }
        self.realm = realm
        person = realm.object(ofType: Person.self, forPrimaryKey: 1)
      }
    }

    func rename(_ name: String) throws {
      let realm = try Realm(configuration: configuration)
      realm.refresh()
      try realm.write { realm.object(ofType: Person.self, forPrimaryKey: 1)?.name = name }
    }
  }

  @Test("R-2 a serial queue's Realm moves on when its queue turns, without any observer")
  func queue() throws {
    let owner = try Owner(temporaryConfiguration())
    for name in ["B", "C"] {
      try owner.rename(name)
      #expect(eventually(owner.queue) { owner.person?.name == name })
      // A commit of its own in between does not make it deaf.
      try owner.queue.sync { try owner.realm?.write { owner.person?.age += 1 } }
    }
  }

  @Test("R-2 and R-4 without autorefresh it stays where it is until refresh()")
  func withoutAutorefresh() throws {
    let owner = try Owner(temporaryConfiguration())
    let recorder = Recorder()
    let token = owner.queue.sync { () -> NotificationToken? in
      owner.realm?.autorefresh = false
      return owner.realm?.observe { notification, _ in recorder.add(notification.rawValue) }
    }
    try owner.rename("B")
    #expect(recorder.wait() && recorder.all == ["RLMRealmRefreshRequiredNotification"])
    owner.queue.sync {
      #expect(owner.person?.name == "A")
      #expect(owner.realm?.refresh() == true && owner.person?.name == "B")
    }
    token?.invalidate()
  }

  @Test("N-50 moving on without collection observers tells the Realm's own observers")
  func realmObserver() throws {
    let owner = try Owner(temporaryConfiguration())
    let recorder = Recorder()
    let token = owner.queue.sync {
      owner.realm?.observe { notification, _ in recorder.add("\(notification.rawValue) \(owner.person?.name ?? "")") }
    }
    try owner.rename("B")
    #expect(recorder.wait() && recorder.all == ["RLMRealmDidChangeNotification B"])
    token?.invalidate()
  }

  @Test("R-2 an unobserved Realm lets go of old versions when it moves on")
  func letsGo() throws {
    let owner = try Owner(temporaryConfiguration())
    weak let old = owner.queue.sync { owner.realm?.core.snapshot }
    try owner.rename("B")
    #expect(eventually(owner.queue) { owner.person?.name == "B" })
    for _ in 0..<5_000 where old != nil { Thread.sleep(forTimeInterval: 0.001) }
    #expect(old == nil)
  }

  @MainActor
  @Test("R-2, N-5 the main queue's Realm moves on between two turns, and its observers are called there")
  func mainQueue() async throws {
    let configuration = temporaryConfiguration()
    let realm = try await Realm(configuration: configuration)
    let person = Person(id: 1, name: "A")
    try realm.write { realm.add(person) }
    let calls = Recorder()
    let rename = { @Sendable (name: String) in
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.object(ofType: Person.self, forPrimaryKey: 1)?.name = name }
    }
    try await Task.detached { try rename("B") }.value
    for _ in 0..<5_000 where person.name != "B" { try await Task.sleep(for: .milliseconds(1)) }
    #expect(person.name == "B")
    let token = realm.objects(Person.self).observe { change in
      if case .initial(let people) = change { calls.add("initial \(people[0].name) \(Confinement.isMain)") }
      if case .update(let people, _, _, let changed) = change {
        calls.add("update \(people[0].name) \(changed) \(Confinement.isMain)")
      }
    }
    for _ in 0..<5_000 where calls.all.count < 1 { try await Task.sleep(for: .milliseconds(1)) }
    try await Task.detached { try rename("C") }.value
    for _ in 0..<5_000 where calls.all.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(calls.all == ["initial B true", "update C [0] true"])
    token.invalidate()
  }

  @Test("R-2, N-60 a thread whose run loop runs moves on and is called in its turns")
  func runLoop() throws {
    let configuration = temporaryConfiguration()
    let keep = try Realm(configuration: configuration)
    try keep.write { keep.add(Person(id: 1, name: "A")) }
    let recorder = Recorder()
    let done = Lock(false)
    let thread = Thread {
      let tokens = Lock<UncheckedBox<NotificationToken>?>(nil)
      let start = Timer(timeInterval: 0, repeats: false) { _ in
        do {
          let realm = try Realm(configuration: configuration)
          let person = realm.object(ofType: Person.self, forPrimaryKey: 1)
          let token = realm.objects(Person.self).observe { change in
            if case .update(let people, _, _, let changed) = change {
              recorder.add("update \(people[0].name) \(person?.name ?? "") \(changed)")
            } else {
              recorder.add("initial")
            }
          }
          let box = UncheckedBox(token)
          tokens.withLock { $0 = box }
        } catch {
          recorder.add("\(error)")
        }
      }
      RunLoop.current.add(start, forMode: .default)
      while !done.withLock({ $0 }) {
        _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
      }
      tokens.withLock { $0 = nil }
    }
    thread.start()
    #expect(recorder.wait())
    try keep.write { keep.object(ofType: Person.self, forPrimaryKey: 1)?.name = "B" }
    #expect(recorder.wait())
    #expect(recorder.all == ["initial", "update B B [0]"])
    done.withLock { $0 = true }
    while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
  }

  @Test("N-80 a commit of another process moves an unobserved Realm on, and is delivered to an observer")
  func otherProcess() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/nodes.realm"
    let configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: path), objectTypes: [Node.self])
    let queue = DispatchQueue(label: "owner")
    let realm = UncheckedBox(try queue.sync { try Realm(configuration: configuration, queue: queue) })
    let worker = try WorkerProcess("NodeWorker", [path])
    try worker.send("add 7")
    #expect(worker.readLine() != nil, "\(worker.errorOutput)")
    #expect(eventually(queue) { realm.value.objects(Node.self).first?.value == 7 })
    let recorder = Recorder()
    let token = queue.sync {
      realm.value.objects(Node.self).observe { change in
        if case .update(let nodes, _, let insertions, let changed) = change {
          recorder.add("\(insertions) \(changed) \(Array(nodes.map(\.value)))")
        } else {
          recorder.add("initial")
        }
      }
    }
    #expect(recorder.wait())
    try worker.send("set 0 8")
    #expect(recorder.wait())
    #expect(recorder.all == ["initial", "[] [0] [8]"])
    token.invalidate()
    worker.closeInput()
    worker.waitUntilExit()
  }
}

/// The class that the worker process knows.
final class Node: Object {
  @Persisted var value: Int
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
