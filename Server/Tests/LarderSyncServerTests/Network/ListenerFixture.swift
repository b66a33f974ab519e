import Foundation
import Metrics
import NIOSSL
import Synchronization

@testable import LarderSyncServer

/// Sessions that send back what they get.
final class EchoSessions: SessionSource {
  private let state = Mutex<[EchoSession]>([])

  func connect(_ output: any SessionOutput, peer: String) -> EchoSession {
    let session = EchoSession(output)
    state.withLock { $0.append(session) }
    return session
  }

  var sessions: [EchoSession] { state.withLock { $0 } }
}

/// A session that sends back what it gets; while it is held, it does not go on to the next message.
final class EchoSession: ConnectionSession {
  private struct State {
    var messages: [[UInt8]] = []
    var isDisconnected = false
    var isHeld = false
  }

  let output: any SessionOutput
  private let state = Mutex(State())

  init(_ output: any SessionOutput) { self.output = output }

  var messages: [[UInt8]] { state.withLock { $0.messages } }
  var isDisconnected: Bool { state.withLock { $0.isDisconnected } }

  /// Makes messages wait from now on; false ends that.
  func hold(_ isHeld: Bool) { state.withLock { $0.isHeld = isHeld } }

  func receive(_ bytes: [UInt8]) async {
    state.withLock { $0.messages.append(bytes) }
    output.send(bytes)
    while state.withLock({ $0.isHeld }) { try? await Task.sleep(for: .milliseconds(5)) }
  }

  func disconnected() async { state.withLock { $0.isDisconnected = true } }
}

extension ConnectionLimits {
  /// The usual limits with time enough for a computer that is busy with other tests.
  static let patient: ConnectionLimits = {
    var limits = ConnectionLimits()
    limits.handshakeMilliseconds = 120_000
    return limits
  }()
}

/// A listener on a port of this computer for one test.
final class ListenerFixture: Sendable {
  let sessions = EchoSessions()
  let registry = MetricsRegistry()
  let port: Int
  private let task: Task<Void, any Error>

  init(_ limits: ConnectionLimits = .patient, tls: TLSIdentity? = nil) async throws {
    let configuration = ListenerConfiguration(
      address: ListenAddress(host: "127.0.0.1", port: 0), tls: tls, limits: limits,
      metrics: ConnectionMetrics(factory: registry))
    let listener = try SyncListener(configuration, sessions: sessions, logger: .quiet)
    let (ports, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
    task = Task {
      do {
        try await listener.run { continuation.yield($0.port) }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
        throw error
      }
    }
    var found: Int?
    for try await port in ports {
      found = port
      break
    }
    guard let found else { throw RawPeer.Failure(description: "the listener ended") }
    port = found
  }

  deinit { task.cancel() }

  /// Ends the listener, and returns when it has ended.
  func stop() async throws {
    task.cancel()
    try await task.value
  }

  /// A peer that speaks WebSocket.
  func peer(tls: NIOSSLContext? = nil) async throws -> RawPeer {
    let peer = try await RawPeer(port: port, tls: tls)
    try await peer.upgrade()
    return peer
  }

  /// Returns the number of problems for a reason, by the name that metrics have for it.
  func problems(_ reason: String) -> Int {
    let start = "larder_sync_connection_problems_total{reason=\"\(reason)\"} "
    let line = registry.text.split(separator: "\n").first { $0.hasPrefix(start) }
    return line.flatMap { Int($0.dropFirst(start.count)) } ?? 0
  }
}

/// A certificate for this computer that trusts itself, made once in a process.
enum TestCertificate {
  static let files = Result { try make("one") }

  /// Another one, in other files.
  static func make(_ name: String) throws -> (certificate: String, key: String) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "larder-tls-\(getpid())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let (certificate, key) = ("\(folder)/\(name).crt", "\(folder)/\(name).key")
    try TestPostgres.run(
      "/usr/bin/env",
      [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj", "/CN=\(name)", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
      ])
    return (certificate, key)
  }

  /// Makes the context of a device that trusts the certificate.
  ///
  /// - Parameter newest: The newest version of TLS that the device speaks.
  static func client(trusting certificate: String, upTo newest: TLSVersion? = nil) throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = .file(certificate)
    configuration.maximumTLSVersion = newest
    return try NIOSSLContext(configuration: configuration)
  }
}
