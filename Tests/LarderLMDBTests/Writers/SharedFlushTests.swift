import Foundation
import LarderLocks
import TestSupport
import Testing

@testable import LarderLMDB

@Suite("Commits of several threads", .timeLimit(.minutes(30)))
struct SharedFlushTests {
  private let directory = try! TemporaryDirectory()

  private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
    let failure = Lock<(any Error)?>(nil)
    let group = DispatchGroup()
    for number in 0..<count {
      group.enter()
      Thread.detachNewThread {
        do { try body(number) } catch { failure.withLock { $0 = error } }
        group.leave()
      }
    }
    group.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }

  @Test("all are there, in the order in which they were made")
  func contents() throws {
    let environment = try openEnvironment(directory) { $0.durability = .full }
    let table = environment.table("a")
    try onThreads(6) { number in
      for round in 0..<40 {
        try environment.write { transaction in
          let key = KeyBytes(UInt64(1 << 32))
          let count = try transaction.get(table, key)?.load(0, as: UInt64.self) ?? 0
          try withUnsafeBytes(of: count + 1) { try transaction.put(table, key, $0) }
          try transaction.put(table, KeyBytes(UInt64(number * 1_000 + round)), [UInt8](repeating: 7, count: 400))
        }
        let read = try environment.beginRead()
        #expect(try read.fill(of: UInt64(number * 1_000 + round)) == 7)
      }
    }
    let read = try environment.beginRead()
    #expect(try read.get(table, KeyBytes(UInt64(1 << 32)))?.load(0, as: UInt64.self) == 240)
    #expect(try read.count == 241)
    _ = try environment.checkPages()
  }

  @Test("a writer does not wait for what the next one does in its transaction")
  func independence() throws {
    let environment = try openEnvironment(directory) { $0.durability = .full }
    let table = environment.table("a")
    let (begun, isWaiting, ended) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    try onThreads(2) { number in
      if number == 0 {
        // As if the disk were slow.
        environment.writers.flushes.noteDuration(1) { true }
        let transaction = try environment.beginWrite()
        begun.signal()
        isWaiting.wait()
        while !environment.writers.hasWaiting { usleep(100) }
        try transaction.put(table, KeyBytes(UInt64(1)), [1])
        try transaction.commit()
        ended.signal()
      } else {
        begun.wait()
        isWaiting.signal()
        let transaction = try environment.beginWrite()
        // Holds the lock until the other has returned from its commit.
        ended.wait()
        #expect(try transaction.get(table, KeyBytes(UInt64(1)))?.bytes == [1])
        try transaction.put(table, KeyBytes(UInt64(2)), [2])
        try transaction.commit()
      }
    }
    #expect(try environment.beginRead().count == 2)
  }
}
