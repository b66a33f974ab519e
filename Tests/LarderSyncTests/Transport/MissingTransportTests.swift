import LarderSync
import Testing

@Suite("Without a transport")
struct MissingTransportTests {
  @Test("A build without the trait says so when it is to connect")
  func refuses() async {
    await #expect(throws: TransportError.unavailable) {
      _ = try await MissingTransport().connect(SyncEndpoint(url: "wss://localhost"))
    }
  }
}
