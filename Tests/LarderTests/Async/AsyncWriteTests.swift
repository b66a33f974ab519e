import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Larder

/// An actor with a Realm of its own, as programs write them.
actor Keeper {
  private var opened: Realm?
  private var tokens: [NotificationToken] = []

  init() {}

  func open(_ configuration: Realm.Configuration) async throws {
    opened = try await Realm(configuration: configuration, actor: self)
  }

  var realm: Realm {
    get throws { try #require(opened) }
  }

  func here<R: Sendable>(_ body: (Realm) throws -> R) throws -> R { try body(try realm) }

  func add(_ id: Int, _ name: String = "") async throws {
    try await realm.asyncWrite { try realm.add(Person(id: id, name: name)) }
  }

  func ids() throws -> [Int] { try realm.objects(Person.self).map(\.id) }

  func keep(_ token: NotificationToken) { tokens.append(token) }
  func close() { (opened, tokens) = (nil, []) }
}

/// Covers N-70 to N-75, R-6, E-41, E-42 and U-2: writes and refreshes that suspend instead of waiting.
@Suite("Writes of tasks and queues", .timeLimit(.minutes(30))) struct AsyncWriteTests {
  private struct Failed: Error {}

  @Test("N-75 and O-112 a task writes on its actor; what it wrote is there afterwards")
  func write() async throws {
    let keeper = Keeper()
    try await keeper.open(temporaryConfiguration())
    try await keeper.add(1)
    try await keeper.add(2)
    #expect(try await keeper.ids() == [1, 2])
  }

  @Test("N-75 many tasks of several actors: every write is done once, and the block sees the newest version")
  func manyTasks() async throws {
    let configuration = temporaryConfiguration()
    let keepers = [Keeper(), Keeper(), Keeper()]
    for keeper in keepers { try await keeper.open(configuration) }
    try await keepers[0].add(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<60 {
        group.addTask {
          let keeper = keepers[number % 3]
          try await keeper.increment()
        }
      }
      try await group.waitForAll()
    }
    for keeper in keepers {
      #expect(
        try await keeper.here { realm in
          realm.refresh()
          return realm.object(ofType: Person.self, forPrimaryKey: 0)?.age
        } == 60)
    }
  }

  @Test("N-75 an error of the block cancels its transaction only")
  func failing() async throws {
    let keeper = Keeper()
    try await keeper.open(temporaryConfiguration())
    await #expect(throws: Failed.self) {
      try await keeper.failAfterAdding(7)
    }
    #expect(try await keeper.ids() == [])
    try await keeper.add(8)
    #expect(try await keeper.ids() == [8])
  }

  @Test("N-75, E-43 and U-2 a task cancelled while it waits never runs its block, and the others are not disturbed")
  func cancellation() async throws {
    let configuration = temporaryConfiguration()
    let keeper = Keeper()
    try await keeper.open(configuration)
    for round in 0..<20 {
      let blocker = try await HeldLock(configuration)
      let first = Task { try await keeper.add(round * 10 + 1) }
      let second = Task { try await keeper.add(round * 10 + 2) }
      let third = Task { try await keeper.add(round * 10 + 3) }
      if round % 2 == 0 { try await Task.sleep(for: .milliseconds(2)) }
      second.cancel()
      blocker.release()
      try await first.value
      try await third.value
      await #expect(throws: CancellationError.self) { try await second.value }
      #expect(try await keeper.ids().filter { $0 / 10 == round }.sorted() == [round * 10 + 1, round * 10 + 3])
    }
  }

  @Test("N-75, U-2 cancelling a task whose block has run does not undo it, nor stop the next")
  func cancellationAfterwards() async throws {
    let keeper = Keeper()
    try await keeper.open(temporaryConfiguration())
    for id in 0..<20 {
      let first = Task { try await keeper.add(id * 2) }
      let second = Task { try await keeper.add(id * 2 + 1) }
      await Task.yield()
      first.cancel()
      let outcome = await first.result
      try await second.value
      let ids = try await keeper.ids()
      #expect(ids.contains(id * 2 + 1))
      if case .success = outcome { #expect(ids.contains(id * 2)) } else { #expect(!ids.contains(id * 2)) }
    }
  }

  @Test("a synchronous write of the same actor goes before a queued one that has the lock already")
  func synchronousInBetween() async throws {
    let keeper = Keeper()
    try await keeper.open(temporaryConfiguration())
    for round in 0..<20 {
      let queued = Task { try await keeper.add(round * 2) }
      for _ in 0..<round % 5 { await Task.yield() }
      try await keeper.here { realm in try realm.write { realm.add(Person(id: round * 2 + 1)) } }
      try await queued.value
    }
    #expect(try await keeper.ids().count == 40)
  }

  @Test("an actor's transaction may be begun and committed on different threads")
  func hopping() async throws {
    let keeper = Keeper()
    try await keeper.open(temporaryConfiguration())
    for id in 0..<20 {
      try await keeper.here { realm in realm.beginWrite() }
      try await Task.sleep(for: .microseconds(200))
      try await keeper.here { realm in realm.add(Person(id: id)) }
      try await Task.sleep(for: .microseconds(200))
      try await keeper.here { realm in try realm.commitWrite() }
    }
    #expect(try await keeper.ids().count == 20)
  }

  @Test("N-72 reading while the commit is on its way shows what it makes")
  func readingMeanwhile() async throws {
    let keeper = Keeper()
    try await keeper.open(temporaryConfiguration())
    let seen = try await keeper.here { realm -> Int in
      realm.beginWrite()
      realm.add(Person(id: 1))
      realm.commitAsyncWrite()
      #expect(!realm.isInWriteTransaction)
      return realm.objects(Person.self).count
    }
    #expect(seen == 1)
  }

  @MainActor
  @Test("N-70, N-71 queued blocks run in order, on the main actor, with the commits' ends told there")
  func queued() async throws {
    let realm = try await Realm(configuration: temporaryConfiguration())
    let order = Recorder()
    for id in 0..<3 {
      realm.writeAsync {
        order.add("block \(id) \(realm.isInWriteTransaction) \(Confinement.isMain)")
        realm.add(Person(id: id))
        if id == 0 { realm.writeAsync { order.add("inner") } }
      } onComplete: { error in
        order.add("done \(id) \(error == nil) \(Confinement.isMain)")
      }
    }
    #expect(realm.isPerformingAsynchronousWriteOperations)
    #expect(order.all.isEmpty)
    while realm.isPerformingAsynchronousWriteOperations { try await Task.sleep(for: .milliseconds(1)) }
    #expect(
      order.all.filter { $0.hasPrefix("block") || $0 == "inner" }
        == ["block 0 true true", "block 1 true true", "block 2 true true", "inner"])
    #expect(order.all.filter { $0.hasPrefix("done") } == ["done 0 true true", "done 1 true true", "done 2 true true"])
    #expect(realm.objects(Person.self).count == 3)
  }

  @MainActor
  @Test(
    "N-71, N-72 many queued writes: each sees those before it, and their ends are told in order",
    arguments: [false, true])
  func manyQueued(_ isGrouped: Bool) async throws {
    let configuration = temporaryConfiguration()
    let realm = try await Realm(configuration: configuration)
    let (seen, told) = (Recorder(), Recorder())
    for id in 0..<40 {
      realm.beginAsyncWrite {
        seen.add("\(realm.objects(Person.self).count)")
        realm.add(Person(id: id))
        realm.commitAsyncWrite(allowGrouping: isGrouped) { error in told.add("\(id) \(error == nil)") }
      }
    }
    while realm.isPerformingAsynchronousWriteOperations { try await Task.sleep(for: .milliseconds(1)) }
    #expect(seen.all == (0..<40).map { "\($0)" })
    #expect(told.all == (0..<40).map { "\($0) true" })
    #expect(realm.objects(Person.self).map(\.id) == Array(0..<40))
  }

  @MainActor
  @Test("N-70, N-73, N-74 a block that ends without a commit cancels; one taken back does not run")
  func takenBack() async throws {
    let realm = try await Realm(configuration: temporaryConfiguration())
    let order = Recorder()
    realm.beginAsyncWrite {
      realm.add(Person(id: 1))
      order.add("cancelled")
    }
    let second = realm.beginAsyncWrite { order.add("taken back") }
    realm.beginAsyncWrite {
      realm.add(Person(id: 3))
      let commit = realm.commitAsyncWrite { _ in order.add("dropped") }
      try? realm.cancelAsyncWrite(commit)
    }
    try realm.cancelAsyncWrite(second)
    while realm.isPerformingAsynchronousWriteOperations { try await Task.sleep(for: .milliseconds(1)) }
    #expect(order.all == ["cancelled"])
    #expect(realm.objects(Person.self).map(\.id) == [3])
  }

  @Test("N-70 a serial queue's Realm queues writes too")
  func queue() throws {
    let queue = DispatchQueue(label: "owner")
    let recorder = Recorder()
    let realm = UncheckedBox(try queue.sync { try Realm(configuration: temporaryConfiguration(), queue: queue) })
    queue.sync {
      _ = realm.value.writeAsync {
        realm.value.add(Person(id: 1))
      } onComplete: { error in
        recorder.add("\(error == nil) \(realm.value.objects(Person.self).count)")
      }
    }
    #expect(recorder.wait() && recorder.all == ["true 1"])
  }

  @Test("R-6 asyncRefresh moves on without autorefresh; false when there is nothing newer")
  func refresh() async throws {
    let configuration = temporaryConfiguration()
    let keeper = Keeper()
    try await keeper.open(configuration)
    try await keeper.here { $0.autorefresh = false }
    // Begins a version.
    #expect(try await keeper.ids() == [])
    let other = try Keeper.write(configuration, 5)
    #expect(try await keeper.ids() == [])
    #expect(try await keeper.asyncRefresh())
    #expect(try await keeper.ids() == [5])
    #expect(try await !keeper.asyncRefresh())
    withExtendedLifetime(other) {}
  }

  @Test("asyncOpen calls back on its queue, where the Realm belongs")
  func asyncOpen() async throws {
    let configuration = temporaryConfiguration()
    let keep = try Realm(configuration: configuration, queue: nil)
    try keep.write { keep.add(Person(id: 4)) }
    let queue = DispatchQueue(label: "callback")
    let ids = await withCheckedContinuation { (continuation: CheckedContinuation<[Int], Never>) in
      Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
        continuation.resume(returning: (try? result.get())?.objects(Person.self).map(\.id) ?? [])
      }
    }
    #expect(ids == [4])
    withExtendedLifetime(keep) {}
  }

  @Test("E-33 use outside of the actor names both sides") func outside() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let keeper = Keeper()
      try await keeper.open(temporaryConfiguration())
      let realm = try await keeper.smuggle()
      _ = realm.value.objects(Person.self).count
    }
    #expect(misuseText(result).contains("belongs to the actor Keeper"))
  }

  @Test("E-41 asyncWrite of a thread's Realm") func thread() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let queue = DispatchQueue(label: "owner")
      let realm = UncheckedBox(try queue.sync { try Realm(configuration: temporaryConfiguration(), queue: queue) })
      queue.sync { realm.value.core.checkTasks("asyncWrite") }
    }
    #expect(misuseText(result).contains("asyncWrite needs a Realm of the main thread or of an actor"))
  }

  @MainActor
  private static func beginInCompletion() async throws {
    let realm = try await Realm(configuration: temporaryConfiguration())
    realm.writeAsync {
    } onComplete: { _ in
      realm.writeAsync {}
    }
    try await Task.sleep(for: .seconds(20))
  }

  @Test("E-42 beginning in a completion block") func completion() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await Self.beginInCompletion()
    }
    #expect(misuseText(result).contains("inside of a completion block"))
  }
}

extension Keeper {
  func increment() async throws {
    let realm = try realm
    try await realm.asyncWrite { realm.object(ofType: Person.self, forPrimaryKey: 0)?.age += 1 }
  }

  func failAfterAdding(_ id: Int) async throws {
    struct Failed: Error {}
    let realm = try realm
    do {
      try await realm.asyncWrite {
        realm.add(Person(id: id))
        throw CocoaError(.featureUnsupported)
      }
    } catch is CocoaError {
      throw AsyncWriteTests.failure
    }
  }

  func asyncRefresh() async throws -> Bool { await (try realm).asyncRefresh() }
  func smuggle() throws -> UncheckedBox<Realm> { UncheckedBox(try realm) }

  /// Writes on the caller's thread.
  static func write(_ configuration: Realm.Configuration, _ id: Int) throws -> UncheckedBox<Realm> {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Person(id: id)) }
    return UncheckedBox(realm)
  }
}

extension AsyncWriteTests {
  static var failure: any Error { Failed() }
}

/// Holds the write lock on a thread of its own until it is released.
final class HeldLock: Sendable {
  private let done = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  init(_ configuration: Realm.Configuration) async throws {
    let done = done
    let ended = ended
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let thread = Thread {
        do {
          let realm = try Realm(configuration: configuration)
          try realm.write {
            continuation.resume()
            done.wait()
          }
        } catch {
          Issue.record(error)
        }
        ended.signal()
      }
      thread.start()
    }
  }

  func release() { done.signal() }
}
