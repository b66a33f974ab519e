import Foundation
import LarderLMDB

/// The other process of the LMDB tests: does one thing with an environment, as its first argument says.
///
/// It prints one line per result, "ready" where it waits for a line of input, and an error as "error CODE TEXT".
@main
enum LMDBWorker {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else { exit(64) }
    let job = Job(path: arguments[2], numbers: arguments.dropFirst(3).compactMap { Int($0) })
    do {
      switch arguments[1] {
      case "hold-read": try job.holdRead()
      case "hold-write": try job.holdWrite()
      case "write": try job.write()
      case "hold-unfinished": try job.holdUnfinished()
      case "exchange": try job.exchange()
      case "increment": try job.increment()
      case "overwrite-until-told": try job.overwriteUntilTold()
      case "limited": try job.writeWithLimit()
      case "as-nobody": try job.openAsNobody()
      case "overfill": try job.overfill()
      case "compact-as": try job.compactAs()
      case "fork": try job.useAfterFork()
      case "fork-in-write": try job.forkWithinWrite()
      case "many": try job.openMany()
      case "limits": try job.openUntilLimit()
      case "power": try job.cutPower()
      case "power-processes": try job.cutPowerOfProcesses()
      case "power-process": try job.commitAsProcess()
      case "mark": job.setMark()
      case "see-mark": job.seeMark()
      case "write-slowly": try job.writeSlowly()
      case "unflushed-folder": try job.changeUnflushedFolder()
      case "fault": try job.writeWithFault(arguments[3])
      default: exit(64)
      }
    } catch let error as LMDBError {
      say("error \(error.code.rawValue) \(error)")
      exit(1)
    } catch {
      say("error 0 \(error)")
      exit(1)
    }
  }
}

/// Writes a line at once, whatever standard output is.
func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

/// A path and the numbers that follow it on the command line.
struct Job {
  let path: String
  let numbers: [Int]

  func open(_ change: (inout EnvironmentOptions) -> Void = { _ in }) throws -> Environment {
    var options = EnvironmentOptions(tables: ["a", "b"])
    options.mapSize = 1 << 30
    options.durability = .none
    change(&options)
    return try Environment.open(path: path, options: options)
  }

  @discardableResult
  func waitForInput() -> String? {
    say("ready")
    return Swift.readLine()
  }

  /// Pins the newest version until it is ended or killed.
  func holdRead() throws {
    let environment = try open { if let map = numbers.first { $0.mapSize = map } }
    var pinned: ReadTransaction? = try environment.beginRead()
    say("\(pinned?.transactionID ?? 0)")
    waitForInput()
    say("\(try pinned?.statistics(environment.table("a")).entries ?? -1)")
    pinned = nil
    say("\(try environment.beginRead().statistics(environment.table("a")).entries)")
  }

  /// Holds the write lock, with an entry written, until it reads "commit" or is killed.
  func holdWrite() throws {
    let environment = try open()
    let transaction = try environment.beginWrite()
    try transaction.put(environment.table("a"), KeyBytes(UInt64.max), [1])
    if waitForInput() == "commit" { try transaction.commit() }
  }

  /// Makes a file for the path until it is killed.
  func holdUnfinished() throws {
    let file = try UnfinishedFile(for: path)
    waitForInput()
    try file.publish(as: path)
  }

  /// `compacts`: puts a new file in the place of the old one (1) or removes it (0), and has the files for itself until it is killed.
  func exchange() throws {
    try Environment.withExclusiveUse(of: path) { use in
      if numbers[0] == 1 { try use.compact() } else { try use.removeData() }
      waitForInput()
    }
  }

  /// `first count size map`: stores entries in one transaction, within a map of its own size.
  func write() throws {
    let environment = try open { if numbers.count > 3 { $0.mapSize = numbers[3] } }
    try environment.write { transaction in
      for key in numbers[0]..<numbers[0] + numbers[1] {
        try transaction.put(
          environment.table("a"), KeyBytes(UInt64(key)), [UInt8](repeating: 5, count: numbers[2]))
      }
    }
    say("\(environment.mapSize)")
  }

  /// `times`: adds one to a counter, each in a transaction.
  func increment() throws {
    let environment = try open()
    let table = environment.table("b")
    for _ in 0..<numbers[0] {
      try environment.write { transaction in
        let old = try transaction.get(table, KeyBytes(0))?.load(0, as: UInt64.self) ?? 0
        try withUnsafeBytes(of: (old + 1).littleEndian) { try transaction.put(table, KeyBytes(0), $0) }
      }
    }
    say("done")
  }

  /// Commits all the time, with changing sizes, until its input ends.
  func overwriteUntilTold() throws {
    let environment = try open()
    say("ready")
    let flag = Flag()
    Thread {
      _ = Swift.readLine()
      flag.raise()
    }.start()
    var round = 0
    while !flag.isRaised {
      round += 1
      // LMDB's lock is not fair: without a pause, a copy, which takes it for a moment, could wait for long.
      usleep(300)
      try environment.write { transaction in
        for key in UInt64(0)..<50 {
          let size = 100 + (round &* 37 &+ Int(key) &* 101) % 9000
          let fill = UInt8(truncatingIfNeeded: round)
          try transaction.put(environment.table("a"), KeyBytes(key), [UInt8](repeating: fill, count: size))
        }
      }
    }
    say("\(round)")
  }

  /// `bytes`: writes until the file may not grow, frees something, and writes again.
  func writeWithLimit() throws {
    signal(SIGXFSZ, SIG_IGN)
    let environment = try open()
    var limit = rlimit(rlim_cur: rlim_t(numbers[0]), rlim_max: rlim_t(numbers[0]))
    guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(65) }
    say(try fill(environment))
  }

  /// `bytes`: a transaction that is larger than the file may grow, and a small one. Says the error, the file's size before and after,
  /// and what became of the small one.
  func overfill() throws {
    signal(SIGXFSZ, SIG_IGN)
    let environment = try open()
    let table = environment.table("a")
    func size() -> Int { (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? -1 }
    try environment.write { try $0.put(table, KeyBytes(0), [UInt8](repeating: 7, count: 100)) }
    let before = size()
    var limit = rlimit(rlim_cur: rlim_t(before + numbers[0]), rlim_max: rlim_t(before + numbers[0]))
    guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(65) }
    var isFull = false
    do {
      try environment.write { transaction in
        for key in UInt64(1)...UInt64(numbers[0] / 1_000) {
          try transaction.put(table, KeyBytes(key), [UInt8](repeating: 8, count: 3_000))
        }
      }
    } catch let error as LMDBError {
      isFull = error.isOutOfSpace
    }
    let after = size()
    try environment.write { try $0.put(table, KeyBytes(1), [UInt8](repeating: 9, count: 100)) }
    let entries = try environment.beginRead().statistics(table).entries
    say("\(isFull) \(before) \(after) \(entries)")
  }

  /// `uid`: gives up the root user and compacts the file in its place.
  func compactAs() throws {
    guard setuid(uid_t(numbers[0])) == 0 else { exit(65) }
    try Environment.withExclusiveUse(of: path) { try $0.compact() }
    say("done")
  }

  /// `uid`: gives up the root user and opens.
  func openAsNobody() throws {
    guard setuid(uid_t(numbers[0])) == 0 else { exit(65) }
    let environment = try open { $0.readOnly = numbers.count > 1 }
    say("\(try environment.beginRead().statistics(environment.table("a")).entries)")
  }
}

/// A flag that one thread raises for another.
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
