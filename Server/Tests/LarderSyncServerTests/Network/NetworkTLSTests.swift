import Foundation
import NIOSSL
import Testing

@testable import LarderSyncServer

/// Connections with TLS, over real sockets.
@Suite struct NetworkTLSTests {
  @Test("a device that trusts the certificate connects, and messages of any size go both ways")
  func echo() async throws {
    let files = try TestCertificate.files.get()
    let server = try await ListenerFixture(tls: try TLSIdentity(certificate: files.certificate, key: files.key))
    let peer = try await server.peer(tls: TestCertificate.client(trusting: files.certificate))
    for count in [0, 1, 125, 126, 65_535, 65_536, 1 << 20] {
      peer.sendFrame([UInt8](repeating: 5, count: count))
      #expect(try await peer.frame().bytes.count == count)
    }
  }

  @Test("a device that does not trust the certificate, and one without TLS, do not get to a session")
  func refused() async throws {
    let files = try TestCertificate.files.get()
    let other = try TestCertificate.make("other")
    let server = try await ListenerFixture(tls: try TLSIdentity(certificate: files.certificate, key: files.key))
    let distrusting = try await RawPeer(port: server.port, tls: TestCertificate.client(trusting: other.certificate))
    distrusting.send(RawPeer.request())
    try await distrusting.ended()
    let plain = try await RawPeer(port: server.port)
    plain.send(RawPeer.request())
    try await plain.ended()
    #expect(server.sessions.sessions.isEmpty)
    try await eventually("both to be counted") { server.problems("tls") == 2 ? true : nil }
  }

  @Test("a device that speaks no TLS from 1.2 on does not get to a session")
  func versions() async throws {
    let files = try TestCertificate.files.get()
    let server = try await ListenerFixture(tls: try TLSIdentity(certificate: files.certificate, key: files.key))
    _ = try await server.peer(tls: TestCertificate.client(trusting: files.certificate, upTo: .tlsv12))
    let old = try await RawPeer(
      port: server.port, tls: TestCertificate.client(trusting: files.certificate, upTo: .tlsv11))
    old.send(RawPeer.request())
    try await old.ended()
    try await eventually("it to be counted") { server.problems("tls") == 1 ? true : nil }
  }

  @Test("a TLS handshake that does not go on is cut off")
  func slowHandshake() async throws {
    let files = try TestCertificate.files.get()
    var limits = ConnectionLimits.patient
    limits.handshakeMilliseconds = 200
    let tls = try TLSIdentity(certificate: files.certificate, key: files.key)
    let server = try await ListenerFixture(limits, tls: tls)
    let peer = try await RawPeer(port: server.port)
    peer.send([0x16, 0x03, 0x01])
    try await peer.ended()
    #expect(server.problems("handshake_timeout") == 1)
  }

  @Test("a certificate that is read again serves new connections; files that cannot be used change nothing")
  func reload() async throws {
    let first = try TestCertificate.make("reload-first")
    let second = try TestCertificate.make("reload-second")
    let used = try TestCertificate.make("reload")
    func use(_ files: (certificate: String, key: String)) throws {
      try Data(contentsOf: URL(filePath: files.certificate)).write(to: URL(filePath: used.certificate))
      try Data(contentsOf: URL(filePath: files.key)).write(to: URL(filePath: used.key))
    }
    try use(first)
    let tls = try TLSIdentity(certificate: used.certificate, key: used.key)
    let server = try await ListenerFixture(tls: tls)
    let before = try await server.peer(tls: TestCertificate.client(trusting: first.certificate))
    try use((second.certificate, first.key))
    #expect(throws: ListenerError.self) { try tls.reload() }
    _ = try await server.peer(tls: TestCertificate.client(trusting: first.certificate))
    try use(second)
    try tls.reload()
    _ = try await server.peer(tls: TestCertificate.client(trusting: second.certificate))
    before.sendFrame([1])
    #expect(try await before.frame().bytes == [1])
  }
}
