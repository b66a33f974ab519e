import ArgumentParser
import Foundation
import LarderSyncServer

/// `larder-sync token`
struct Token: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Sign a token for a user, for development.",
    discussion: "In production an identity provider signs tokens; a server is given its public keys alone.")

  @Option(help: "The file with the secret for HS256.") var secret: String?
  @Option(help: "A file with a private key in PEM, for ES256 or EdDSA.") var key: String?
  @Option(help: "Who the user is: the claim sub.") var subject: String
  @Option(help: "The only tenant that the token is for.") var tenant: String?
  @Option(help: "How long the token is valid: 90s, 15m, 1h or 30d (default: 24h).") var expires: Lifetime?
  @Option(help: "A claim, as name=value; several values of a name become a list.") var claim: [String] = []

  func validate() throws {
    guard (secret == nil) != (key == nil) else { throw ValidationError("Give either --secret or --key.") }
  }

  func run() async throws {
    let signer: TokenSigner
    if let secret {
      signer = try await TokenSigner(secret: try InputFile.bytes(secret))
    } else {
      signer = try await TokenSigner(pem: String(decoding: try InputFile.bytes(key ?? ""), as: UTF8.self))
    }
    let expires = Int64(Date().timeIntervalSince1970) + (expires?.seconds ?? 24 * 60 * 60)
    print(
      try await signer.token(
        subject: subject, tenant: tenant, expires: expires, claims: try Claims(claim).values))
  }
}
