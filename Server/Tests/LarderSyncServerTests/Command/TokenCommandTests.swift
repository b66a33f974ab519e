import Foundation
import JWTKit
import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

/// `token`, as it is run: what it signs is what the server accepts.
@Suite struct TokenCommandTests {
  private func file(_ text: String) throws -> String {
    let path = FileManager.default.temporaryDirectory.appending(path: "larder-\(UUID().uuidString).key").path
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    return path
  }

  private func token(_ arguments: String...) throws -> String {
    let outcome = try CommandLine.run(["token"] + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.trimmingCharacters(in: .newlines)
  }

  @Test("a token of a secret has the claims that were asked for, and expires when it was asked to")
  func secret() async throws {
    let secret = String(repeating: "s", count: 32)
    let path = try file(secret)
    defer { unlink(path) }
    let before = Int64(Date().timeIntervalSince1970)
    let text = try token(
      "--secret", path, "--subject", "ann", "--tenant", "acme", "--expires", "1h", "--claim", "level=3", "--claim",
      "groups=a", "--claim", "groups=b")
    let after = Int64(Date().timeIntervalSince1970)
    let verifier = JWTVerifier(keys: try await TokenKeys(developmentSecret: Array(secret.utf8)))
    let claims = try await verifier.claims(of: text)
    #expect(claims.subject == "ann" && claims.tenant == "acme")
    #expect(claims.values["level"] == [.int(3)])
    #expect(claims.values["groups"] == [.string("a"), .string("b")])
    #expect((before + 3_600...after + 3_600).contains(claims.expires / 1_000))
  }

  @Test("a token of a private key is accepted by its public key")
  func key() async throws {
    let key = ES256PrivateKey()
    let path = try file(key.pemRepresentation)
    defer { unlink(path) }
    let text = try token("--key", path, "--subject", "bob", "--claim", "note=a=b")
    let verifier = JWTVerifier(keys: try await TokenKeys(file: key.publicKey.pemRepresentation))
    let claims = try await verifier.claims(of: text)
    #expect(claims.subject == "bob" && claims.tenant == nil)
    #expect(claims.values["note"] == [.string("a=b")])
  }

  @Test("what cannot be signed is refused with the reason")
  func refused() throws {
    let path = try file("short")
    defer { unlink(path) }
    func errors(_ arguments: String...) throws -> String {
      let outcome = try CommandLine.run(["token", "--subject", "ann"] + arguments)
      #expect(outcome.status != 0)
      return outcome.errors
    }
    #expect(try errors().contains("Give either --secret or --key."))
    #expect(try errors("--secret", path).contains("has 5 bytes; it needs 32 at least"))
    #expect(try errors("--key", path).contains("private key"))
    #expect(try errors("--secret", path, "--expires", "1w").contains("--expires"))
    #expect(try errors("--secret", "/nowhere/at/all").contains("cannot be read"))
  }
}
