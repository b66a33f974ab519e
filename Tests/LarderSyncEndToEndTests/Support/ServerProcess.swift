import Foundation
import LarderLocks
import TestSupport

/// A real `larder-sync serve` with its state in an SQLite file of its own.
final class ServerProcess: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let folder: TemporaryDirectory
  private let running = Lock<Process?>(nil)
  private let port = Lock(0)

  private static let program = URL(fileURLWithPath: "\(fixtures)").deletingLastPathComponent()
    .appendingPathComponent("Server/.build/debug/larder-sync").path

  /// Starts a server with the schema and the roles of Fixtures/sync in the tenant `geo`.
  init() throws {
    folder = try TemporaryDirectory("sync-server")
    guard FileManager.default.isExecutableFile(atPath: Self.program) else {
      throw Failure(
        description: "There is no \(Self.program). Build it: swift build --package-path Server --product larder-sync")
    }
    let file = folder.file("server.sqlite")
    for arguments in [
      ["migrate"], ["tenant", "create", "geo"], ["schema", "push", "geo", "\(fixtures)/sync/schema.json"],
      ["roles", "push", "geo", "\(fixtures)/sync/roles.json"],
    ] { try Self.run(arguments + ["--file", file]) }
    try start()
  }

  deinit { running.withLock { $0 }?.terminate() }

  /// Where devices connect.
  var url: String { "ws://127.0.0.1:\(port.withLock { $0 })" }

  /// Starts the server, at the port that it had before.
  func start() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.program)
    process.arguments = [
      "serve", "--file", folder.file("server.sqlite"), "--plain", "--development", "--secret", folder.file("secret"),
      "--listen", "127.0.0.1:\(port.withLock { $0 })",
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var text = ""
    while !text.contains("\n") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw Failure(description: "The server ended: \(text)") }
      text += String(decoding: data, as: UTF8.self)
    }
    guard let number = text.split(separator: ":").last?.split(separator: "/").first.flatMap({ Int($0) }) else {
      throw Failure(description: "The server says no port: \(text)")
    }
    port.withLock { $0 = number }
    running.withLock { $0 = process }
  }

  /// Ends the server as the kernel does when memory is short.
  func kill() {
    guard let process = running.withLock({ $0 }) else { return }
    _ = Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// A token of a user with claims.
  func token(_ subject: String, _ claims: String...) throws -> String {
    try Self.run(
      ["token", "--secret", folder.file("secret"), "--tenant", "geo", "--subject", subject]
        + claims.flatMap { ["--claim", $0] }
    ).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @discardableResult
  private static func run(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    guard process.terminationStatus == 0 else { throw Failure(description: "\(arguments): \(text)") }
    return text
  }
}
