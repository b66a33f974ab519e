import Foundation
import LarderLocks
import TestSupport

/// A real `larder-sync serve` with its state in an SQLite file of its own, or in a PostgreSQL.
final class ServerProcess: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let folder: TemporaryDirectory
  private let place: [String]
  private let isDevelopment: Bool
  private let running = Lock<Process?>(nil)
  private let port = Lock(0)

  private static let program = WorkerProcess.productsDirectory.appendingPathComponent("larder-sync").path

  /// Starts a server with the schema and the roles of Fixtures/sync in the tenant `geo`.
  ///
  /// - Parameters:
  ///   - database: The URL of an empty PostgreSQL; without one the state is in a file.
  ///   - isDevelopment: Whether devices may bring schemas.
  init(database: String? = nil, isDevelopment: Bool = true) throws {
    folder = try TemporaryDirectory("sync-server")
    self.isDevelopment = isDevelopment
    guard FileManager.default.isExecutableFile(atPath: Self.program) else {
      throw Failure(
        description:
          "There is no \(Self.program). Build it: .ci/swift build --package-path Server --scratch-path .build "
          + "--product larder-sync")
    }
    place = database.map { ["--database", $0] } ?? ["--file", folder.file("server.sqlite")]
    if !isDevelopment { try makeKeys() }
    for arguments in [
      ["migrate"], ["tenant", "create", "geo"], ["schema", "push", "geo", "\(fixtures)/sync/schema.json"],
      ["roles", "push", "geo", "\(fixtures)/sync/roles.json"],
    ] { try Self.run(Self.program, arguments + place) }
    try start()
  }

  deinit { running.withLock { $0 }?.terminate() }

  /// The address that devices connect to.
  var url: String { "ws://127.0.0.1:\(portNumber)" }

  /// The port at which devices connect.
  var portNumber: Int { port.withLock { $0 } }

  /// True if the process has not ended.
  var isRunning: Bool { running.withLock { $0?.isRunning ?? false } }

  /// Starts the server, at the port that it had before.
  func start() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.program)
    let keys =
      isDevelopment ? ["--development", "--secret", folder.file("secret")] : ["--keys", folder.file("keys.pem")]
    process.arguments = ["serve", "--plain", "--listen", "127.0.0.1:\(portNumber)"] + place + keys
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

  /// Gives the tenant other roles, as an administrator does while the server runs.
  func pushRoles(_ text: String) throws {
    try Self.run(Self.program, ["roles", "push", "geo", try folder.write(text, to: "roles.json")] + place)
  }

  /// Gives the tenant more classes than those of Fixtures/sync, as an administrator does while the server runs.
  ///
  /// - Parameter classes: As in a schema file, without the braces around them.
  func pushSchema(_ classes: String) throws {
    let known = try String(contentsOfFile: "\(fixtures)/sync/schema.json", encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let file = try folder.write(known.dropLast() + ", " + classes + "}", to: "schema.json")
    try Self.run(Self.program, ["schema", "push", "geo", file] + place)
  }

  /// Gives the class of Fixtures/sync more properties, as an administrator does while the server runs.
  ///
  /// - Parameter properties: As in a schema file, with a comma at the end.
  func pushProperties(_ properties: String) throws {
    let known = try String(contentsOfFile: "\(fixtures)/sync/schema.json", encoding: .utf8)
    let begin = "\"properties\": {"
    let file = try folder.write(
      known.replacingOccurrences(of: begin, with: begin + " " + properties), to: "schema.json")
    try Self.run(Self.program, ["schema", "push", "geo", file] + place)
  }

  /// Returns what `larder-sync inspect` prints of the tenant.
  func inspect(_ arguments: String...) throws -> String {
    try Self.run(Self.program, ["inspect"] + arguments + ["--tenant", "geo"] + place)
  }

  /// Ends the server as the kernel does when memory is short.
  func kill() {
    guard let process = running.withLock({ $0 }) else { return }
    _ = Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  // MARK: - Tokens

  /// A token of a user with claims.
  func token(_ subject: String, _ claims: String..., tenant: String = "geo", expires: String = "24h") throws -> String {
    let key = isDevelopment ? ["--secret", folder.file("secret")] : ["--key", folder.file("key.pem")]
    return try Self.token(key, subject, claims, tenant, expires)
  }

  /// A token that is right but for its signature, which is made with another secret.
  func foreignToken(_ subject: String, _ claims: String...) throws -> String {
    let file = try folder.write(String(repeating: "another secret ", count: 4), to: "foreign")
    return try Self.token(["--secret", file], subject, claims, "geo", "24h")
  }

  private static func token(
    _ key: [String], _ subject: String, _ claims: [String], _ tenant: String, _ expires: String
  ) throws -> String {
    try run(
      program,
      ["token", "--tenant", tenant, "--subject", subject, "--expires", expires] + key
        + claims.flatMap { ["--claim", $0] }
    ).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func makeKeys() throws {
    let key = folder.file("key.pem")
    try Self.run(
      "/usr/bin/env",
      ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key])
    try Self.run("/usr/bin/env", ["openssl", "pkey", "-in", key, "-pubout", "-out", folder.file("keys.pem")])
  }

  /// Runs a program, and returns what it prints.
  @discardableResult
  static func run(_ program: String, _ arguments: [String]) throws -> String {
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
