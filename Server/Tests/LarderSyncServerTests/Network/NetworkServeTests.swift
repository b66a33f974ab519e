import Foundation
import LarderSyncProtocol
import Synchronization
import Testing

@testable import LarderSyncServer

/// `larder-sync serve` as it is run.
@Suite struct NetworkServeTests {
  @Test("serve prints its addresses, answers health and metrics, and SIGTERM ends its connections and it")
  func lifecycle() async throws {
    let server = try ServeProcess(["--plain", "--development", "--status", "127.0.0.1:0"])
    let port = try await server.port("larder-sync: serving ws://127.0.0.1:")
    let statusPort = try await server.port("larder-sync: status http://127.0.0.1:")
    let device = try await RawPeer(port: port)
    try await device.upgrade()
    let status = try await RawPeer(port: statusPort)
    status.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try await status.head().hasPrefix("HTTP/1.1 200 "))
    let metrics = try await RawPeer(port: statusPort)
    metrics.send("GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    let text = try await metrics.rest()
    #expect(text.contains("\nlarder_sync_connections 1\n"))
    #expect(text.contains("\nlarder_sync_accepted_connections_total 1\n"))
    device.sendFrame([0xFF, 0xFF, 0xFF])
    #expect(try await device.frame().opcode == 2)
    #expect(try await device.frame().closeCode == 1000)
    let other = try await RawPeer(port: port)
    try await other.upgrade()
    server.signal(SIGTERM)
    #expect(try await other.frame().opcode == 2)
    #expect(try await other.frame().closeCode == 1000)
    other.sendFrame(8, [3, 232])
    try await other.ended()
    #expect(try await server.end() == 0)
  }

  @Test("serve reads its certificate again at SIGHUP and goes on")
  func hangUp() async throws {
    let first = try TestCertificate.make("serve-first")
    let second = try TestCertificate.make("serve-second")
    let server = try ServeProcess(["--development", "--certificate", first.certificate, "--key", first.key])
    let port = try await server.port("larder-sync: serving wss://127.0.0.1:")
    _ = try await RawPeer(port: port, tls: TestCertificate.client(trusting: first.certificate)).upgrade()
    try Data(contentsOf: URL(filePath: second.certificate)).write(to: URL(filePath: first.certificate))
    try Data(contentsOf: URL(filePath: second.key)).write(to: URL(filePath: first.key))
    server.signal(SIGHUP)
    try await eventually("the other certificate") {
      try? await RawPeer(port: port, tls: TestCertificate.client(trusting: second.certificate)).upgrade()
    }
    server.signal(SIGINT)
    #expect(try await server.end() == 0)
  }

  @Test("F-116: SIGTERM ends a server whose database is away, with a device that is connected and has sent a commit")
  func databaseAway() async throws {
    let postgres = try TestPostgres(named: "gone")
    defer { try? postgres.remove() }
    let url = postgres.url("larder")
    _ = try StoreAdministration.migrate(.postgres(url: url))
    let server = try ServeProcess(["--plain", "--development", "--database", url])
    let port = try await server.port("larder-sync: serving ws://127.0.0.1:")
    let token = try CommandLine.run(["token", "--secret", server.secret, "--tenant", "acme", "--subject", "ann"])
    let device = try await RawPeer(port: port)
    try await device.upgrade()
    let position = SyncPosition(
      epoch: 0, cursor: nil, view: nil, retained: RetainedCommits(first: 1, nonces: []))
    let hello = Hello(
      tenant: "acme", token: SyncText(token.output.filter { !$0.isWhitespace }), agent: "test", credential: nil,
      incarnation: 1, schemaFingerprint: 1, position: position, expands: false)
    device.sendFrame(SyncFrame(.hello(hello)).encoded())
    guard case .welcome(let welcome) = try SyncFrame(decoding: try await device.frame().bytes).message else {
      throw RawPeer.Failure(description: "the device is not welcome: \(token.errors)")
    }
    try postgres.kill()
    let creation = SyncOperation(ObjectName(className: "Item", key: .int(1)), .create([]))
    let commit = SyncCommit(siteVersion: 1, time: SyncTime(milliseconds: 1), nonce: 1, operations: [creation])
    let upload = SyncMessage.upload(LarderSyncProtocol.Upload(commits: [commit]))
    device.sendFrame(SyncFrame(upload).encoded(site: welcome.site))
    server.signal(SIGTERM)
    #expect(try await server.end() == 0)
  }

  @Test("serve says what is wrong with its options, and what to do about a database without tables")
  func failures() async throws {
    func failure(_ arguments: [String]) async throws -> String {
      let server = try ServeProcess(arguments)
      #expect(try await server.end() != 0)
      return server.output
    }
    #expect(try await failure(["--plain", "--listen", "0.0.0.0:0", "--development"]).contains("without TLS"))
    #expect(try await failure(["--development"]).contains("--certificate and --key, or --plain"))
    // The process is given a secret.
    #expect(try await failure(["--plain"]).contains("--secret is for development"))
    #expect(try await failure(["--plain", "--development", "--listen", "x"]).contains("write host:port"))
    let postgres = try TestPostgres.shared.get()
    let url = postgres.url(try postgres.makeDatabase())
    let text = try await failure(["--plain", "--development", "--database", url])
    #expect(text.contains("notMigrated"))
    #expect(text.contains("larder-sync migrate"))
  }
}

/// A server of its own process, with files of its own.
private final class ServeProcess: Sendable {
  private let process: Mutex<Process>
  private let text = Mutex("")
  private let folder: String

  init(_ arguments: [String]) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "larder-serve-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let process = Process()
    process.executableURL = Bundle.main.bundleURL.appending(path: "larder-sync")
    var all = ["serve"] + arguments
    if !arguments.contains("--listen") { all += ["--listen", "127.0.0.1:0"] }
    if !arguments.contains("--database") { all += ["--file", folder + "/sync.sqlite"] }
    all += ["--secret", folder + "/secret"]
    process.arguments = all
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    self.process = Mutex(process)
    output.fileHandleForReading.readabilityHandler = { [weak self] handle in
      let data = handle.availableData
      if data.isEmpty { handle.readabilityHandler = nil }
      self?.text.withLock { $0 += String(decoding: data, as: UTF8.self) }
    }
    try self.process.withLock { try $0.run() }
  }

  deinit {
    process.withLock { if $0.isRunning { kill($0.processIdentifier, SIGKILL) } }
    // What is left is in the folder for temporary files.
    try? FileManager.default.removeItem(atPath: folder)
  }

  var secret: String { folder + "/secret" }
  var output: String { text.withLock { $0 } }

  /// The port at the end of a line's beginning.
  func port(_ start: String) async throws -> Int {
    try await eventually("a line with '\(start)'; there is \(output)") {
      guard let range = output.firstRange(of: start) else { return nil }
      let rest = output[range.upperBound...]
      guard rest.contains("\n") else { return nil }
      return Int(rest.prefix { $0.isNumber })
    }
  }

  func signal(_ signal: Int32) { process.withLock { _ = kill($0.processIdentifier, signal) } }

  /// The status of the process, once it has ended.
  func end() async throws -> Int32 {
    try await eventually("the end of the server") {
      process.withLock { $0.isRunning ? nil : $0.terminationStatus }
    }
  }
}
