import Foundation
import LarderLMDB
import TestSupport
import Testing

@Suite("Writer thread")
struct WriterThreadTests {
  @Test("a transaction that begins, is used and ends in three calls from three threads")
  func hopping() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory)
    let writer = environment.writerThread
    #expect(environment.writerThread === writer)
    let held = Smuggled(value: Holder())
    try onOtherThread { try writer.run { held.value.transaction = try environment.beginWrite() } }
    try onOtherThread {
      try writer.run { try held.value.transaction?.put(environment.table("a"), KeyBytes(1), [4]) }
    }
    try writer.run { try held.value.transaction?.commit() }
    #expect(try environment.fill(of: 1) == 4)
  }

  @Test("tasks that hop between threads write through it")
  func tasks() async throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for key in UInt64(0)..<100 {
        group.addTask { try await environment.writerThread.perform { try environment.store([key]) } }
      }
      try await group.waitForAll()
    }
    #expect(try environment.beginRead().count == 100)
  }

  @Test("runs in order, at once when already there, and rethrows")
  func order() throws {
    let writer = WriterThread()
    let collected = Collected<Int>()
    for number in 0..<50 { writer.submit { collected.append(number) } }
    #expect(!writer.isCurrent)
    let nested = try writer.run { try writer.run { writer.isCurrent } }
    #expect(nested)
    #expect(collected.values == Array(0..<50))
    #expect(throws: CocoaError.self) { try writer.run { throw CocoaError(.fileNoSuchFile) } }
  }

  @Test("ends with its last reference, after what it was given")
  func ending() {
    let done = DispatchSemaphore(value: 0)
    do {
      let writer = WriterThread()
      writer.submit { usleep(1000) }
      writer.submit { done.signal() }
    }
    #expect(done.wait(timeout: .now() + 10) == .success)
  }

  @Test("ends with a closure that held the last reference to it")
  func endingItself() {
    let (released, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    do {
      let owner = Owner(done)
      owner.writer.submit { [owner] in
        released.wait()
        #expect(owner.writer.isCurrent)
      }
    }
    released.signal()
    #expect(done.wait(timeout: .now() + 10) == .success)
  }
}

/// Lets go of a writer thread, and then tells.
private final class Owner: Sendable {
  let writer = WriterThread()
  private let last: Last

  init(_ done: DispatchSemaphore) { last = Last(done) }

  private final class Last: Sendable {
    private let done: DispatchSemaphore
    init(_ done: DispatchSemaphore) { self.done = done }
    deinit { done.signal() }
  }
}

private final class Holder {
  var transaction: WriteTransaction?
}
