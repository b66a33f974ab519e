import Foundation
import LarderLocks
import LarderSync
import SyncModel

/// A device on a thread of its own in a process whose main thread only waits: the main actor, the main queue and the main run loop do nothing.
enum BlockedMain {
  /// Works and ends the process: with 0, or with 1 after it has said what went wrong.
  static func run(_ arguments: [String]) -> Never {
    guard Thread.isMainThread else { fail("This is not the main thread.") }
    let thread = Thread {
      do {
        try work(arguments)
        exit(0)
      } catch {
        fail("\(error)")
      }
    }
    thread.start()
    // Nothing signals it. A device that waits for the main thread is given up so late that no slow machine comes to it.
    let never = DispatchSemaphore(value: 0)
    _ = never.wait(timeout: .now() + 600)
    fail("The device was not done in ten minutes.")
  }

  /// Subscribes and gets the cities, counts a visit of city 1, uploads, and follows until city 1 has the name that is given.
  private static func work(_ arguments: [String]) throws {
    let app = App(id: "worker", configuration: AppConfiguration(baseURL: arguments[1]), folder: arguments[2])
    let user = try awaited { try await app.login(credentials: .jwt(token: arguments[3])) }
    var configuration = user.flexibleSyncConfiguration()
    configuration.objectTypes = [City.self]
    let realm = try Realm(configuration: configuration)
    let subscriptions = realm.subscriptions
    try completed { done in
      subscriptions.update(
        { subscriptions.append(QuerySubscription<City>(name: "cities")) }, onComplete: { done($0) })
    }
    guard let session = realm.syncSession else { fail("There is no session.") }
    realm.refresh()
    try realm.write { realm.object(ofType: City.self, forPrimaryKey: 1)?.increment(\.visits, by: 1) }
    try completed { done in session.wait(for: .upload) { done($0) } }
    SyncWorker.line("uploaded")
    while realm.object(ofType: City.self, forPrimaryKey: 1)?.name != arguments[5] {
      try completed { done in session.wait(for: .download) { done($0) } }
      realm.refresh()
    }
    for city in realm.objects(City.self).sorted(byKeyPath: "_id") { SyncWorker.line(city.content) }
  }

  /// Returns the result of an asynchronous function; this thread waits for it.
  private static func awaited<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let result = Outcome<Value>()
    let ended = DispatchSemaphore(value: 0)
    Task.detached {
      do { result.set(.success(try await body())) } catch { result.set(.failure(error)) }
      ended.signal()
    }
    ended.wait()
    return try result.get()
  }

  /// Waits until something calls back.
  private static func completed(_ body: (@escaping @Sendable ((any Error)?) -> Void) -> Void) throws {
    let result = Outcome<Void>()
    let ended = DispatchSemaphore(value: 0)
    body { error in
      result.set(error.map { .failure($0) } ?? .success(()))
      ended.signal()
    }
    ended.wait()
    try result.get()
  }

  private static func fail(_ text: String) -> Never {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
    exit(1)
  }
}

/// The result of work on another thread.
private final class Outcome<Value: Sendable>: Sendable {
  struct Missing: Error {}

  private let result = Lock<Result<Value, any Error>>(.failure(Missing()))

  func set(_ value: Result<Value, any Error>) { result.withLock { $0 = value } }

  func get() throws -> Value { try result.withLock { $0 }.get() }
}
