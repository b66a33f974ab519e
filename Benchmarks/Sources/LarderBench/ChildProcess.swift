import Foundation

/// A program that is run to its end, with what it takes.
struct ChildProcess {
  let path: String

  /// The tool `larder`, built beside the benchmarks or named in the environment.
  static func larder() throws -> ChildProcess {
    guard let path = ProcessInfo.processInfo.environment["LARDER_TOOL"],
      FileManager.default.isExecutableFile(atPath: path)
    else { throw BenchmarkError("LARDER_TOOL is to name the tool 'larder', built in release; .ci/bench builds it") }
    return ChildProcess(path: path)
  }

  /// The shell of SQLite; nil where it is not installed.
  static let sqlite: ChildProcess? = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }.map { ChildProcess(path: $0) }

  /// Runs the program, all that a user waits for: its start, its work and its end.
  ///
  /// - Throws: `BenchmarkError` with what it wrote to standard error, where it fails.
  func run(_ arguments: [String]) throws -> (spent: Spent, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    let before = Self.childrenTime()
    let start = ContinuousClock.now
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let complaint = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let spent = Spent(wall: start.duration(to: .now) / .nanoseconds(1), processor: Self.childrenTime() - before)
    guard process.terminationStatus == 0 else {
      throw BenchmarkError("\(path) \(arguments.joined(separator: " ")): \(String(decoding: complaint, as: UTF8.self))")
    }
    return (spent, String(decoding: text, as: UTF8.self))
  }

  /// Returns the processor time of the processes that have ended, in nanoseconds.
  private static func childrenTime() -> Double {
    var usage = rusage()
    // RUSAGE_CHILDREN, which the headers of Linux give another type than the call takes.
    getrusage(-1, &usage)
    func nanoseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1e9 + Double(time.tv_usec) * 1e3 }
    return nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime)
  }
}
