import Testing

@testable import LarderStudio

@Suite("Which requests are answered")
struct RequestGuardTests {
  private let token = StudioToken()

  private func request(_ headers: [String: String]) -> StudioRequest {
    StudioRequest(path: ["api", "store"], headers: headers)
  }

  private func status(_ body: () throws -> Void) -> Int? {
    do {
      try body()
      return nil
    } catch { return (error as? RequestFault)?.status }
  }

  @Test(
    "Only this computer's names are hosts",
    arguments: [
      ("127.0.0.1:8080", nil), ("localhost", nil), ("LOCALHOST:1", nil), ("[::1]:80", nil), ("evil.example", 403),
      ("127.0.0.1.evil.example:80", 403), ("", 403), (nil, 403),
    ] as [(String?, Int?)])
  func hosts(_ host: String?, _ expected: Int?) {
    let guardian = RequestGuard(token: token)
    #expect(status { try guardian.checkPlace(request(host.map { ["host": $0] } ?? [:])) } == expected)
  }

  @Test(
    "Pages of other origins are refused",
    arguments: [
      ("http://localhost:80", nil), ("http://localhost:81", 403), ("https://localhost:80", 403), ("null", 403),
      ("http://evil.example", 403),
    ] as [(String, Int?)])
  func origins(_ origin: String, _ expected: Int?) {
    let guardian = RequestGuard(token: token)
    #expect(status { try guardian.checkPlace(request(["host": "localhost:80", "origin": origin])) } == expected)
  }

  @Test("F-171: The token comes in a header, never in a cookie")
  func tokens() {
    let guardian = RequestGuard(token: token)
    func status(_ headers: [String: String]) -> Int? {
      self.status { try guardian.checkToken(request(headers)) }
    }
    #expect(status(["x-larder-token": token.description]) == nil)
    #expect(status(["x-larder-token": token.description.uppercased()]) == nil)
    #expect(status(["x-larder-token": StudioToken().description]) == 403)
    #expect(status(["x-larder-token": String(token.description.dropLast())]) == 403)
    #expect(status(["cookie": "larder_token_\(token.description.prefix(8))=\(token)"]) == 403)
    #expect(status([:]) == 403)
  }

  @Test("Tokens are 32 hexadecimal digits, and each is another one")
  func digits() {
    #expect(StudioToken() != StudioToken())
    #expect(StudioToken().description.utf8.count == 32)
    #expect(StudioToken("0123456789abcdef0123456789ABCDEF")?.description == "0123456789abcdef0123456789abcdef")
    #expect(StudioToken("0123456789abcdef0123456789abcde") == nil)
    #expect(StudioToken("g123456789abcdef0123456789abcdef") == nil)
  }
}
