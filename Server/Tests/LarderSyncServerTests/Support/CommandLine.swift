import Foundation

/// The command as it is run: what it prints and how it ends.
struct CommandLine {
  /// The exit status of a run, and what it printed.
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String
  }

  /// Runs it with arguments, text for its standard input, and more in its environment.
  static func run(_ arguments: [String], input: String = "", environment: [String: String] = [:]) throws -> Outcome {
    let process = Process()
    // The programs of a package are built into the folder that the tests are started from.
    process.executableURL = Bundle.main.bundleURL.appending(path: "larder-sync")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let (output, errors, text) = (Pipe(), Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = text
    try process.run()
    try text.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try text.fileHandleForWriting.close()
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    let complained = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: String(decoding: printed, as: UTF8.self),
      errors: String(decoding: complained, as: UTF8.self))
  }
}

/// An SQLite file with the tables, and the command on it.
final class CommandStore {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "larder-\(UUID().uuidString).sqlite").path
    _ = try CommandLine.run(["migrate", "--file", path])
  }

  deinit { for suffix in ["", "-wal", "-shm"] { _ = unlink(path + suffix) } }

  /// Runs the command on this store.
  func run(_ arguments: String..., input: String = "") throws -> CommandLine.Outcome {
    try CommandLine.run(arguments + ["--file", path], input: input)
  }

  /// Runs the command on the file, and returns what it prints; the failure as text when it fails.
  func output(_ arguments: String..., input: String = "") throws -> String {
    let outcome = try CommandLine.run(arguments + ["--file", path], input: input)
    return outcome.status == 0 ? outcome.output : "failed with \(outcome.status): \(outcome.errors)"
  }
}

/// The examples of the documentation.
enum DocumentExamples {
  /// The text of the block of JSON of a page that has some text.
  static func json(containing part: String, in page: String = "docs/sync-server.md") throws -> String {
    let text = try String(contentsOfFile: "\(TestPostgres.root)/\(page)", encoding: .utf8)
    let blocks = text.components(separatedBy: "```json\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    guard let block = blocks.first(where: { $0.contains(part) }) else {
      throw TestPostgres.Failure(description: "\(page) has no example with '\(part)'")
    }
    return block
  }

  static var schema: String { get throws { try json(containing: "primaryKey") } }
  static var roles: String { get throws { try json(containing: "applyWhen") } }
}
