import Foundation
import LarderLMDB
import TestSupport
import Testing

@Suite("Readers")
struct ReaderTests {
  @Test("a warmed snapshot is read by many threads at once while another writes")
  func sharedSnapshot() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory)
    try environment.store(0..<2000, size: 40, fill: 1)
    let snapshot = try environment.beginRead()
    let writing = Flag()
    let writer = Thread {
      var fill: UInt8 = 2
      while !writing.isRaised {
        fill = fill &+ 1 | 1
        try? environment.store(stride(from: 0, to: 2000, by: 7), size: Int(fill) * 3, fill: fill)
      }
    }
    writer.start()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      do {
        var random = SeededRandom(seed: UInt64(thread))
        for _ in 0..<1500 { #expect(try snapshot.fill(of: UInt64(random.int(0..<2000))) == 1) }
        let cursor = try snapshot.cursor(environment.table("a"))
        var count = 0
        while let entry = try cursor.next() {
          count += entry.value.load(39, as: UInt8.self) == 1 ? 1 : 0
        }
        #expect(count == 2000)
      } catch {
        Issue.record(error)
      }
    }
    writing.raise()
  }

  @Test("ended transactions are used again; live ones are known with version and age")
  func pooling() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory)
    for _ in 0..<100 { _ = try environment.beginRead() }
    #expect(try environment.readerTable().count == 1)
    #expect(environment.liveReaders.isEmpty)
    #expect(environment.oldestReader == .max)
    let first = try environment.beginRead()
    try environment.store([1])
    let second = try environment.beginRead()
    #expect(environment.liveReaders.map(\.transactionID) == [first.transactionID, second.transactionID])
    #expect(environment.liveReaders.allSatisfy { $0.age >= 0 && $0.age < 60 })
    #expect(environment.oldestReader == first.transactionID)
    let table = try environment.readerTable()
    #expect(table.count == 2 && table.allSatisfy { $0.process == getpid() })
    withExtendedLifetime((first, second)) {}
  }

  @Test("a transaction that was just committed is always seen by the next reader")
  func freshness() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory)
    for key in UInt64(1)...200 {
      try environment.store([key])
      #expect(try onOtherThreadFill(environment, key) == 1)
    }
  }

  private func onOtherThreadFill(_ environment: Environment, _ key: UInt64) throws -> UInt8? {
    key % 20 == 0 ? try onOtherThread { try environment.fill(of: key) } : try environment.fill(of: key)
  }

  @Test("when all slots are taken the error says by whom, and a freed slot is used")
  func full() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory) { $0.maximumReaders = 4 }
    var held: [ReadTransaction] = []
    let failure = error { while true { held.append(try environment.beginRead()) } }
    #expect(failure?.code == .readersFull)
    #expect(failure?.detail.contains("4 by this process") ?? false, "\(failure?.detail ?? "")")
    #expect(held.count == 4)
    held.removeLast()
    held.append(try environment.beginRead())
  }

  @Test("F-40: there are thousands of reader slots, and a lock file with fewer gets them when no one has it open")
  func slots() throws {
    let directory = try TemporaryDirectory()
    do { #expect(try openEnvironment(directory) { $0.maximumReaders = 4 }.readerSlots == 4) }
    let environment = try openEnvironment(directory)
    #expect(environment.readerSlots >= 4_000)
    let held = try (0..<4_000).map { _ in try environment.beginRead() }
    #expect(held.count == 4_000)
  }

  @Test("F-40: slots of a killed process are freed when all are taken")
  func deadReadersFreed() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory) { $0.maximumReaders = 4 }
    let workers = try (0..<3).map { _ in try WorkerProcess("LMDBWorker", ["hold-read", environment.path]) }
    for worker in workers { while let line = worker.readLine(), line != "ready" {} }
    for worker in workers { worker.kill() }
    let held = try (0..<4).map { _ in try environment.beginRead() }
    #expect(held.count == 4)
  }

  @Test("F-62: a write of equal values learns whether other processes read, and what the oldest reader reads")
  func otherReaders() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory)
    #expect(!environment.hasOtherReaders && environment.oldestReader == .max)
    try environment.store([1])
    let own = try environment.beginRead()
    #expect(!environment.hasOtherReaders && environment.oldestReader == own.transactionID)
    try environment.store([2])
    let worker = try WorkerProcess("LMDBWorker", ["hold-read", environment.path])
    let pinned = try #require(worker.readLine().flatMap { UInt64($0) })
    #expect(worker.readLine() == "ready")
    #expect(pinned > own.transactionID)
    #expect(environment.hasOtherReaders && environment.oldestReader == own.transactionID)
    worker.kill()
    #expect(try environment.clearDeadReaders() == 1)
    #expect(!environment.hasOtherReaders && environment.oldestReader == own.transactionID)
    withExtendedLifetime(own) {}
  }

  @Test("M-90, M-91 a killed process's snapshot pins pages until readers are checked")
  func deadReader() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory)
    try environment.store(1...200, size: 3000)
    let worker = try WorkerProcess("LMDBWorker", ["hold-read", environment.path])
    let pinned = try #require(worker.readLine().flatMap { UInt64($0) })
    #expect(worker.readLine() == "ready")
    #expect(environment.oldestReader == pinned)
    #expect(try environment.clearDeadReaders() == 0)
    worker.kill()
    #expect(try environment.readerTable().contains { $0.process == worker.processIdentifier })
    for round in 0..<5 { try environment.store(1...200, size: 3000, fill: UInt8(round)) }
    let grown = environment.usedBytes
    #expect(grown > 3_500_000)
    #expect(try environment.clearDeadReaders() == 1)
    #expect(environment.oldestReader == .max)
    for round in 0..<10 { try environment.store(1...200, size: 3000, fill: UInt8(round)) }
    #expect(environment.usedBytes < grown + 1_500_000)
    #expect(try environment.beginRead().freePages() > 500)
  }

  @Test("a live snapshot of another process stays whole under our writes")
  func otherProcessReads() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory)
    try environment.store(1...50)
    let worker = try WorkerProcess("LMDBWorker", ["hold-read", environment.path])
    while let line = worker.readLine(), line != "ready" {}
    for round in UInt64(0)..<10 { try environment.store(100 + round * 50..<150 + round * 50) }
    try worker.send("go")
    #expect(worker.readLine() == "50")
    #expect(worker.waitUntilExit() == 0)
  }
}

final class Flag: @unchecked Sendable {
  // Unchecked: guarded by the lock.
  private let lock = NSLock()
  private var raised = false

  func raise() {
    lock.lock()
    raised = true
    lock.unlock()
  }

  var isRaised: Bool {
    lock.lock()
    defer { lock.unlock() }
    return raised
  }
}
