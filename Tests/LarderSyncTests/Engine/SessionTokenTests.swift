import LarderSyncProtocol
import Testing

@testable import LarderSync

@Suite("The token of a session")
struct SessionTokenTests {
  private static func token(until end: UInt64?, welcomed: Duration = .seconds(7)) -> SessionToken {
    var token = SessionToken(tenant: "geo")
    token.welcome(SyncTime(milliseconds: 1_000_000), at: welcomed)
    if let end { token.accept(until: end) }
    return token
  }

  @Test("Y-56: Another token is due after four fifths of the time that is left by the server's clock")
  func renewal() {
    let token = Self.token(until: 1_100_000)
    #expect(token.renewal(at: .seconds(7)) == .seconds(80))
    #expect(token.renewal(at: .seconds(57)) == .seconds(40))
  }

  @Test("Y-56: A later end counts from then on, and none before the server has said one")
  func ends() {
    var token = Self.token(until: nil)
    #expect(token.renewal(at: .seconds(7)) == nil)
    token.accept(until: 1_010_000)
    token.accept(until: 1_200_000)
    #expect(token.renewal(at: .seconds(107)) == .seconds(80))
  }

  @Test(
    "Y-56: Sources whose tokens are over, or nearly, are not asked without a pause",
    arguments: [0, 1_000_000, 1_001_000])
  func least(_ end: UInt64) {
    #expect(Self.token(until: end).renewal(at: .seconds(7)) == .seconds(1))
  }

  @Test("Tokens that never end can be waited for")
  func most() {
    #expect(Self.token(until: .max).renewal(at: .seconds(7)) == .seconds(292 * 24 * 60 * 60))
  }
}
