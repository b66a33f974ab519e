import Foundation
import Synchronization

/// A PostgreSQL of this test process, started at its first use. Its data are removed when the process ends, in whatever way.
final class TestPostgres: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The one that suites share; each of their stores has a database of its own.
  static let shared = Result { try TestPostgres(named: "shared") }

  let folder: String
  private let lastDatabase = Mutex(0)

  /// Starts a cluster that is no one else's, for tests that kill it.
  init(named name: String) throws {
    folder = "/tmp/larder-pg-\(getpid())-\(name)"
    try start()
  }

  func start() throws { try script("start", "--for", "\(getpid())") }

  /// Kills the processes as the kernel does when memory is short: none of them may clean up.
  func kill() throws { try script("kill") }

  func remove() throws { try script("remove") }

  func url(_ database: String, user: String = "larder") -> String {
    "postgresql:///\(database)?host=\(folder)&user=\(user)"
  }

  /// A new empty database.
  func makeDatabase() throws -> String {
    let name = lastDatabase.withLock { last in
      last += 1
      return "test\(last)"
    }
    try sql("CREATE DATABASE \(name)", in: "larder")
    return name
  }

  /// Runs statements by psql, another client of the database.
  @discardableResult
  func sql(_ text: String, in database: String) throws -> String {
    try TestPostgres.run(
      "/usr/bin/env", ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", url(database), "-c", text])
  }

  private func script(_ verb: String, _ more: String...) throws {
    try TestPostgres.run(TestPostgres.root + "/.ci/private-postgres", [verb, folder] + more)
  }

  /// The repository.
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// Runs a program, and returns what it prints.
  @discardableResult
  static func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    guard process.terminationStatus == 0 else {
      throw Failure(description: "\(program) \(arguments.joined(separator: " ")): \(text)")
    }
    return text
  }
}
