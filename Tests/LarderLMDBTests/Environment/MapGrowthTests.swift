import Foundation
@testable import LarderLMDB
import TestSupport
import TestTraits
import Testing

@Suite("Map growth")
struct MapGrowthTests {
  private func open(_ directory: TemporaryDirectory, map: Int = 1 << 20) throws -> Environment {
    try openEnvironment(directory) {
      $0.mapSize = map
      $0.maximumMapSize = 64 << 20
      $0.growthPatience = 0.3
    }
  }

  @Test("a transaction larger than the map grows it, unseen")
  func growsOnDemand() throws {
    let directory = try TemporaryDirectory()
    let environment = try open(directory)
    try environment.store(0..<3000, size: 3000)
    #expect(environment.mapSize >= 16 << 20)
    #expect(try environment.beginRead().count == 3000)
    _ = try environment.checkPages()
  }

  @Test("many small transactions grow it ahead of need, with readers coming and going")
  func growsAhead() throws {
    let directory = try TemporaryDirectory()
    let environment = try open(directory)
    let finished = Flag()
    let readers = (0..<2).map { _ in
      Thread {
        while !finished.isRaised {
          do {
            let snapshot = try environment.beginRead()
            let count = try snapshot.count
            if count > 0 { #expect(try snapshot.fill(of: UInt64(count) - 1) == 1) }
          } catch {
            Issue.record(error)
          }
          usleep(100)
        }
      }
    }
    for reader in readers { reader.start() }
    for key in UInt64(0)..<1500 { try environment.store([key], size: 3000) }
    finished.raise()
    #expect(environment.mapSize >= 8 << 20)
    #expect(try environment.beginRead().count == 1500)
  }

  @Test("a pinned snapshot forbids it: the error names number and age, the snapshot stays readable")
  func pinned() throws {
    let directory = try TemporaryDirectory()
    let environment = try open(directory)
    try environment.store([0], size: 3000)
    var pinned: [ReadTransaction]? = try (0..<3).map { _ in try environment.beginRead() }
    let failure = error { try environment.store(1..<1000, size: 3000) }
    #expect(failure?.code == .readersPinMap)
    #expect(failure?.detail.contains("3 read transactions") ?? false)
    #expect(failure?.detail.contains("the oldest for 0.") ?? false, "\(failure?.detail ?? "")")
    #expect(try pinned?.first?.fill(of: 0) == 1)
    #expect(try environment.beginRead().count == 1)
    pinned = nil
    try environment.store(1..<1000, size: 3000)
    #expect(try environment.beginRead().count == 1000)
  }

  @Test("readers that end in time are waited for")
  func waits() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory) {
      $0.mapSize = 1 << 20
      $0.growthPatience = 30
    }
    try environment.store([0])
    let held = Smuggled(value: SnapshotHolder(try environment.beginRead()))
    let thread = Thread {
      usleep(200_000)
      held.value.snapshot = nil
    }
    thread.start()
    try environment.store(1..<1000, size: 3000)
    #expect(try environment.beginRead().count == 1000)
  }

  @Test("a body that overflowed the map runs again on the state before it")
  func runsAgain() throws {
    let directory = try TemporaryDirectory()
    let environment = try open(directory)
    let table = environment.table("a")
    var runs = 0
    try environment.write { transaction in
      runs += 1
      #expect(try transaction.statistics(table).entries == 0)
      for key in UInt64(0)..<1000 { try transaction.put(table, KeyBytes(key), [UInt8](repeating: 1, count: 3000)) }
    }
    #expect(runs > 1)
    #expect(try environment.beginRead().count == 1000)
  }

  @Test("the largest permitted size is an error, and what was committed stays")
  func limit() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory) {
      $0.mapSize = 1 << 20
      $0.maximumMapSize = 2 << 20
    }
    try environment.store(0..<50, size: 3000)
    let failure = error { try environment.store(50..<5000, size: 3000) }
    #expect(failure?.code == .mapLimit)
    #expect(failure?.detail.contains("2097152") ?? false)
    #expect(try environment.beginRead().count == 50)
    #expect(try environment.write { try $0.delete(environment.table("a"), KeyBytes(7)) })
  }

  @Test("without `write`, a full map is an error that leaves the environment usable")
  func manual() throws {
    let directory = try TemporaryDirectory()
    let environment = try open(directory)
    let size = environment.mapSize
    let transaction = try environment.beginWrite()
    let failure = code {
      for key in UInt64(0)..<1000 {
        try transaction.put(environment.table("a"), KeyBytes(key), [UInt8](repeating: 1, count: 3000))
      }
      try transaction.commit()
    }
    #expect(failure == .mapFull)
    transaction.abort()
    try environment.growMap(beyond: size)
    #expect(environment.mapSize == 2 * size)
    try environment.growMap(beyond: size)
    #expect(environment.mapSize == 2 * size)
    try environment.store([1])
  }

  @Test("a transaction that did not fit is followed by one in a larger map, without asking for it")
  func nextTime() throws {
    let directory = try TemporaryDirectory()
    let environment = try open(directory)
    for _ in 0..<5 {
      let transaction = try environment.beginWrite()
      do {
        for key in UInt64(0)..<1000 {
          try transaction.put(environment.table("a"), KeyBytes(key), [UInt8](repeating: 1, count: 3000))
        }
        try transaction.commit()
        break
      } catch let error as LMDBError {
        #expect(error.code == .mapFull)
      }
    }
    #expect(try environment.beginRead().count == 1000)
  }

  @Test("the size that another process gave the map is taken over, for reading and for writing")
  func adoption() throws {
    let directory = try TemporaryDirectory()
    let environment = try open(directory)
    try environment.store(0..<10, size: 3000)
    let first = try WorkerProcess.run("LMDBWorker", ["write", environment.path, "10", "1000", "3000", "1048576"])
    #expect(first.status == 0, "\(first.output)")
    #expect(try environment.beginRead().count == 1010)
    #expect(environment.mapSize > 1 << 20)
    let second = try WorkerProcess.run("LMDBWorker", ["write", environment.path, "1010", "4000", "3000", "1048576"])
    #expect(second.status == 0, "\(second.output)")
    try environment.store([9999])
    #expect(try environment.beginRead().count == 5011)
  }

  @Test("a pinned snapshot is not unmapped by another process's growth")
  func adoptionWaits() throws {
    let directory = try TemporaryDirectory()
    let environment = try open(directory)
    try environment.store(0..<10, size: 3000)
    var pinned: ReadTransaction? = try environment.beginRead()
    let worker = try WorkerProcess.run("LMDBWorker", ["write", environment.path, "10", "1000", "3000", "1048576"])
    #expect(worker.status == 0)
    #expect(code { _ = try environment.beginRead() } == .readersPinMap)
    #expect(try pinned?.fill(of: 9) == 1)
    pinned = nil
    #expect(try environment.beginRead().count == 1010)
  }

  @Test("a map smaller than the file, and one larger than the address space, still open")
  func oddSizes() throws {
    let directory = try TemporaryDirectory()
    try openEnvironment(directory).store(0..<1000, size: 3000)
    let small = try open(directory)
    #expect(try small.beginRead().count == 1000)
    try small.store([5000], size: 3000)
    let other = try TemporaryDirectory()
    let huge = try openEnvironment(other) { $0.mapSize = 1 << 50 }
    try huge.store([1])
    #expect(huge.mapSize < 1 << 47)
  }

  @Test("the default reserves far more than the file takes, which stays small")
  func defaultSize() throws {
    let directory = try TemporaryDirectory()
    let environment = try Environment.open(
      path: directory.file("data"), options: EnvironmentOptions(tables: ["a", "b"]))
    try environment.store([1])
    #expect(environment.mapSize >= 1 << 35)
    #expect(fileSize(environment.path) < 1 << 16)
  }

  @Test("F-47: the more a process has open the less the next map gets, but several times what its file needs")
  func shares() {
    func size(_ open: Int, _ needed: Int = 8192, wanted: Int = 1 << 40) -> Int {
      MapReservation.size(wanted: wanted, needed: needed, open: open)
    }
    #expect(size(0) == 1 << 40 && size(15) == 1 << 40)
    #expect(size(16) == 1 << 35 && size(1_024) == 1 << 32 && size(100_000) == 1 << 26)
    // Half of the 128 TiB of a process, whatever the order in which 20,000 were opened.
    #expect((0..<20_000).reduce(0) { $0 + size($1) } < 100 << 40)
    #expect(size(5_000, 3 << 30) == 1 << 35 && size(100_000, 100 << 20) == 1 << 30)
    #expect(size(0, wanted: 1 << 20) == 1 << 20 && size(50_000, 9 << 40) == 1 << 40)
  }

  @Test("F-47: 2,000 environments are open in one process, all of them usable, and growing", .long)
  func many() throws {
    let directory = try TemporaryDirectory()
    // The thread sanitizer leaves a process a small part of its addresses: sixty maps fill it.
    let isShort = ProcessInfo.processInfo.environment["LARDER_SANITIZE"] == "thread"
    let count = isShort ? 40 : 2_000
    let result = try WorkerProcess.run("LMDBWorker", ["many", directory.file("data"), "\(count)"])
    #expect(result.output == "open \(count) grown 10 entries \(count)\n", "\(result.output) \(result.errors)")
  }

  @Test("F-47: no more files, or no more addresses: the error says so, and what is open goes on")
  func limits() throws {
    for (kind, code) in [("files", EMFILE), ("addresses", LMDBError.Code.noAddressSpace.rawValue)] {
      let directory = try TemporaryDirectory()
      let result = try WorkerProcess.run("LMDBWorker", ["limits", directory.file("data"), kind == "files" ? "1" : "2"])
      let words = result.output.split(separator: " ")
      #expect(words.first == "\(code)", "\(kind) \(result.output) \(result.errors)")
      #expect(result.output.hasSuffix("still usable\n"), "\(result.output)")
    }
  }

  @Test("F-47: a reader of another process with a smaller map keeps its snapshot, and then sees what is beyond its map")
  func smallerMaps() throws {
    let directory = try TemporaryDirectory()
    let environment = try open(directory)
    try environment.store(0..<10, size: 3000)
    let worker = try WorkerProcess("LMDBWorker", ["hold-read", environment.path, "1048576"])
    #expect(worker.readLine() != nil && worker.readLine() == "ready")
    // Grows here, while the other holds its version in a map of 1 MiB.
    try environment.store(10..<2000, size: 3000)
    #expect(environment.mapSize > 4 << 20)
    try worker.send("go")
    #expect(worker.readLine() == "10")
    #expect(worker.readLine() == "2000")
    #expect(worker.waitUntilExit() == 0)
  }
}

private final class SnapshotHolder {
  var snapshot: ReadTransaction?
  init(_ snapshot: ReadTransaction) { self.snapshot = snapshot }
}
