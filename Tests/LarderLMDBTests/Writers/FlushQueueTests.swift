import Testing

@testable import LarderLMDB

/// The value in a box, since an expectation cannot change what it looks at.
private final class Flushes {
  private var queue = FlushQueue()

  func commit(_ transaction: UInt64?, isLate: Bool) {
    queue.commitBegan()
    queue.commitEnded(transaction, isLate: isLate)
  }

  func begin() { queue.commitBegan() }
  func end(_ transaction: UInt64?, isLate: Bool) { queue.commitEnded(transaction, isLate: isLate) }
  func step(_ transaction: UInt64, isPatient: Bool = true) -> FlushQueue.Step {
    queue.step(transaction, isPatient: isPatient)
  }
  func flushed(_ transaction: UInt64, _ result: Int32 = 0) { queue.flushed(transaction, result: result) }
}

@Suite("Queue of flushes")
struct FlushQueueTests {
  @Test("a commit with both flushes is durable, and with it what was late before it")
  func complete() {
    let flushes = Flushes()
    flushes.commit(5, isLate: false)
    #expect(flushes.step(5) == .done)
    flushes.commit(6, isLate: true)
    #expect(flushes.step(6) == .waitForCommit)
    flushes.commit(7, isLate: false)
    #expect(flushes.step(6) == .done && flushes.step(7) == .done)
  }

  @Test("a late commit is durable with the next one, which is late itself")
  func chain() {
    let flushes = Flushes()
    for transaction in UInt64(1)...20 {
      flushes.begin()
      if transaction > 1 { #expect(flushes.step(transaction - 1) == .wait) }
      flushes.end(transaction, isLate: true)
      if transaction > 1 { #expect(flushes.step(transaction - 1) == .done) }
      #expect(flushes.step(transaction) == .waitForCommit)
    }
  }

  @Test("a commit that fails or writes nothing makes nothing durable")
  func nothing() {
    let flushes = Flushes()
    flushes.commit(1, isLate: true)
    flushes.commit(nil, isLate: false)
    #expect(flushes.step(1) == .waitForCommit)
    flushes.commit(nil, isLate: true)
    #expect(flushes.step(1, isPatient: false) == .flush(covering: 1))
  }

  @Test("one writer flushes for all, and not for what is written meanwhile")
  func ownFlush() {
    let flushes = Flushes()
    flushes.commit(1, isLate: true)
    flushes.commit(2, isLate: true)
    #expect(flushes.step(2, isPatient: false) == .flush(covering: 2))
    #expect(flushes.step(2, isPatient: false) == .wait)
    flushes.commit(3, isLate: true)
    // That commit has flushed its pages, and what was written before them.
    #expect(flushes.step(2) == .done)
    #expect(flushes.step(3, isPatient: false) == .wait)
    flushes.flushed(2)
    #expect(flushes.step(3) == .waitForCommit)
    #expect(flushes.step(3, isPatient: false) == .flush(covering: 3))
    flushes.flushed(3)
    #expect(flushes.step(3) == .done)
  }

  @Test("after a flush that failed nothing late is said to be durable")
  func failure() {
    let flushes = Flushes()
    flushes.commit(1, isLate: false)
    flushes.commit(2, isLate: true)
    #expect(flushes.step(2, isPatient: false) == .flush(covering: 2))
    flushes.flushed(2, 5)
    #expect(flushes.step(2) == .fail(5))
    #expect(flushes.step(1) == .done)
  }
}
