import Testing

@testable import LarderLMDB

/// The value in a box, since an expectation cannot change what it looks at.
private final class Flushes {
  private var queue = FlushQueue()

  func commit(_ outcome: FlushQueue.Outcome) {
    queue.commitBegan()
    queue.commitEnded(outcome)
  }

  var allowsLate: Bool { queue.allowsLate }
  func begin() { queue.commitBegan() }
  func end(_ outcome: FlushQueue.Outcome) { queue.commitEnded(outcome) }
  func step(_ transaction: UInt64, isPatient: Bool = true) -> FlushQueue.Step {
    queue.step(transaction, isPatient: isPatient)
  }
  func failed() { queue.commitFailed() }
  var isPending: Bool { queue.isPending }
  func flushed(_ transaction: UInt64, _ result: Int32 = 0) { queue.flushed(transaction, result: result) }
}

@Suite("Queue of flushes")
struct FlushQueueTests {
  @Test("a commit with both flushes is durable, and with it what was late before it")
  func complete() {
    let flushes = Flushes()
    flushes.commit(.made(5, isLate: false))
    #expect(flushes.step(5) == .done)
    flushes.commit(.made(6, isLate: true))
    #expect(flushes.step(6) == .waitForCommit)
    flushes.commit(.made(7, isLate: false))
    #expect(flushes.step(6) == .done && flushes.step(7) == .done)
  }

  @Test("a late commit is durable with the next one, which is late itself")
  func chain() {
    let flushes = Flushes()
    for transaction in UInt64(1)...20 {
      flushes.begin()
      if transaction > 1 { #expect(flushes.step(transaction - 1) == .wait) }
      flushes.end(.made(transaction, isLate: true))
      if transaction > 1 { #expect(flushes.step(transaction - 1) == .done) }
      #expect(flushes.step(transaction) == .waitForCommit)
    }
  }

  @Test("a commit that writes nothing makes nothing durable")
  func nothing() {
    let flushes = Flushes()
    flushes.commit(.made(1, isLate: true))
    flushes.commit(.unchanged)
    #expect(flushes.step(1) == .waitForCommit)
    flushes.commit(.unchanged)
    #expect(flushes.step(1, isPatient: false) == .flush(covering: 1))
  }

  @Test("one writer flushes for all, and not for what is written meanwhile")
  func ownFlush() {
    let flushes = Flushes()
    flushes.commit(.made(1, isLate: true))
    flushes.commit(.made(2, isLate: true))
    #expect(flushes.step(2, isPatient: false) == .flush(covering: 2))
    #expect(flushes.step(2, isPatient: false) == .wait)
    flushes.commit(.made(3, isLate: true))
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
    flushes.commit(.made(1, isLate: false))
    flushes.commit(.made(2, isLate: true))
    #expect(flushes.step(2, isPatient: false) == .flush(covering: 2))
    flushes.flushed(2, 5)
    #expect(flushes.step(2) == .fail(5))
    #expect(flushes.step(1) == .done)
  }

  @Test("after a commit that failed the writer of a late one before it flushes at once, and none is late meanwhile")
  func doubt() {
    let flushes = Flushes()
    flushes.commit(.made(1, isLate: true))
    flushes.commit(.failed)
    #expect(!flushes.allowsLate)
    #expect(flushes.step(1) == .flush(covering: 1))
    flushes.flushed(1)
    #expect(flushes.step(1) == .done)
    #expect(!flushes.allowsLate)
    flushes.commit(.made(2, isLate: false))
    #expect(flushes.allowsLate)
  }

  @Test("a flush that failed in a commit is not forgotten when that of the next commit succeeds")
  func doubtRemains() {
    let flushes = Flushes()
    flushes.commit(.made(1, isLate: true))
    flushes.commit(.failed)
    // As if it had begun before the failure: what was lost was not reported to its flush.
    flushes.commit(.made(2, isLate: true))
    #expect(flushes.step(1) == .flush(covering: 2))
    flushes.flushed(2, 5)
    #expect(flushes.step(1) == .fail(5) && flushes.step(2) == .fail(5))
    #expect(!flushes.allowsLate)
  }

  @Test("a commit with both flushes ends the doubt: its meta page leads to all that was before")
  func doubtEnds() {
    let flushes = Flushes()
    flushes.commit(.made(1, isLate: true))
    flushes.commit(.failed)
    flushes.commit(.made(2, isLate: false))
    #expect(flushes.step(1) == .done && flushes.step(2) == .done)
    #expect(flushes.allowsLate)
  }

  @Test("after a commit that failed the next one is not late: others of another process may have been")
  func foreignDoubt() {
    let flushes = Flushes()
    flushes.commit(.made(1, isLate: false))
    #expect(flushes.allowsLate && !flushes.isPending)
    flushes.failed()
    #expect(!flushes.allowsLate && flushes.isPending)
    flushes.commit(.unchanged)
    flushes.commit(.unclear(2, isLate: false))
    #expect(!flushes.allowsLate && flushes.isPending)
    flushes.commit(.made(3, isLate: false))
    #expect(flushes.allowsLate && !flushes.isPending)
    flushes.commit(.failed)
    #expect(!flushes.allowsLate)
  }

  @Test("of a commit that another process's may have come after nothing is concluded, but that its writer flushes")
  func unclear() {
    let flushes = Flushes()
    flushes.commit(.made(1, isLate: true))
    flushes.commit(.unclear(2, isLate: true))
    #expect(flushes.step(1, isPatient: false) == .flush(covering: 2))
    #expect(flushes.step(2) == .wait)
    flushes.flushed(2)
    #expect(flushes.step(1) == .done && flushes.step(2) == .done)
    flushes.commit(.made(4, isLate: true))
    flushes.commit(.unclear(5, isLate: false))
    #expect(flushes.step(4, isPatient: false) == .flush(covering: 4))
  }
}
