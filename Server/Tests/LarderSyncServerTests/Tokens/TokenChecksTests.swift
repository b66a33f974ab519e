import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite struct TokenChecksTests {
  private let checks = TokenChecks(audience: "larder")
  private let good: [String: [SyncValue]] = [
    "sub": [.string("ann")], "exp": [.int(100)], "aud": [.string("other"), .string("larder")],
    "tenant": [.string("acme")],
  ]

  private func good(_ name: String, _ value: [SyncValue]?) -> [String: [SyncValue]] {
    var values = good
    values[name] = value
    return values
  }

  @Test("a token with all claims is accepted until it expires, and not from then on")
  func expiry() throws {
    let claims = try checks.claims(of: good, now: 99_999)
    #expect(claims == UserClaims(subject: "ann", tenant: "acme", expires: 100_000, values: good))
    #expect(throws: TokenFailure.expired) { try checks.claims(of: good, now: 100_000) }
  }

  @Test("a token is not accepted before its 'nbf'")
  func begins() throws {
    let values = good("nbf", [.double(50.5)])
    #expect(throws: TokenFailure.self) { try checks.claims(of: values, now: 50_499) }
    #expect(throws: Never.self) { try checks.claims(of: values, now: 50_500) }
  }

  @Test("a token for another service, or for none, is refused by a server that has a name", arguments: [nil, "other"])
  func audience(_ name: String?) throws {
    let values = good("aud", name.map { [.string(SyncText($0))] })
    #expect(throws: TokenFailure.wrongAudience) { try checks.claims(of: values, now: 0) }
    #expect(throws: Never.self) { try TokenChecks().claims(of: values, now: 0) }
  }

  @Test(
    "a token without 'exp' or 'sub' is refused, and one whose claims are of another type",
    arguments: [
      ("exp", nil), ("exp", [.string("100")]), ("exp", [.double(.infinity)]), ("exp", [.int(.max)]), ("sub", nil),
      ("sub", [.string("")]), ("sub", [.int(1)]), ("tenant", [.string("a"), .string("b")]), ("nbf", [.bool(true)]),
    ] as [(String, [SyncValue]?)])
  func malformed(_ name: String, _ value: [SyncValue]?) {
    let error = #expect(throws: TokenFailure.self) { try checks.claims(of: good(name, value), now: 0) }
    guard case .invalid(let text) = error else {
      Issue.record("another failure: \(String(describing: error))")
      return
    }
    #expect(text.contains("'\(name)'"))
  }
}
