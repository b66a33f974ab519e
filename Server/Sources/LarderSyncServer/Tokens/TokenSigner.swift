import Foundation
import JWTKit
import LarderSyncProtocol

/// Signs tokens, for development and tests: a server in production takes those of an identity provider.
public struct TokenSigner: Sendable {
  private let keys: JWTKeyCollection

  /// A signer with a secret for HS256.
  ///
  /// - Throws: `TokenKeys.Failure` for a secret that is too short.
  public init(secret: [UInt8]) async throws(TokenKeys.Failure) {
    guard secret.count >= 32 else { throw .secretTooShort(secret.count) }
    keys = JWTKeyCollection()
    await keys.add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
  }

  /// A signer with a private key in PEM: P-256 for ES256, or Ed25519 for EdDSA.
  ///
  /// - Throws: `TokenKeys.Failure.unknownFormat`.
  public init(pem: String) async throws(TokenKeys.Failure) {
    keys = JWTKeyCollection()
    if let key = try? ES256PrivateKey(pem: pem) {
      await keys.add(ecdsa: key)
    } else if let key = try? EdDSA.PrivateKey(pem: pem) {
      await keys.add(eddsa: key)
    } else {
      throw .unknownFormat("the PEM is no private key of these kinds.")
    }
  }

  /// A token.
  ///
  /// - Parameters:
  ///   - expires: Seconds since 1970.
  ///   - claims: More of them, by name.
  public func token(
    subject: String, tenant: String?, expires: Int64, claims: [String: [SyncValue]] = [:]
  ) async throws -> String {
    var values = claims
    values["sub"] = [.string(SyncText(subject))]
    if let tenant { values["tenant"] = [.string(SyncText(tenant))] }
    values["exp"] = [.int(expires)]
    return try await keys.sign(TokenPayload(values: values))
  }
}
