import Foundation
import LarderLocks
import Testing

@testable import LarderSync

/// The callbacks that ran, and what was wrong with the places where they did.
private final class Callbacks: Sendable {
  private struct State {
    var configuration: Realm.Configuration?
    var names: Set<String> = []
    var faults: [String] = []
    var count = 0
  }

  private let state = Lock(State())
  private let mainQueue = DispatchSpecificKey<Bool>()

  init() { DispatchQueue.main.setSpecific(key: mainQueue, value: true) }

  /// The queue counts too: in some processes another thread than the first one runs it.
  var isOnMainThread: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mainQueue) == true }

  var names: Set<String> { state.withLock { $0.names } }
  var faults: [String] { state.withLock { $0.faults } }

  /// Sets the store that callbacks open.
  func use(_ configuration: Realm.Configuration) { state.withLock { $0.configuration = configuration } }

  /// To be called in a callback: opens the store, writes, and uses its session and subscriptions, which takes the locks that there are.
  func run(_ name: String) {
    var fault: String? = isOnMainThread ? "on the main thread" : nil
    let (configuration, id) = state.withLock { state in
      state.count += 1
      return (state.configuration, state.count)
    }
    do {
      guard let configuration else { throw Realm.Error.make(.fail, "no configuration") }
      let realm = try opened(configuration)
      try realm.write { _ = realm.create(SyncedPet.self, value: ["id": id] as [String: Any]) }
      guard let session = realm.syncSession else { throw Realm.Error.make(.fail, "no session") }
      session.suspend()
      session.resume()
      session.addProgressNotification(for: .upload, mode: .reportIndefinitely) { _ in }?.invalidate()
      _ = realm.subscriptions.state
    } catch {
      fault = "\(error)"
    }
    state.withLock { state in
      if let fault { state.faults.append("\(name): \(fault)") }
      state.names.insert(name)
    }
  }
}

@Suite("Session: where programs are called back", .timeLimit(.minutes(10)))
struct CallbackPlaceTests {
  @Test("Y-59: What is called back is not on the main thread, and may open Realms and write")
  @MainActor func privatePlaces() async throws {
    let callbacks = Callbacks()
    let fixture = try await SyncedFixture(provider: { _ in
      callbacks.run("token provider")
      return try SyncedFixture.token("ada")
    })
    let configuration = fixture.configuration { $0.outsideWrites = .sendAnyway }
    callbacks.use(configuration)
    let realm = try opened(configuration)
    let engine = try fixture.engine(of: realm)
    let session = try #require(realm.syncSession)
    // What follows is begun on the main thread, in which the engine tells what happens, too.
    #expect(callbacks.isOnMainThread)
    fixture.app.syncManager.errorHandler = { _, _ in callbacks.run("errorHandler") }
    engine.tell(.failure(.store("no space")))

    let token = session.addProgressNotification(for: .download, mode: .reportIndefinitely) { _ in
      callbacks.run("progress")
    }
    engine.change { ($0.connection, $0.phase) = (.connected, .following) }

    wait(session, callbacks)
    subscribe(realm, "complete", callbacks)
    try engine.complete()
    try await eventually { callbacks.names.contains("complete") }
    subscribe(realm, "refused", callbacks)
    try engine.refuse("no")
    _ = try await engine.configuration.tokens.token(.expired, attempt: 1)
    let expected: Set = ["token provider", "errorHandler", "progress", "wait", "complete", "refused"]
    try await eventually { callbacks.names == expected }
    token?.invalidate()
    #expect(callbacks.faults == [])
  }

  private func wait(_ session: SyncSession, _ callbacks: Callbacks) {
    session.wait(for: .download) { _ in callbacks.run("wait") }
  }

  private func subscribe(_ realm: Realm, _ name: String, _ callbacks: Callbacks) {
    realm.subscriptions.changed({ realm.subscriptions.append(QuerySubscription<SyncedPet>(name: name)) }) { _ in
      callbacks.run(name)
    }
  }

  @Test("Y-59: asyncOpen calls back on its queue, where its Realm may be written")
  func opening() async throws {
    let callbacks = Callbacks()
    let fixture = try await SyncedFixture()
    let configuration = fixture.configuration { $0.outsideWrites = .sendAnyway }
    callbacks.use(configuration)
    let queue = DispatchQueue(label: "opening")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let results = Shared<[String]>([])
    let task = Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
      var text = DispatchQueue.getSpecific(key: key) == true ? "on its queue" : "elsewhere"
      do {
        let realm = try result.get()
        try realm.write { _ = realm.create(SyncedPerson.self, value: ["id": 1] as [String: Any]) }
        text += ", \(realm.objects(SyncedPerson.self).count) written"
      } catch {
        text += ", \(error)"
      }
      callbacks.run("asyncOpen")
      results.value.withLock { $0.append(text) }
    }
    try await eventually { results.value.withLock { !$0.isEmpty } }
    #expect(results.value.withLock { $0 } == ["on its queue, 1 written"])
    #expect(callbacks.names == ["asyncOpen"] && callbacks.faults == [])
    withExtendedLifetime(task) {}
  }
}
