import Foundation
import LarderLMDB
import TestSupport
import Testing

/// Using a database's files alone: compaction in place, and removal.
@Suite("Exclusive use") struct ExclusiveUseTests {
  @Test("while a file is open elsewhere, in this process or another, it cannot be used alone")
  func inUse() throws {
    let directory = try TemporaryDirectory()
    let path: String
    do {
      let environment = try openEnvironment(directory)
      try environment.store([1])
      path = environment.path
      #expect(code { try Environment.withExclusiveUse(of: path) { _ in } } == .inUse)
    }
    try Environment.withExclusiveUse(of: path) { _ in }
    let worker = try WorkerProcess("LMDBWorker", ["hold-read", path])
    _ = worker.readLine()
    #expect(worker.readLine() == "ready")
    #expect(code { try Environment.withExclusiveUse(of: path) { try $0.removeData() } } == .inUse)
    try worker.send("end")
    #expect(worker.waitUntilExit() == 0)
    try Environment.withExclusiveUse(of: path) { try $0.removeData() }
    #expect(fileSize(path) == -1)
    #expect(code { try Environment.withExclusiveUse(of: path) { _ in } } == .noSuchFile)
  }

  @Test("compacting in place keeps every entry and gives the room back; nothing is left beside the file")
  func compact() throws {
    let directory = try TemporaryDirectory()
    let path: String
    do {
      let environment = try openEnvironment(directory)
      path = environment.path
      try environment.store(0..<500, size: 2500, fill: 6)
      try environment.write { transaction in
        for key in UInt64(100)..<500 { try transaction.delete(environment.table("a"), KeyBytes(key)) }
      }
    }
    let before = fileSize(path)
    try Environment.withExclusiveUse(of: path) { try $0.compact() }
    #expect(fileSize(path) < before / 2)
    let environment = try openEnvironment(directory) { $0.inspection = .everyPage }
    #expect(try environment.beginRead().count == 100 && environment.fill(of: 99) == 6)
    try environment.store([1_000])
    _ = try environment.checkPages()
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    #expect(names == ["data", "data-lock"])
  }

  @Test("compacting in place leaves no room in the pages: the file becomes smaller than LMDB's own compaction makes it")
  func fullPages() throws {
    let directory = try TemporaryDirectory()
    var random = SeededRandom.forTest()
    let path: String
    do {
      let environment = try openEnvironment(directory)
      path = environment.path
      var keys = Array(UInt64(0)..<6_000)
      for place in keys.indices { keys.swapAt(place, random.int(0..<keys.count)) }
      try environment.store(keys, size: 60, fill: 3)
      try environment.copy(to: directory.file("copy"), compacting: true)
    }
    try Environment.withExclusiveUse(of: path) { try $0.compact() }
    #expect(fileSize(path) < fileSize(directory.file("copy")) * 9 / 10)
    let environment = try openEnvironment(directory) { $0.inspection = .everyPage }
    #expect(try environment.beginRead().count == 6_000 && environment.fill(of: 5_999) == 3)
  }

  @Test("compacting in place keeps the file's owner, group and mode")
  func owner() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("data")
    try openEnvironment(directory).store(0..<10)
    chmod(path, 0o640)
    let isRoot = geteuid() == 0
    if isRoot { #expect(chown(path, 65_534, 65_534) == 0) }
    var before = stat()
    #expect(stat(path, &before) == 0)
    try Environment.withExclusiveUse(of: path) { try $0.compact() }
    var after = stat()
    #expect(stat(path, &after) == 0 && after.st_ino != before.st_ino)
    #expect(after.st_uid == before.st_uid && after.st_gid == before.st_gid && after.st_mode == before.st_mode)
  }

  @Test(
    "processes that open while the file is compacted or removed wait, and then use the new one",
    arguments: [true, false])
  func waiting(_ compacts: Bool) throws {
    for _ in 0..<5 {
      let directory = try TemporaryDirectory()
      let path: String
      do {
        let environment = try openEnvironment(directory)
        path = environment.path
        // Many transactions, so that the number in the lock file is far above a new file's.
        for key in UInt64(0)..<40 { try environment.store([key]) }
      }
      var workers: [WorkerProcess] = []
      try Environment.withExclusiveUse(of: path) { use in
        workers = try (0..<3).map { _ in try WorkerProcess("LMDBWorker", ["increment", path, "20"]) }
        usleep(60_000)
        if compacts { try use.compact() } else { try use.removeData() }
      }
      for worker in workers { #expect(worker.waitUntilExit() == 0, "\(worker.readAll()) \(worker.errorOutput)") }
      let environment = try openEnvironment(directory) { $0.inspection = .everyPage }
      let transaction = try environment.beginRead()
      #expect(try transaction.get(environment.table("b"), KeyBytes(0))?.load(0, as: UInt64.self) == 60)
      #expect(try transaction.count == (compacts ? 40 : 0))
      _ = try environment.checkPages()
    }
  }

  @Test(
    "a process that is killed right after it exchanged the file leaves nothing of the old one to those who wait",
    arguments: [true, false])
  func killed(_ compacts: Bool) throws {
    let directory = try TemporaryDirectory()
    let path: String
    do {
      let environment = try openEnvironment(directory)
      path = environment.path
      for key in UInt64(0)..<40 { try environment.store([key]) }
    }
    let exchanging = try WorkerProcess("LMDBWorker", ["exchange", path, compacts ? "1" : "0"])
    #expect(exchanging.readLine() == "ready")
    let workers = try (0..<3).map { _ in try WorkerProcess("LMDBWorker", ["increment", path, "20"]) }
    usleep(60_000)
    exchanging.kill()
    for worker in workers { #expect(worker.waitUntilExit() == 0, "\(worker.readAll()) \(worker.errorOutput)") }
    let environment = try openEnvironment(directory) { $0.inspection = .everyPage }
    let transaction = try environment.beginRead()
    #expect(try transaction.get(environment.table("b"), KeyBytes(0))?.load(0, as: UInt64.self) == 60)
    #expect(try transaction.count == (compacts ? 40 : 0))
    _ = try environment.checkPages()
  }
}
