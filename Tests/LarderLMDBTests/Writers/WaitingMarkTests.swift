import Foundation
import LarderLocks
import TestSupport
import Testing

@testable import LarderLMDB

@Suite("Mark of waiting writers")
struct WaitingMarkTests {
  private let directory = try! TemporaryDirectory()

  @Test("other processes see a mark, its own does not, and it ends with its process")
  func mark() throws {
    let environment = try openEnvironment(directory) { $0.durability = .full }
    let mark = try #require(WaitingMark(of: environment.handle))
    mark.set()
    #expect(!mark.isSetByAnother)
    #expect(try seen() == "seen true")
    mark.clear()
    #expect(try seen() == "seen false")

    let worker = try WorkerProcess("LMDBWorker", ["mark", directory.file("data")])
    _ = worker.readLine()
    #expect(mark.isSetByAnother)
    worker.kill()
    #expect(!mark.isSetByAnother)
  }

  private func seen() throws -> String {
    try WorkerProcess.run("LMDBWorker", ["see-mark", directory.file("data")]).output
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test("a writer that waits for another process's transaction is seen by it, where flushes are slow")
  func waiting() throws {
    let worker = try WorkerProcess("LMDBWorker", ["write-slowly", directory.file("data")])
    _ = worker.readLine()
    let environment = try openEnvironment(directory) { $0.durability = .full }
    let mark = try #require(WaitingMark(of: environment.handle))
    let transaction = try environment.beginWrite()
    #expect(environment.nextWriter(false) == .unknown)
    try worker.send("go")
    for _ in 0..<60_000 where !mark.isSetByAnother { usleep(1_000) }
    try #require(mark.isSetByAnother)
    // Where they are not known to be slow here, there is nothing to gain.
    #expect(environment.nextWriter(false) == .unknown)
    environment.writers.flushes.noteDuration(1) { true }
    #expect(environment.nextWriter(false) == .foreign && environment.nextWriter(true) == .own)
    transaction.abort()
    #expect(worker.readLine() == "done")
    #expect(!mark.isSetByAnother && environment.nextWriter(false) == .unknown)
  }

  @Test("nothing is late where flushes cannot be shared, however long they take")
  func useless() throws {
    let environment = try openEnvironment(directory) { $0.durability = .full }
    let flushes = environment.writers.flushes
    flushes.noteDuration(1) { false }
    #expect(!flushes.areSlow && !flushes.allowsLate { nil })
  }
}
