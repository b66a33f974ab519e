import CoreFoundation
import Dispatch
import Foundation
import LarderLocks
import Testing

@testable import Larder

/// Covers N-2, N-5 and R-2 where a turn comes at a time when nothing can be delivered.
@Suite("Turns that come at a bad time", .timeLimit(.minutes(30))) struct MissedTurnTests {
  @Test("N-2 the first call comes after a write that was open when it was due has been cancelled")
  func cancelledWrite() throws {
    let queue = DispatchQueue(label: "owner")
    let configuration = temporaryConfiguration()
    let realm = UncheckedBox(try queue.sync { try Realm(configuration: configuration, queue: queue) })
    let recorder = Recorder()
    let token = queue.sync {
      realm.value.beginWrite()
      return UncheckedBox(
        realm.value.objects(Person.self).observe { change in
          if case .initial = change { recorder.add("initial \(realm.value.isInWriteTransaction)") }
        })
    }
    // The queue turns, with the write open.
    for _ in 0..<100 {
      queue.sync {}
      Thread.sleep(forTimeInterval: 0.001)
    }
    #expect(recorder.all.isEmpty)
    queue.sync { realm.value.cancelWrite() }
    #expect(recorder.wait() && recorder.all == ["initial false"])
    token.value.invalidate()
  }

  @Test("N-5, R-2 what others commit while a callback runs its thread's run loop is delivered afterwards")
  func nestedRunLoop() throws {
    let configuration = temporaryConfiguration()
    let keep = try Realm(configuration: configuration)
    let recorder = Recorder()
    let done = Lock(false)
    @Sendable func add(_ id: Int) {
      elsewhere {
        do {
          let realm = try Realm(configuration: configuration)
          try realm.write { realm.add(Person(id: id)) }
        } catch {
          Issue.record(error)
        }
      }
    }
    let thread = Thread {
      let kept = Lock<UncheckedBox<(Realm, NotificationToken)>?>(nil)
      let start = Timer(timeInterval: 0, repeats: false) { _ in
        do {
          let realm = try Realm(configuration: configuration)
          let token = realm.objects(Person.self).observe { change in
            guard case .update(let people, _, let insertions, _) = change else { return recorder.add("initial") }
            recorder.add("+\(insertions) of \(people.count)")
            guard people.count == 1 else { return }
            add(2)
            // Turns come in here, and find the Realm delivering.
            for _ in 0..<20 { CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.005, false) }
          }
          let box = UncheckedBox((realm, token))
          kept.withLock { $0 = box }
        } catch {
          Issue.record(error)
        }
      }
      RunLoop.current.add(start, forMode: .default)
      while !done.withLock({ $0 }) { CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.01, false) }
      kept.withLock { $0 = nil }
    }
    thread.start()
    #expect(recorder.wait())
    add(1)
    #expect(recorder.wait() && recorder.wait())
    #expect(recorder.all == ["initial", "+[0] of 1", "+[1] of 2"])
    done.withLock { $0 = true }
    while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
    withExtendedLifetime(keep) {}
  }
}
