import LarderSyncProtocol
import Testing

@Suite("Bytes of version 1.0")
struct GoldenFramesTests {
  @Test("each message has the bytes that it always had", arguments: GoldenFrame.all)
  func frames(_ golden: GoldenFrame) throws {
    let bytes = SyncFrame(golden.message).encoded(site: GoldenFrame.site)
    #expect(hexadecimal(bytes) == golden.bytes)
    #expect(try SyncFrame(decoding: bytes, site: GoldenFrame.site).message == golden.message)
  }

  @Test("there is one of each kind")
  func kinds() {
    #expect(GoldenFrame.all.map(\.message.kind) == Array(1...19))
  }

  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
