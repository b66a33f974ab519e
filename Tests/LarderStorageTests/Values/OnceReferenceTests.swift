import Dispatch
import LarderLocks
import Synchronization
import Testing

@testable import LarderStorage

/// A reference that the first thread sets and all threads read.
@Suite struct OnceReferenceTests {
  private final class Count: Sendable {
    let living = Atomic<Int>(0)
  }

  private final class Counted: Sendable {
    let count: Count

    init(_ count: Count) {
      self.count = count
      count.living.add(1, ordering: .relaxed)
    }

    deinit { count.living.subtract(1, ordering: .relaxed) }
  }

  private final class Holder: Sendable {
    let reference = OnceReference<Counted>()
  }

  @Test("of several threads that set it at once one wins, and all get what that one set")
  func racing() {
    for _ in 0..<200 {
      let (holder, count) = (Holder(), Count())
      let seen = Lock<Set<ObjectIdentifier>>([])
      DispatchQueue.concurrentPerform(iterations: 8) { number in
        if number % 3 == 0, let known = holder.reference.object {
          seen.withLock { _ = $0.insert(ObjectIdentifier(known)) }
        }
        let kept = holder.reference.set(Counted(count))
        seen.withLock { _ = $0.insert(ObjectIdentifier(kept)) }
      }
      #expect(seen.withLock { $0.count } == 1)
      #expect(count.living.load(ordering: .relaxed) == 1, "what lost is freed")
    }
  }

  @Test("it is empty at first, keeps what it is given, and lets go of it at its end")
  func lifetime() {
    let count = Count()
    do {
      let holder = Holder()
      #expect(holder.reference.object == nil)
      let first = ObjectIdentifier(holder.reference.set(Counted(count)))
      #expect(count.living.load(ordering: .relaxed) == 1)
      #expect(holder.reference.object.map { ObjectIdentifier($0) } == first)
    }
    #expect(count.living.load(ordering: .relaxed) == 0)
  }
}
