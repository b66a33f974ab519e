import Foundation

/// A second process for tests that need one: a worker or tool built by the package, found beside the test bundle.
///
/// Standard error goes to a file, so that a chatty worker never blocks; standard output is read line by line or as a
/// whole; lines can be sent to standard input. One test uses one instance, on one thread at a time.
package final class WorkerProcess {
  /// The reason that a worker could not be used.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors: URL
  private var buffer: [UInt8] = []

  /// The folder with the package's built executables.
  package static var productsDirectory: URL {
    #if os(Linux)
      // The test bundle is itself the running executable, and the products are beside it.
      let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
      return URL(fileURLWithPath: executable).deletingLastPathComponent()
    #else
      for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
        return bundle.bundleURL.deletingLastPathComponent()
      }
      return Bundle.main.bundleURL
    #endif
  }

  /// The path of a built executable.
  ///
  /// - Throws: `Failure` when it was not built; the test target must depend on the executable's target.
  package static func executable(_ name: String) throws -> URL {
    let url = productsDirectory.appendingPathComponent(name)
    guard FileManager.default.isExecutableFile(atPath: url.path) else {
      throw Failure(description: "No executable \(name) in \(productsDirectory.path); build all products first.")
    }
    return url
  }

  /// Starts a built executable.
  ///
  /// - Throws: `Failure` when it was not built, or the system's error when it cannot be started.
  package init(_ name: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
    errors = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("larder-\(UUID().uuidString).stderr")
    _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
    // Writing to a worker that has just died must be an error here, not the end of the test process.
    signal(SIGPIPE, SIG_IGN)
    process.executableURL = try Self.executable(name)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    // The child has its own ends; ours of the write side would keep reads from ever seeing the end.
    try? output.fileHandleForWriting.close()
    try? input.fileHandleForReading.close()
  }

  deinit {
    if process.isRunning { kill() }
    try? FileManager.default.removeItem(at: errors)
  }

  /// The worker's process number.
  package var processIdentifier: Int32 { process.processIdentifier }

  /// True if the worker has not ended yet.
  package var isRunning: Bool { process.isRunning }

  /// Sends one line to the worker's standard input.
  ///
  /// - Throws: the system's error when the worker no longer reads.
  package func send(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }

  /// Closes the worker's standard input.
  package func closeInput() { try? input.fileHandleForWriting.close() }

  /// The next line of standard output without its end, or nil at the end of the output. Waits.
  package func readLine() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 10) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeSubrange(...end)
        return line
      }
      let data = output.fileHandleForReading.availableData
      if data.isEmpty {
        defer { buffer = [] }
        return buffer.isEmpty ? nil : String(decoding: buffer, as: UTF8.self)
      }
      buffer.append(contentsOf: data)
    }
  }

  /// All of standard output that was not read yet. Waits until the worker closes it.
  package func readAll() -> String {
    let rest = (try? output.fileHandleForReading.readToEnd()) ?? nil
    defer { buffer = [] }
    return String(decoding: buffer + Array(rest ?? Data()), as: UTF8.self)
  }

  /// The text that the worker has written to standard error so far.
  package var errorOutput: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }

  /// Ends the worker at once, as `kill -9` does, and waits until it is deleted.
  package func kill() {
    #if os(Linux)
      _ = Foundation.kill(process.processIdentifier, SIGKILL)
    #else
      _ = Darwin.kill(process.processIdentifier, SIGKILL)
    #endif
    process.waitUntilExit()
  }

  /// Waits for the worker's end; its exit code, or the negated signal that ended it.
  @discardableResult
  package func waitUntilExit() -> Int32 {
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }

  /// Runs an executable to its end.
  ///
  /// - Throws: as `init` does.
  package static func run(
    _ name: String, _ arguments: [String] = [], input: String = "", environment: [String: String] = [:]
  ) throws -> (status: Int32, output: String, errors: String) {
    let worker = try WorkerProcess(name, arguments, environment: environment)
    if !input.isEmpty { try? worker.send(input) }
    worker.closeInput()
    let text = worker.readAll()
    let status = worker.waitUntilExit()
    return (status, text, worker.errorOutput)
  }
}
