import NIOCore
import NIOHTTP1
import Testing

@testable import LarderSyncServer

/// The rules of the network part, without sockets and clock.
@Suite struct NetworkValueTests {
  @Test("connections are counted in all and by address; one that was refused does not count")
  func counts() {
    var limits = ConnectionLimits.patient
    limits.connections = 3
    limits.connectionsPerAddress = 2
    var counts = ConnectionCounts(limits)
    let (one, two) = (NetworkAddress([10, 0, 0, 1]), NetworkAddress([10, 0, 0, 2]))
    #expect(counts.admit(one) == nil)
    #expect(counts.admit(one) == nil)
    #expect(counts.admit(one) == .address)
    #expect(counts.admit(two) == nil)
    #expect(counts.admit(two) == .connections)
    counts.release(one)
    #expect(counts.total == 2)
    #expect(counts.admit(one) == nil)
  }

  @Test("without a limit for an address only all connections count")
  func noLimitPerAddress() {
    var limits = ConnectionLimits.patient
    limits.connections = 1000
    limits.connectionsPerAddress = 0
    var counts = ConnectionCounts(limits)
    for _ in 0..<1000 { #expect(counts.admit(NetworkAddress([10, 0, 0, 1])) == nil) }
    #expect(counts.admit(NetworkAddress([10, 0, 0, 1])) == .connections)
  }

  @Test("IPv6 counts by networks of 64 bits, and IPv4 in IPv6 as IPv4")
  func addresses() throws {
    func address(_ text: String) throws -> NetworkAddress {
      NetworkAddress(try SocketAddress(ipAddress: text, port: 1))
    }
    #expect(try address("2001:db8::1") == address("2001:db8:0:0:ffff::2"))
    #expect(try address("2001:db8::1") != address("2001:db8:0:1::1"))
    #expect(try address("::ffff:10.0.0.1") == address("10.0.0.1"))
    #expect(try address("10.0.0.1") != address("10.0.0.2"))
    #expect(IPv6Text("1:2:3:4:5:6:7:8")?.bytes == [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8])
    #expect(IPv6Text("fe80::1%eth0")?.bytes.first == 0xFE)
    for text in ["", "1:2", "1::2::3", "12345::", "1:2:3:4:5:6:7:8:9", "::1.2.3", "::g"] {
      #expect(IPv6Text(text) == nil)
    }
  }

  @Test("bytes fill the second's allowance, and reading pauses until it has grown again")
  func allowance() {
    var limits = ConnectionLimits.patient
    limits.bytesPerSecond = 1000
    var allowance = InboundAllowance(limits, now: 0)
    #expect(allowance.take(1000, now: 0) == true)
    #expect(allowance.pause(now: 0) == nil)
    #expect(allowance.take(500, now: 0) == true)
    #expect(allowance.pause(now: 0) == 500)
    #expect(allowance.pause(now: 499) == 1)
    #expect(allowance.pause(now: 500) == nil)
    // An hour of silence does not permit more than a second's bytes.
    #expect(allowance.take(1001, now: 3_600_000) == true)
    #expect(allowance.pause(now: 3_600_000) == 1)
  }

  @Test("up to the end of the first message only so many bytes are taken, and any number after it")
  func handshakeBytes() {
    var limits = ConnectionLimits.patient
    limits.handshakeBytes = 100
    var allowance = InboundAllowance(limits, now: 0)
    #expect(allowance.take(60, now: 0) == true)
    #expect(allowance.take(40, now: 0) == true)
    #expect(allowance.take(1, now: 0) == false)
    var other = InboundAllowance(limits, now: 0)
    #expect(other.take(100, now: 0) == true)
    other.endHandshake()
    #expect(other.take(1_000_000, now: 0) == true)
  }

  @Test("silence is asked about once, and ends the connection; while nothing is read it does not count")
  func idle() {
    var limits = ConnectionLimits.patient
    limits.idleMilliseconds = 100
    var idle = IdleWatch(limits, now: 0)
    #expect(idle.tick(49, isReading: true) == .nothing)
    #expect(idle.tick(50, isReading: true) == .ping)
    #expect(idle.tick(75, isReading: true) == .nothing)
    #expect(idle.tick(100, isReading: true) == .close)
    idle.hear(100)
    #expect(idle.tick(150, isReading: true) == .ping)
    #expect(idle.tick(250, isReading: false) == .nothing)
    #expect(idle.tick(299, isReading: true) == .nothing)
    #expect(idle.tick(300, isReading: true) == .ping)
  }

  @Test("addresses to listen on are read with IPv4, IPv6 and names; what is loopback is not left to a resolver")
  func listenAddresses() {
    #expect(ListenAddress("127.0.0.1:80") == ListenAddress(host: "127.0.0.1", port: 80))
    #expect(ListenAddress("[::1]:0") == ListenAddress(host: "::1", port: 0))
    #expect(ListenAddress("localhost:65535")?.isLoopback == true)
    #expect(ListenAddress("[::1]:1")?.description == "[::1]:1")
    for text in ["", "a", "::1:80", "a:65536", "a:-1", "a:b"] { #expect(ListenAddress(text) == nil) }
    for host in ["127.0.0.1", "127.1.2.3", "::1", "LOCALHOST"] {
      #expect(ListenAddress(host: host, port: 1).isLoopback)
    }
    for host in ["127.example.org", "0.0.0.0", "::", "128.0.0.1"] {
      #expect(!ListenAddress(host: host, port: 1).isLoopback)
    }
  }

  @Test("a request is accepted with several subprotocols, lists in headers, any case and a query")
  func requests() {
    func refusal(_ change: (inout HTTPRequestHead) -> Void) -> UInt? {
      var head = HTTPRequestHead(
        version: .http1_1, method: .GET, uri: "/larder/sync/1?x=1",
        headers: [
          "upgrade": "WebSocket", "connection": "keep-alive, Upgrade", "sec-websocket-version": "13",
          "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==", "sec-websocket-protocol": "other, larder-sync.1",
        ])
      change(&head)
      return UpgradeRequest.refusal(of: head)?.status.code
    }
    #expect(refusal { _ in } == nil)
    #expect(refusal { $0.version = .http1_0 } == 426)
    #expect(refusal { $0.headers.remove(name: "connection") } == 426)
    #expect(refusal { $0.headers.replaceOrAdd(name: "sec-websocket-key", value: "AAAA") } == 400)
    #expect(refusal { $0.headers.add(name: "sec-websocket-key", value: "dGhlIHNhbXBsZSBub25jZQ==") } == 400)
    #expect(refusal { $0.headers.remove(name: "sec-websocket-protocol") } == 400)
  }

  @Test("the usual limits are those that the documentation has a table of")
  func usualLimits() {
    let limits = ConnectionLimits()
    #expect(limits.connections == 20_000)
    #expect(limits.connectionsPerAddress == 2_000)
    #expect(limits.handshakeMilliseconds == 15_000)
    #expect(limits.handshakeBytes == 320 << 10)
    #expect(limits.messageBytes == 17 << 20)
    #expect(limits.bytesPerSecond == 8 << 20)
    #expect(limits.waitingBytes == 1 << 20)
    #expect(limits.idleMilliseconds == 120_000)
    #expect(limits.closeMilliseconds == 10_000)
  }

  @Test(
    "a server waits ten seconds for its database and ten for its connections, which is twenty from the signal to its end"
  )
  func ending() {
    let listener = ListenerConfiguration(address: ListenAddress(host: "127.0.0.1", port: 0))
    let configuration = ServerConfiguration(listener: listener, verifier: TestVerifier())
    let closing = Duration.milliseconds(configuration.listener.limits.closeMilliseconds)
    #expect(configuration.endingTime == Duration.seconds(10) && closing == Duration.seconds(10))
    #expect(configuration.endingTime + closing == Duration.seconds(20))
  }
}
