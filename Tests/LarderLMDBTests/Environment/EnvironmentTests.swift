import Foundation
import LarderLMDB
import TestSupport
import Testing

@Suite("Environment")
struct EnvironmentTests {
  @Test("what was committed is there after closing and opening")
  func reopening() throws {
    let directory = try TemporaryDirectory()
    try openEnvironment(directory).store(1...100, fill: 7)
    let environment = try openEnvironment(directory)
    #expect(try environment.beginRead().count == 100)
    #expect(try environment.fill(of: 100) == 7)
    #expect(try environment.fill(of: 101) == nil)
  }

  @Test("a second open in the process shares the first one")
  func secondOpen() throws {
    let directory = try TemporaryDirectory()
    let first = try openEnvironment(directory)
    #expect(try openEnvironment(directory) === first)
    // The same file under other names.
    #expect(try Environment.open(path: directory.path + "/./data", options: first.options) === first)
    try FileManager.default.createSymbolicLink(atPath: directory.file("link"), withDestinationPath: directory.path)
    #expect(try Environment.open(path: directory.file("link/data"), options: first.options) === first)
    #expect(link(directory.file("data"), directory.file("hard")) == 0)
    #expect(try Environment.open(path: directory.file("hard"), options: first.options) === first)
  }

  @Test("a second open leaves the snapshots of the first one alone")
  func secondOpenKeepsIsolation() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory)
    try environment.store(1...200, size: 1000, fill: 1)
    let pinned = try environment.beginRead()
    let second = try openEnvironment(directory)
    for round in 2...7 { try second.store(1...200, size: 1000, fill: UInt8(round)) }
    for key in UInt64(1)...200 { #expect(try pinned.fill(of: key) == 1) }
  }

  @Test("a second open with other options is refused")
  func otherOptions() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory)
    #expect(code { _ = try openEnvironment(directory) { $0.tables = ["a"] } } == .openedDifferently)
    #expect(code { _ = try openEnvironment(directory) { $0.durability = .full } } == .openedDifferently)
    #expect(code { _ = try openEnvironment(directory) { $0.readOnly = true } } == .openedDifferently)
    withExtendedLifetime(environment) {}
  }

  @Test("many threads that open one new file at once get one environment")
  func concurrentOpen() throws {
    let directory = try TemporaryDirectory()
    let opened = Collected<Environment>()
    DispatchQueue.concurrentPerform(iterations: 16) { _ in
      do {
        opened.append(try openEnvironment(directory))
      } catch {
        Issue.record(error)
      }
    }
    #expect(opened.values.count == 16)
    #expect(Set(opened.values.map(ObjectIdentifier.init)).count == 1)
  }

  @Test("opening and closing in turns on many threads")
  func concurrentOpenAndClose() throws {
    let directory = try TemporaryDirectory()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for round in 0..<10 {
        do {
          try openEnvironment(directory).store([UInt64(thread * 100 + round)])
        } catch {
          Issue.record(error)
        }
      }
    }
    #expect(try openEnvironment(directory).beginRead().count == 40)
  }

  @Test("data and lock file are the user's alone")
  func permissions() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory)
    #expect(mode(directory.file("data")) == 0o600)
    #expect(mode(directory.file("data-lock")) == 0o600)
    #expect(mode(environment.path) == 0o600)
  }

  @Test("a new lock file has the owner, group and mode of the data file", arguments: [true, false])
  func lockFile(_ opens: Bool) throws {
    let directory = try TemporaryDirectory()
    let (path, lock) = (directory.file("data"), directory.file("data-lock"))
    try openEnvironment(directory).store([1])
    #expect(unlink(lock) == 0 && chmod(path, 0o660) == 0)
    if geteuid() == 0 { #expect(chown(path, 65_534, 65_534) == 0) }
    if opens {
      #expect(try openEnvironment(directory) { $0.readOnly = true }.beginRead().count == 1)
    } else {
      try Environment.withExclusiveUse(of: path) { _ in }
    }
    var (data, made) = (stat(), stat())
    #expect(stat(path, &data) == 0 && stat(lock, &made) == 0)
    #expect(made.st_mode & 0o777 == 0o660 && made.st_uid == data.st_uid && made.st_gid == data.st_gid)
  }

  @Test("a link to a data file is the file: one environment, one lock file beside it")
  func symbolicLink() throws {
    let directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: directory.file("folder"), withIntermediateDirectories: false)
    try openEnvironment(directory, "folder/data").store([1, 2])
    #expect(unlink(directory.file("folder/data-lock")) == 0)
    try FileManager.default.createSymbolicLink(atPath: directory.file("one"), withDestinationPath: "folder/data")
    try FileManager.default.createSymbolicLink(
      atPath: directory.file("two"), withDestinationPath: directory.file("one"))
    let (linked, real) = (try openEnvironment(directory, "two"), try openEnvironment(directory, "folder/data"))
    #expect(linked === real)
    #expect(try linked.beginRead().count == 2)
    try linked.store([3])
    #expect(fileSize(directory.file("folder/data-lock")) > 0 && fileSize(directory.file("two-lock")) == -1)
  }

  #if os(Linux)
    @Test("no descriptor of an open database survives exec")
    func closeOnExec() throws {
      let directory = try TemporaryDirectory()
      let environment = try openEnvironment(directory)
      try environment.store(1...10)
      let watcher = try CommitWatcher(path: environment.path) {}
      // A child lists what it inherited.
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/ls")
      process.arguments = ["-l", "/proc/self/fd"]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let listing = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(!listing.contains(directory.path))
      // Foundation closes descriptors itself, so look at the flags too.
      var found = 0
      for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
        let target = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")) ?? ""
        guard target.hasPrefix(directory.path), let number = Int32(name) else { continue }
        found += 1
        #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0, "\(target)")
      }
      #expect(found >= 2)
      withExtendedLifetime((environment, watcher)) {}
    }

    @Test("closing gives every descriptor back")
    func noLeaks() throws {
      let directory = try TemporaryDirectory()
      for _ in 0..<5 { try openEnvironment(directory).store(1...10) }
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        return target?.hasPrefix(directory.path) ?? false
      }
      #expect(open.isEmpty)
    }
  #endif

  @Test("a missing file or directory, and a read-only open that would have to create")
  func missing() throws {
    let directory = try TemporaryDirectory()
    #expect(code { _ = try openEnvironment(directory) { $0.readOnly = true } } == .noSuchFile)
    #expect(fileSize(directory.file("data")) == -1)
    #expect(code { _ = try openEnvironment(directory, "no/data") } == .noSuchFile)
  }

  @Test("a read-only environment reads and does not write")
  func readOnly() throws {
    let directory = try TemporaryDirectory()
    try openEnvironment(directory).store(1...10, fill: 3)
    let environment = try openEnvironment(directory) { $0.readOnly = true }
    #expect(try environment.fill(of: 10) == 3)
    #expect(code { _ = try environment.beginWrite() } == .readOnly)
  }

  @Test("a deleted lock file stops every further write")
  func lockFileDeleted() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory)
    try environment.store(1...10)
    let open = try environment.beginWrite()
    #expect(unlink(directory.file("data-lock")) == 0)
    #expect(code { try open.commit() } == .fileReplaced)
    open.abort()
    #expect(code { _ = try environment.beginWrite() } == .fileReplaced)
    _ = FileManager.default.createFile(atPath: directory.file("data-lock"), contents: Data())
    #expect(code { _ = try environment.beginWrite() } == .fileReplaced)
    #expect(try environment.beginRead().count == 10)
  }

  @Test(
    "among quick commits, the one after a change of the directory looks at the files again", arguments: [true, false])
  func replacedAmongCommits(atRest: Bool) throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory)
    // A directory that has been left alone for a while is trusted by its time, one that has just changed is not.
    let begun = Date()
    repeat { try environment.store(1...10) } while atRest && Date().timeIntervalSince(begun) < 0.05
    // Another file comes and goes: nothing is wrong.
    _ = FileManager.default.createFile(atPath: directory.file("other"), contents: Data())
    try environment.store(1...10)
    #expect(unlink(directory.file("other")) == 0)
    try environment.store(1...10)
    let open = try environment.beginWrite()
    #expect(rename(directory.file("data-lock"), directory.file("moved-lock")) == 0)
    #expect(FileManager.default.createFile(atPath: directory.file("data-lock"), contents: Data()))
    #expect(code { try open.commit() } == .fileReplaced)
    open.abort()
  }

  @Test("a data file that was replaced stops writes, and cannot be opened beside the old one")
  func dataFileReplaced() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory)
    try environment.store(1...10)
    #expect(unlink(directory.file("data")) == 0)
    #expect(code { try environment.store(11...20) } == .fileReplaced)
    #expect(code { _ = try environment.beginWrite() } == .fileReplaced)
    #expect(code { _ = try openEnvironment(directory) } == .fileReplaced)
    withExtendedLifetime(environment) {}
  }

  @Test("deleted and made again after closing")
  func recreated() throws {
    let directory = try TemporaryDirectory()
    try openEnvironment(directory).store(1...10)
    unlink(directory.file("data"))
    unlink(directory.file("data-lock"))
    #expect(try openEnvironment(directory).beginRead().count == 0)
  }

  @Test("each durability level commits", arguments: [EnvironmentOptions.Durability.full, .relaxed, .none])
  func durability(_ level: EnvironmentOptions.Durability) throws {
    let directory = try TemporaryDirectory()
    try openEnvironment(directory) { $0.durability = level }.store(1...10, fill: 9)
    #expect(try openEnvironment(directory).fill(of: 5) == 9)
  }

  @Test("tables are added to an existing file, and a foreign file is left alone")
  func tables() throws {
    let directory = try TemporaryDirectory()
    try openEnvironment(directory) { $0.tables = ["a"] }.store(1...10)
    #expect(code { _ = try openEnvironment(directory) { $0.readOnly = true } } == .notADatabase)
    #expect(try openEnvironment(directory).beginRead().count == 10)
    let before = try Data(contentsOf: URL(fileURLWithPath: directory.file("data")))
    #expect(code { _ = try openEnvironment(directory) { $0.tables = ["x", "y"] } } == .notADatabase)
    #expect(try Data(contentsOf: URL(fileURLWithPath: directory.file("data"))) == before)
  }

  @Test("two hundred tables can be had")
  func manyTables() throws {
    let directory = try TemporaryDirectory()
    let names = (0..<200).map { "t\($0)" }
    let environment = try openEnvironment(directory) { $0.tables = names }
    try environment.write { try $0.put(environment.table("t199"), KeyBytes(1), [1]) }
    #expect(try environment.beginRead().get(environment.table("t199"), KeyBytes(1))?.bytes == [1])
  }
}

final class Collected<Value>: @unchecked Sendable {
  // Unchecked: guarded by the lock.
  private let lock = NSLock()
  private var list: [Value] = []

  func append(_ value: Value) {
    lock.lock()
    defer { lock.unlock() }
    list.append(value)
  }

  var values: [Value] {
    lock.lock()
    defer { lock.unlock() }
    return list
  }
}
