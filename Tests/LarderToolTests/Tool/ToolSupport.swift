import Foundation
import LarderExchange
import LarderInspection
import LarderStorage
import TestSupport
import Testing

/// Runs the built tool to its end.
@discardableResult
func larder(_ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
  try WorkerProcess.run("larder", arguments)
}

/// The same with arguments that are put together.
func larder(arguments: [String]) throws -> (status: Int32, output: String, errors: String) {
  try WorkerProcess.run("larder", arguments)
}

/// Runs the tool and expects it to do well.
@discardableResult
func expectLarder(_ arguments: String..., location: SourceLocation = #_sourceLocation) throws -> String {
  try expectLarder(arguments, location: location)
}

/// The same with arguments that are put together.
func expectLarder(_ arguments: [String], location: SourceLocation = #_sourceLocation) throws -> String {
  let result = try WorkerProcess.run("larder", arguments)
  #expect(result.status == 0, "\(result.errors)", sourceLocation: location)
  return result.output
}

/// Runs the tool and expects exit code 3 with a message that holds all the words.
func expectFailure(
  _ arguments: String..., words: String..., location: SourceLocation = #_sourceLocation
) throws {
  let result = try WorkerProcess.run("larder", arguments)
  #expect(result.status == 3, sourceLocation: location)
  #expect(result.errors.contains("larder: error: "), "\(result.errors)", sourceLocation: location)
  for word in words { #expect(result.errors.contains(word), "\(result.errors)", sourceLocation: location) }
}

/// The number of objects of a class, and the store's version.
func counted(_ path: String, _ className: String) throws -> (count: Int, version: UInt64) {
  let snapshot = try StoreAccess.open(reading: path).snapshot()
  return (try snapshot.schema[className].map { try snapshot.count(of: $0.id) } ?? 0, snapshot.version)
}

/// A property of the objects of a class in key order.
func column(_ path: String, _ className: String, _ property: String) throws -> [StoredValue] {
  try column(try StoreAccess.open(reading: path).snapshot(), className, property)
}

func column(_ snapshot: Snapshot, _ className: String, _ property: String) throws -> [StoredValue] {
  let entry = try StoreAccess.entry(named: className, in: snapshot.schema)
  let column = try #require(entry.column(named: property))
  var values: [StoredValue] = []
  try snapshot.forEachKey(of: entry.id) { key in
    values.append(try snapshot.value(entry.id, column.id, key))
    return true
  }
  return values
}

/// A store with continents and countries.
func importCountries(_ directory: TemporaryDirectory) throws -> String {
  let store = directory.file("world.larder")
  for (file, mapping) in [("continents", "continents"), ("countries", "countries")] {
    try expectLarder(
      "import", "--write", "\(fixtures)/geonames/\(file).jsonl", "--into", store, "--mapping",
      "\(fixtures)/geonames/\(mapping).map.json")
  }
  return store
}

/// Runs the tool with a terminal as its standard input, output and error, and types `input`; what the terminal showed.
///
/// - Parameter columns: How wide the terminal is; nil: it does not say.
func onTerminal(
  _ arguments: [String], input: String = "", environment: [String: String] = [:], inBackground: Bool = false,
  columns: Int? = nil
) throws -> String {
  let size = columns.map { "stty cols \($0) rows 24; " } ?? ""
  let command = ([try WorkerProcess.executable("larder").path] + arguments).map {
    "'" + $0.replacing("'", with: "'\\''") + "'"
  }.joined(separator: " ")
  let process = Process()
  let (typed, shown) = (Pipe(), Pipe())
  process.executableURL = URL(fileURLWithPath: "/usr/bin/script")
  process.arguments = [
    "--quiet", "--return", "--command", inBackground ? "set -m; \(command) & wait" : size + command,
    "/dev/null",
  ]
  process.environment = terminalEnvironment(environment)
  (process.standardInput, process.standardOutput, process.standardError) = (typed, shown, shown)
  try process.run()
  try shown.fileHandleForWriting.close()
  if !input.isEmpty { try typed.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
  let data = try shown.fileHandleForReading.readToEnd() ?? Data()
  try? typed.fileHandleForWriting.close()
  process.waitUntilExit()
  return String(decoding: data, as: UTF8.self).replacing("\r\n", with: "\n")
}

/// The environment of a tool on a terminal: without a pager, which would wait for keys, unless one is given.
func terminalEnvironment(_ environment: [String: String]) -> [String: String] {
  ProcessInfo.processInfo.environment.merging(["LARDER_PAGER": ""]) { $1 }.merging(environment) { $1 }
}

/// Runs a line of bash in which `$0` is the tool and `$1` and so on the arguments.
func bash(_ script: String, _ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
  try bash(script, arguments)
}

func bash(_ script: String, _ arguments: [String]) throws -> (status: Int32, output: String, errors: String) {
  let process = Process()
  let (output, errors) = (Pipe(), Pipe())
  process.executableURL = URL(fileURLWithPath: "/bin/bash")
  process.arguments = ["-c", script, try WorkerProcess.executable("larder").path] + arguments
  (process.standardOutput, process.standardError) = (output, errors)
  try process.run()
  let written = output.fileHandleForReading.readDataToEndOfFile()
  let told = errors.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return (process.terminationStatus, String(decoding: written, as: UTF8.self), String(decoding: told, as: UTF8.self))
}

/// The tool on a terminal, typed at step by step.
final class TerminalSession {
  private let process = Process()
  private let (typed, shown) = (Pipe(), Pipe())
  private(set) var screen = ""

  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    let command = ([try WorkerProcess.executable("larder").path] + arguments).map {
      "'" + $0.replacing("'", with: "'\\''") + "'"
    }.joined(separator: " ")
    process.executableURL = URL(fileURLWithPath: "/usr/bin/script")
    process.arguments = ["--quiet", "--return", "--command", "exec " + command, "/dev/null"]
    process.environment = terminalEnvironment(environment)
    (process.standardInput, process.standardOutput, process.standardError) = (typed, shown, shown)
    try process.run()
    try shown.fileHandleForWriting.close()
  }

  func type(_ text: String) throws { try typed.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

  /// Waits until the terminal shows a text that it has not been waited for yet; false when the tool ends before, or is killed because it
  /// shows nothing for a minute.
  func sees(_ text: String) -> Bool {
    while true {
      if let found = screen.range(of: text) {
        screen.removeSubrange(..<found.upperBound)
        return true
      }
      let data = next()
      guard !data.isEmpty else { return false }
      screen += String(decoding: data, as: UTF8.self)
    }
  }

  /// Returns what the terminal shows next; empty at the end.
  ///
  /// A read without a deadline would hold one of the few threads that all tests share for ever.
  private func next() -> Data {
    var ready = pollfd(fd: shown.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    var count: Int32
    repeat { count = poll(&ready, 1, 60_000) } while count == -1 && errno == EINTR
    if count == 0 {
      Issue.record("The terminal showed nothing for a minute. It has: \(screen.suffix(2_000))")
      process.terminate()
    }
    return shown.fileHandleForReading.availableData
  }

  /// Waits for the tool's end; its exit code.
  func end() -> Int32 {
    while !next().isEmpty {}
    try? typed.fileHandleForWriting.close()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
