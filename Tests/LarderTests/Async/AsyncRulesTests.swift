import CoreFoundation
import Dispatch
import Foundation
import LarderLocks
import TestSupport
import Testing

@testable import Larder

/// An actor with a Realm that observes in a task that is cancelled already.
private actor Watcher {
  private var tokens: [NotificationToken] = []

  func observe(_ configuration: Realm.Configuration, _ recorder: Recorder) async throws {
    let realm = try await Realm(configuration: configuration, actor: self)
    // Everything is ready before the task is cancelled.
    try realm.write { realm.create(Person.self, value: ["id": 1, "dogs": [["name": "A"]]], update: .all) }
    let person = try #require(realm.objects(Person.self).first)
    withUnsafeCurrentTask { $0?.cancel() }
    tokens.append(await realm.objects(Person.self).observe(on: self) { _, _ in recorder.add("results") })
    tokens.append(await person.dogs.observe(on: self) { _, _ in recorder.add("list") })
    tokens.append(
      await person.observe(on: self) { (_, _: ObjectChange<Person>) in recorder.add("object") })
    tokens.append(
      await PersonCard(projecting: person).observe(on: self) { _, _ in recorder.add("projection") })
    tokens.append(
      await realm.objects(Person.self).sectioned(by: \.name).observe(on: self) { _, _ in recorder.add("sections") })
    try realm.write { person.name = "new" }
    realm.refresh()
  }

  func invalidateAll() -> [Bool] { tokens.map { $0.invalidate() } }

  func look(_ configuration: Realm.Configuration) async throws -> Int {
    let realm = try await Realm(configuration: configuration, actor: self)
    return realm.objects(Person.self).count
  }
}

@Suite("Rules of asynchronous writes and observers", .timeLimit(.minutes(30))) struct AsyncRulesTests {
  @Test("F-12: an observer that is added in a cancelled task is never called, and its token is dead") func cancelled()
    async throws
  {
    let configuration = temporaryConfiguration()
    let keep = UncheckedBox(try await MainActor.run { UncheckedBox(try Realm(configuration: configuration)) })
    let recorder = Recorder()
    let watcher = Watcher()
    try await Task { try await watcher.observe(configuration, recorder) }.value
    // Whatever was to be called on the actor has been called after this.
    for _ in 0..<10 { _ = try await watcher.look(configuration) }
    #expect(recorder.all.isEmpty)
    #expect(await watcher.invalidateAll() == [false, false, false, false, false])
    withExtendedLifetime(keep) {}
  }

  @MainActor
  @Test("F-33: an asynchronous write is under way also inside of its block") func underWay() async throws {
    let realm = try await Realm(configuration: temporaryConfiguration())
    #expect(!realm.isPerformingAsynchronousWriteOperations)
    try await realm.asyncWrite { #expect(realm.isPerformingAsynchronousWriteOperations) }
    #expect(!realm.isPerformingAsynchronousWriteOperations)
    let inBlock = Lock<Bool?>(nil)
    await withCheckedContinuation { continuation in
      realm.writeAsync {
        let isBusy = realm.isPerformingAsynchronousWriteOperations
        inBlock.withLock { $0 = isBusy }
      } onComplete: { _ in
        continuation.resume()
      }
    }
    #expect(inBlock.withLock { $0 } == true && !realm.isPerformingAsynchronousWriteOperations)
    struct Failure: Error {}
    try? await realm.asyncWrite { throw Failure() }
    #expect(!realm.isPerformingAsynchronousWriteOperations)
  }

  @MainActor
  @Test("F-33: a grouped commit is reported with the writes that were queued after it") func grouping() async throws {
    let realm = try await Realm(configuration: temporaryConfiguration())
    let recorder = Recorder()
    await withCheckedContinuation { continuation in
      for id in 1...3 {
        realm.beginAsyncWrite {
          recorder.add("block \(id)")
          realm.add(Person(id: id))
          realm.commitAsyncWrite(allowGrouping: id < 3) { error in
            recorder.add("done \(id) \(error == nil)")
            if id == 3 { continuation.resume() }
          }
        }
      }
    }
    #expect(recorder.all == ["block 1", "block 2", "block 3", "done 1 true", "done 2 true", "done 3 true"])
    #expect(realm.objects(Person.self).count == 3 && !realm.isPerformingAsynchronousWriteOperations)
  }

  @MainActor
  @Test("F-33: a grouped commit is reported, too, when the write after it is cancelled or taken back")
  func groupingEnds() async throws {
    let realm = try await Realm(configuration: temporaryConfiguration())
    let recorder = Recorder()
    await withCheckedContinuation { continuation in
      realm.beginAsyncWrite {
        realm.commitAsyncWrite(allowGrouping: true) { _ in
          recorder.add("done")
          continuation.resume()
        }
      }
      realm.beginAsyncWrite { recorder.add("cancelled") }
    }
    #expect(recorder.all == ["cancelled", "done"])
    await withCheckedContinuation { continuation in
      let taken = Lock<AsyncTransactionId?>(nil)
      realm.beginAsyncWrite {
        realm.commitAsyncWrite(allowGrouping: true) { _ in
          recorder.add("done again")
          continuation.resume()
        }
        if let id = taken.withLock({ $0 }) { try? realm.cancelAsyncWrite(id) }
      }
      let id = realm.beginAsyncWrite { recorder.add("never") }
      taken.withLock { $0 = id }
    }
    #expect(recorder.all == ["cancelled", "done", "done again"])
    #expect(!realm.isPerformingAsynchronousWriteOperations)
  }

  @Test("F-33: a write that a block of the main queue queues runs in the run loop that the block turns")
  func nestedLoop() async {
    await #expect(processExitsWith: .success) {
      // The main thread is at work here; this one waits for it.
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        DispatchQueue.main.async {
          guard Thread.isMainThread else { return continuation.resume() }
          let realm = try! Realm(configuration: temporaryConfiguration())
          let isDone = Lock(false)
          realm.writeAsync {
            realm.add(Person(id: 1))
          } onComplete: { _ in
            isDone.withLock { $0 = true }
          }
          let end = Date(timeIntervalSinceNow: 30)
          while !isDone.withLock({ $0 }) {
            CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.01, true)
            if Date() > end { fatalError("the write has not run") }
          }
          continuation.resume()
        }
      }
    }
  }

  @Test("F-33: files can be deleted right after an opening in the background has been answered") func deleting()
    async throws
  {
    for _ in 0..<20 {
      let folder = try TemporaryFolder()
      let configuration = folder.configuration([Person.self, Dog.self, Address.self, Room.self])
      let count = try await Watcher().look(configuration)
      #expect(count == 0)
      #expect(try Realm.deleteFiles(for: configuration))
    }
  }

  @Test("F-33: the callback of an opening holds the only Realm of the store") func callback() throws {
    for _ in 0..<20 {
      let folder = try TemporaryFolder()
      let configuration = folder.configuration([Person.self, Dog.self, Address.self, Room.self])
      let queue = DispatchQueue(label: "opened")
      let done = DispatchSemaphore(value: 0)
      Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
        if case .failure(let error) = result { Issue.record(error) }
        done.signal()
      }
      done.wait()
      // The callback has returned.
      queue.sync {}
      #expect(try Realm.deleteFiles(for: configuration))
    }
  }
}
