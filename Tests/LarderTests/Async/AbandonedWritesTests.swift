import CoreFoundation
import Foundation
import LarderLocks
import Testing

@testable import Larder

extension Keeper {
  /// Queues a write, and goes on.
  func queueWrite(_ recorder: Recorder) throws {
    let realm = try realm
    realm.writeAsync {
      recorder.add("block")
      realm.add(Person(id: 1))
    } onComplete: { _ in
      recorder.add("done")
    }
  }

  /// Writes, unless the lock is not free for a long time.
  func writeSoon(_ id: Int) throws {
    let realm = try realm
    try realm.write(timeout: 8) { realm.add(Person(id: id)) }
  }
}

/// A Realm that may have been released.
private final class WeakCore: @unchecked Sendable {
  // Unchecked: set by a thread that has ended before it is read.
  weak var core: RealmCore?
}

/// Covers U-2 and N-73: queued writes whose place has ended when their turn comes.
@Suite("Queued writes of tasks, actors and Realms that have ended", .timeLimit(.minutes(30)))
struct AbandonedWritesTests {
  @Test("U-2, N-73 an actor that goes with a queued write gives the lock back; the block does not run")
  func actor() async throws {
    let configuration = temporaryConfiguration()
    let other = Keeper()
    try await other.open(configuration)
    let blocker = try await HeldLock(configuration)
    let recorder = Recorder()
    weak var gone: Keeper?
    weak var core: RealmCore?
    do {
      let keeper = Keeper()
      gone = keeper
      try await keeper.open(configuration)
      core = try await keeper.smuggle().value.core
      try await keeper.queueWrite(recorder)
    }
    for _ in 0..<5_000 where gone != nil { try await Task.sleep(for: .milliseconds(1)) }
    #expect(gone == nil)
    blocker.release()
    try await other.writeSoon(2)
    #expect(try await other.ids() == [2] && recorder.all.isEmpty)
    for _ in 0..<5_000 where core != nil { try await Task.sleep(for: .milliseconds(1)) }
    #expect(core == nil)
  }

  @Test("U-2, N-73 so does a thread that ends before its turn, without the lock and with it", arguments: [false, true])
  func thread(hasLock: Bool) async throws {
    let configuration = temporaryConfiguration()
    let other = Keeper()
    try await other.open(configuration)
    let blocker = try await HeldLock(configuration)
    let recorder = Recorder()
    let seen = WeakCore()
    elsewhere {
      let isQueued = Lock(false)
      let timer = Timer(timeInterval: 0, repeats: false) { _ in
        do {
          let realm = try Realm(configuration: configuration)
          seen.core = realm.core
          realm.writeAsync { recorder.add("block") }
        } catch {
          Issue.record(error)
        }
        isQueued.withLock { $0 = true }
      }
      RunLoop.current.add(timer, forMode: .default)
      while !isQueued.withLock({ $0 }) { CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.01, true) }
      // The run loop does not turn any more: what comes now waits there.
      guard hasLock else { return }
      blocker.release()
      Thread.sleep(forTimeInterval: 0.1)
    }
    if !hasLock { blocker.release() }
    try await other.writeSoon(2)
    for _ in 0..<5_000 where seen.core != nil { try await Task.sleep(for: .milliseconds(1)) }
    #expect(seen.core == nil && recorder.all.isEmpty)
    #expect(try await other.ids() == [2])
  }

  @Test("calls to an actor keep their order, and are dropped when it is gone") func dropped() async throws {
    let recorder = Recorder()
    var keeper: Keeper? = Keeper()
    let target = ActorTarget(ActorReference(try #require(keeper)))
    for number in 0..<50 { target.deliver { recorder.add("\(number)") } }
    for _ in 0..<5_000 where recorder.all.count < 50 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(recorder.all == (0..<50).map { "\($0)" })
    weak let gone = keeper
    keeper = nil
    for _ in 0..<5_000 where gone != nil { try await Task.sleep(for: .milliseconds(1)) }
    for _ in 0..<2 {
      let delivery = CancellableDelivery {
        recorder.add("called")
      } lost: {
        recorder.add("lost")
      }
      target.deliver { delivery.run() }
    }
    #expect(recorder.all.suffix(2) == ["lost", "lost"])
  }
}
