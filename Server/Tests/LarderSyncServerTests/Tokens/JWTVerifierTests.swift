import Foundation
import JWTKit
import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite struct JWTVerifierTests {
  private let claims: [String: [SyncValue]] = [
    "sub": [.string("ann")], "exp": [.int(2_000)], "tenant": [.string("acme")], "level": [.int(3)],
    "teams": [.string("a"), .string("b")], "admin": [.bool(true)],
  ]
  private let secret = [UInt8](repeating: 7, count: 32)

  private func token(_ keys: JWTKeyCollection, kid: String? = nil) async throws -> String {
    try await keys.sign(TokenPayload(values: claims), kid: kid.map { JWKIdentifier(string: $0) })
  }

  private func verifier(_ file: String, now: Int64 = 0) async throws -> JWTVerifier {
    JWTVerifier(keys: try await TokenKeys(file: file), now: { now })
  }

  private func refuses(_ verifier: JWTVerifier, _ token: String) async {
    let error = await #expect(throws: TokenFailure.self) { try await verifier.claims(of: token) }
    if case .invalid = error { return }
    Issue.record("another failure: \(String(describing: error))")
  }

  @Test("a token signed with ES256 is accepted by the public key in PEM, and its claims are what rules ask for")
  func elliptic() async throws {
    let key = ES256PrivateKey()
    let token = try await token(JWTKeyCollection().add(ecdsa: key))
    let found = try await verifier(key.publicKey.pemRepresentation).claims(of: token)
    #expect(found == UserClaims(subject: "ann", tenant: "acme", expires: 2_000_000, values: claims))
  }

  @Test("a token signed with EdDSA is accepted by a key set, by its 'kid'")
  func edwards() async throws {
    // The first key pair of RFC 8032, 7.1.
    let key = try EdDSA.PrivateKey(d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A", curve: .ed25519)
    let x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
    let file = #"{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"one","alg":"EdDSA","x":"\#(x)"}]}"#
    let token = try await token(JWTKeyCollection().add(eddsa: key, kid: "one"), kid: "one")
    #expect(try await verifier(file).claims(of: token).subject == "ann")
  }

  @Test("an expired token is refused as expired")
  func expired() async throws {
    let key = ES256PrivateKey()
    let token = try await token(JWTKeyCollection().add(ecdsa: key))
    let verifier = try await verifier(key.publicKey.pemRepresentation, now: 2_000_000)
    await #expect(throws: TokenFailure.expired) { try await verifier.claims(of: token) }
  }

  @Test("a token of a foreign key is refused, and one that was changed, and what is no token")
  func foreign() async throws {
    let key = ES256PrivateKey()
    let verifier = try await verifier(key.publicKey.pemRepresentation)
    await refuses(verifier, try await token(JWTKeyCollection().add(ecdsa: ES256PrivateKey())))
    var parts = try await token(JWTKeyCollection().add(ecdsa: key)).split(separator: ".").map(String.init)
    parts[1] = Data(#"{"sub":"eve","exp":2000}"#.utf8).base64EncodedString().replacing("=", with: "")
    await refuses(verifier, parts.joined(separator: "."))
    for text in ["", "a.b", "a.b.c", ".."] { await refuses(verifier, text) }
  }

  @Test("an unsigned token is refused, with and without a signature of another token")
  func unsigned() async throws {
    let key = ES256PrivateKey()
    let verifier = try await verifier(key.publicKey.pemRepresentation)
    let unsigned = try await token(JWTKeyCollection().addUnsecuredNone())
    await refuses(verifier, unsigned)
    let signature = try await token(JWTKeyCollection().add(ecdsa: key)).split(separator: ".")[2]
    await refuses(verifier, unsigned + signature)
  }

  @Test("HS256 is accepted with a development secret only; a public key is never taken for a secret")
  func symmetric() async throws {
    let keys = await JWTKeyCollection().add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
    let development = JWTVerifier(keys: try await TokenKeys(developmentSecret: secret), now: { 0 })
    #expect(try await development.claims(of: token(keys)).subject == "ann")
    let file = ES256PrivateKey().publicKey.pemRepresentation
    await refuses(try await verifier(file), try await token(keys))
    let forged = await JWTKeyCollection().add(hmac: HMACKey(from: Array(file.utf8)), digestAlgorithm: .sha256)
    await refuses(try await verifier(file), try await token(forged))
  }

  @Test("keys that are none are refused, and short secrets")
  func keys() async throws {
    let file = ES256PrivateKey().pemRepresentation
    for text in ["", "{}", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", file] {
      await #expect(throws: TokenKeys.Failure.self) { try await TokenKeys(file: text) }
    }
    await #expect(throws: TokenKeys.Failure.secretTooShort(31)) {
      try await TokenKeys(developmentSecret: [UInt8](repeating: 1, count: 31))
    }
  }
}
