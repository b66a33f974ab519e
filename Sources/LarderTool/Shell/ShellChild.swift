import Foundation
import LarderExchange
import LarderInspection
import LarderLocks

/// A verb of a conversation, run as a process of its own, so that Control-C ends the verb and not the shell.
final class ShellChild: Sendable {
  static let shared = ShellChild()

  private let running = Lock<Process?>(nil)

  /// Interrupts the verb; returns false where there is none.
  func interrupt() -> Bool {
    running.withLock { process in
      process?.interrupt()
      return process != nil
    }
  }

  /// Runs the tool with these arguments on the same terminal, or with its results in a file.
  ///
  /// - Returns: Its exit code; 0 after Control-C.
  /// - Throws: `StorageError` for a key that cannot be read, and the system's error when the process cannot be started.
  func run(_ arguments: [String], output: FileHandle? = nil) throws -> Int32 {
    let process = Process()
    process.executableURL = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    if let output { process.standardOutput = output }
    var environment = ProcessInfo.processInfo.environment
    // A key file may be a pipe that gave all it had.
    environment[KeySource.variable] = try StoreAccess.keySource.environmentValue()
    environment[ShellText.variable] = "1"
    process.environment = environment
    try running.withLock {
      try process.run()
      $0 = process
    }
    process.waitUntilExit()
    running.withLock { $0 = nil }
    guard process.terminationReason == .exit else {
      Terminal.writeError("\n")
      return process.terminationStatus == SIGINT ? 0 : Failure.failed.rawValue
    }
    return process.terminationStatus
  }
}
