import Testing

@testable import LarderSyncServer

@Suite struct ListenAddressTests {
  @Test(
    "Addresses are hosts with ports",
    arguments: [
      ("127.0.0.1:80", "127.0.0.1", 80, true), ("8440", "127.0.0.1", 8440, true), ("[::1]:1", "::1", 1, true),
      ("0.0.0.0:443", "0.0.0.0", 443, false), ("example.org:0", "example.org", 0, false),
      ("localhost:1", "localhost", 1, true),
    ])
  func valid(_ text: String, _ host: String, _ port: Int, _ isLoopback: Bool) throws {
    let address = try #require(ListenAddress(text))
    #expect(address == ListenAddress(host: host, port: port))
    #expect(address.isLoopback == isLoopback)
  }

  @Test(
    "What has no port, or a port that is none, is no address",
    arguments: ["", "host", "host:", "host:65536", "::1:80", "a:-1"])
  func invalid(_ text: String) { #expect(ListenAddress(text) == nil) }
}
