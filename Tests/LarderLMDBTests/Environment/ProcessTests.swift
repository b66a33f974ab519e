import Foundation
import LarderLMDB
import TestSupport
import Testing

/// Tests that need a second process: killed writers, forks, full disks, broken writes, other users.
@Suite("Processes")
struct ProcessTests {
  @Test("two processes and two threads lose no increment")
  func increments() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory)
    let workers = try (0..<2).map { _ in try WorkerProcess("LMDBWorker", ["increment", environment.path, "300"]) }
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      do {
        for _ in 0..<300 { try increment(environment) }
      } catch {
        Issue.record(error)
      }
    }
    for worker in workers { #expect(worker.waitUntilExit() == 0) }
    let stored = try environment.beginRead().get(environment.table("b"), KeyBytes(0))
    #expect(stored?.load(0, as: UInt64.self) == 1200)
  }

  private func increment(_ environment: Environment) throws {
    let table = environment.table("b")
    try environment.write { transaction in
      let old = try transaction.get(table, KeyBytes(0))?.load(0, as: UInt64.self) ?? 0
      try withUnsafeBytes(of: (old + 1).littleEndian) { try transaction.put(table, KeyBytes(0), $0) }
    }
  }

  @Test("processes that open a new file at the same time all succeed")
  func simultaneousOpen() throws {
    for _ in 0..<8 {
      let directory = try TemporaryDirectory()
      let path = directory.file("data")
      let workers = try (0..<4).map { _ in try WorkerProcess("LMDBWorker", ["increment", path, "5"]) }
      for worker in workers { #expect(worker.waitUntilExit() == 0, "\(worker.readAll()) \(worker.errorOutput)") }
      let environment = try openEnvironment(directory)
      let stored = try environment.beginRead().get(environment.table("b"), KeyBytes(0))
      #expect(stored?.load(0, as: UInt64.self) == 20)
    }
  }

  @Test("a writer killed in its transaction leaves nothing, and the next writer goes on")
  func killedWriter() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory)
    for round in UInt64(0)..<5 {
      let worker = try WorkerProcess("LMDBWorker", ["hold-write", environment.path])
      #expect(worker.readLine() == "ready")
      worker.kill()
      try environment.store([round])
      #expect(try environment.fill(of: .max) == nil)
    }
    #expect(try environment.beginRead().count == 5)
    _ = try environment.checkPages()
  }

  @Test("a writer waits for the writer of another process")
  func waits() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory)
    let worker = try WorkerProcess("LMDBWorker", ["hold-write", environment.path])
    #expect(worker.readLine() == "ready")
    let begun = DispatchSemaphore(value: 0)
    let thread = Thread {
      // The other process's entry is committed before this transaction can begin.
      try? environment.write { transaction in
        if try transaction.get(environment.table("a"), KeyBytes(UInt64.max)) != nil { begun.signal() }
      }
    }
    thread.start()
    usleep(50_000)
    try worker.send("commit")
    #expect(begun.wait(timeout: .now() + 20) == .success)
    #expect(worker.waitUntilExit() == 0)
  }

  @Test("a forked child is refused everything, and its end leaves the parent's snapshot whole")
  func fork() throws {
    let directory = try TemporaryDirectory()
    try openEnvironment(directory).store(1...200, size: 1000)
    let result = try WorkerProcess.run("LMDBWorker", ["fork", directory.file("data")])
    #expect(result.output == "child 0 entries 200 wrong 0\n", "\(result.errors)")
  }

  @Test("F-132: a child that is forked off within a write transaction is refused everything, and changes nothing")
  func forkWithinWrite() throws {
    let directory = try TemporaryDirectory()
    let result = try WorkerProcess.run("LMDBWorker", ["fork-in-write", directory.file("data")])
    #expect(result.output == "1 2\n", "\(result.errors)")
  }

  @Test("F-136: where the folder cannot be flushed a copy is removed, and what was exchanged is told")
  func unflushedFolder() throws {
    let directory = try TemporaryDirectory()
    let result = try WorkerProcess.run("LMDBWorker", ["unflushed-folder", directory.file("data")])
    let told = LMDBError.Code.folderNotFlushed.rawValue
    #expect(
      result.output == """
        copy \(EIO) false
        copy \(EIO) false
        again ok true
        compact \(told) true
        remove \(told) false
        make \(EIO) true

        """, "\(result.errors)")
  }

  @Test("after the disk was full everything committed is readable, and freed room is used")
  func diskFull() throws {
    let directory = try TemporaryDirectory()
    let result = try WorkerProcess.run("LMDBWorker", ["limited", directory.file("data"), "2000000"])
    let words = result.output.split(whereSeparator: \.isWhitespace)
    #expect(words.first == "full", "\(result.output)")
    #expect(words.dropFirst(2).first == "true")
    #expect(words.last.flatMap { Int($0) } ?? 0 > 100)
    let reader = try openEnvironment(directory)
    _ = try reader.checkPages()
  }

  @Test("a transaction that found no room leaves the file no longer than it was")
  func overfull() throws {
    let directory = try TemporaryDirectory()
    let result = try WorkerProcess.run("LMDBWorker", ["overfill", directory.file("data"), "1000000"])
    let words = result.output.split(whereSeparator: \.isWhitespace)
    try #require(words.count == 4, "\(result.output) \(result.errors)")
    #expect(words[0] == "true" && words[3] == "2", "\(result.output)")
    let (before, after) = (try #require(Int(words[1])), try #require(Int(words[2])))
    #expect(after <= before + 100_000, "\(result.output)")
    _ = try openEnvironment(directory).checkPages()
  }

  @Test(
    "a failing write or sync of data loses that commit and nothing else",
    arguments: ["data", "sync"], [EIO, ENOSPC, EDQUOT])
  func dataFault(_ kind: String, _ code: Int32) throws {
    let directory = try TemporaryDirectory()
    let result = try WorkerProcess.run("LMDBWorker", ["fault", directory.file("data"), kind, "7", "\(code)"])
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 5, "\(result.output) \(result.errors)")
    let words = lines.first?.split(separator: " ") ?? []
    #expect(words.last == "\(code)")
    #expect(lines.dropFirst() == ["then ok", "read ok", "entries \(words.dropFirst().first ?? "")", "again ok"])
  }

  @Test("a failing write of the meta page kills the environment until it is opened again", arguments: [EIO, ENOSPC])
  func metaFault(_ code: Int32) throws {
    let directory = try TemporaryDirectory()
    let result = try WorkerProcess.run("LMDBWorker", ["fault", directory.file("data"), "meta", "7", "\(code)"])
    let lines = result.output.split(separator: "\n").map(String.init)
    let words = lines.first?.split(separator: " ") ?? []
    #expect(words.last == "\(code)")
    let panic = LMDBError.Code.panic.rawValue
    let entries = words.dropFirst().first ?? ""
    #expect(lines.dropFirst() == ["then \(panic)", "read \(panic)", "entries \(entries)", "again ok"])
  }

  @Test(
    "a power cut while several threads commit loses no commit that was promised, whatever of the last writes was lost",
    arguments: [false, true])
  func powerCuts(_ isLent: Bool) throws {
    let lines = try cutPower(failingFlush: 0, isLent)
    let late = lines.first { $0.hasPrefix("late ") }.flatMap { Int($0.dropFirst(5)) } ?? 0
    #expect(late > 0)
  }

  @Test(
    "nor does a flush that fails among them: the writer whose commit it may have lost gets an error",
    arguments: [5, 12, 23, 40], [false, true])
  func failedFlush(_ flush: Int, _ isLent: Bool) throws {
    let lines = try cutPower(failingFlush: flush, isLent)
    #expect(lines.contains("failed"))
  }

  @Test(
    "the same while several processes commit, and with a flush of one of them that fails",
    arguments: [0, 3, 7, 11])
  func powerCutsOfProcesses(_ failingFlush: Int) throws {
    let lines = try cutPower("power-processes", "\(failingFlush)")
    let late = lines.first { $0.hasPrefix("late ") }.flatMap { Int($0.dropFirst(5)) } ?? 0
    if failingFlush == 0 { #expect(late > 0) } else { #expect(lines.contains("failed")) }
  }

  private func cutPower(failingFlush: Int, _ isLent: Bool) throws -> [String] {
    try cutPower("power", "\(failingFlush)", isLent ? "1" : "0")
  }

  private func cutPower(_ command: String, _ arguments: String...) throws -> [String] {
    let directory = try TemporaryDirectory()
    let seed = Int(SeededRandom.forTest().seed % (1 << 32))
    let result = try WorkerProcess.run(
      "LMDBWorker", [command, directory.file("data"), "\(seed)", "150"] + arguments)
    let lines = result.output.split(separator: "\n").map(String.init)
    let wrong = lines.filter { $0.hasPrefix("wrong") || $0.hasPrefix("error") }
    #expect(wrong.isEmpty, "\(wrong.prefix(5)) \(result.errors)")
    #expect(lines.last == "done", "\(result.output) \(result.errors)")
    return lines
  }

  @Test("every write of a commit may fail, one after the other", arguments: 1...6)
  func everyWrite(_ number: Int) throws {
    let directory = try TemporaryDirectory()
    for kind in ["data", "meta", "sync"] {
      let path = directory.file("\(kind)")
      let result = try WorkerProcess.run("LMDBWorker", ["fault", path, kind, "\(number)", "\(EIO)"])
      let lines = result.output.split(separator: "\n")
      let committed = lines.first?.split(separator: " ").dropFirst().first ?? "none"
      #expect(lines.contains("entries \(committed)"), "\(result.output)")
      #expect(lines.last == "again ok")
    }
  }

  #if os(Linux)
    @Test(
      "who may not write a file, or give it its owner, does not compact it in its place", .enabled(if: geteuid() == 0))
    func foreignCompaction() throws {
      let directory = FileManager.default.temporaryDirectory.appendingPathComponent("larder-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
      defer { try? FileManager.default.removeItem(at: directory) }
      chmod(directory.path, 0o777)
      let path = directory.appendingPathComponent("data").path
      var options = EnvironmentOptions(tables: ["a", "b"])
      options.mapSize = 1 << 30
      try Environment.open(path: path, options: options).store(1...10)
      chmod(path + "-lock", 0o666)
      for mode in [0o444, 0o666] as [mode_t] {
        chmod(path, mode)
        let result = try WorkerProcess.run("LMDBWorker", ["compact-as", path, "65534"])
        #expect(result.output.hasPrefix("error \(LMDBError.Code.ownerKept.rawValue) "), "\(result.output)")
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_uid == 0 && status.st_mode & 0o777 == mode)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["data", "data-lock"])
    }

    @Test("another user gets a clear refusal", .enabled(if: geteuid() == 0))
    func otherUser() throws {
      // Not in the usual place, whose parent is private.
      let directory = FileManager.default.temporaryDirectory.appendingPathComponent("larder-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
      defer { try? FileManager.default.removeItem(at: directory) }
      chmod(directory.path, 0o755)
      let path = directory.appendingPathComponent("data").path
      var options = EnvironmentOptions(tables: ["a", "b"])
      options.mapSize = 1 << 30
      try Environment.open(path: path, options: options).store(1...10)
      let denied = try WorkerProcess.run("LMDBWorker", ["as-nobody", path, "65534"])
      #expect(denied.status == 1 && denied.output.hasPrefix("error \(EACCES) "), "\(denied.output)")
      // Readable data alone is not enough: a reader writes its slot into the lock file.
      chmod(path, 0o644)
      let reader = try WorkerProcess.run("LMDBWorker", ["as-nobody", path, "65534", "1"])
      #expect(reader.status == 1 && reader.output.contains("data-lock"), "\(reader.output)")
      // A foreign file is walked through and then opened.
      chmod(path + "-lock", 0o666)
      let allowed = try WorkerProcess.run("LMDBWorker", ["as-nobody", path, "65534", "1"])
      #expect(allowed.output == "10\n", "\(allowed.output)")
    }
  #endif
}
