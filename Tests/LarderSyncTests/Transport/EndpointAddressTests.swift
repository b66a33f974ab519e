import Testing

@testable import LarderSync

@Suite("Addresses of servers")
struct EndpointAddressTests {
  @Test("Scheme, host, port and path are taken apart")
  func parts() throws {
    let plain = try EndpointAddress("ws://localhost/larder/sync/1")
    #expect(!plain.isEncrypted && plain.host == "localhost" && plain.port == 80 && plain.target == "/larder/sync/1")
    #expect(plain.hostHeader == "localhost")
    let secure = try EndpointAddress("wss://example.org:8443?a=%20b")
    #expect(secure.isEncrypted && secure.port == 8_443 && secure.target == "/?a=%20b")
    #expect(secure.hostHeader == "example.org:8443")
    let numbers = try EndpointAddress("wss://[::1]:443/x")
    #expect(numbers.host == "::1" && numbers.isNumeric && numbers.hostHeader == "[::1]")
  }

  @Test(
    "Only this computer is a loopback address",
    arguments: [
      ("localhost", true), ("LOCALHOST", true), ("127.0.0.1", true), ("127.1.2.3", true), ("[::1]", true),
      ("127.0.0.1.example.org", false), ("127.0.0", false), ("localhost.example.org", false), ("10.0.0.1", false),
      ("[::2]", false),
    ])
  func loopback(_ host: String, _ expected: Bool) throws {
    #expect(try EndpointAddress("ws://\(host)/").isLoopback == expected)
  }

  @Test(
    "What is no address of a server is refused with the address",
    arguments: ["", "localhost", "https://example.org", "ws://", "ws://host:0/", "ws://host:70000/", "wss:///path"])
  func refused(_ url: String) {
    #expect {
      _ = try EndpointAddress(url)
    } throws: { error in
      if case .address(let text)? = error as? TransportError { text.contains("'\(url)'") } else { false }
    }
  }
}
