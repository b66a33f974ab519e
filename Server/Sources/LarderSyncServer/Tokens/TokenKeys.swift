import JWTKit

/// The keys that tokens are signed with. May be used from any thread.
public struct TokenKeys: Sendable {
  /// The reason why keys cannot be used.
  public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is neither a public key in PEM nor a JSON Web Key Set with keys for ES256 or EdDSA.
    case unknownFormat(String)
    /// The secret for HS256 is shorter than 32 bytes.
    case secretTooShort(Int)

    public var description: String {
      switch self {
      case .unknownFormat(let why):
        "The keys are neither a public key in PEM (P-256 or Ed25519) nor a JSON Web Key Set: \(why)"
      case .secretTooShort(let count): "The secret for HS256 has \(count) bytes; it needs 32 at least."
      }
    }
  }

  let collection: JWTKeyCollection
  /// The names of algorithms that a token's header may have.
  let algorithms: Set<String>

  /// The keys of a file: a public key in PEM for ES256 or EdDSA, or a JSON Web Key Set, each key of which has a `kid`.
  ///
  /// - Throws: `Failure`.
  public init(file text: String) async throws(Failure) {
    collection = JWTKeyCollection()
    algorithms = ["ES256", "EdDSA"]
    if text.contains("-----BEGIN") {
      if let key = try? ES256PublicKey(pem: text) {
        await collection.add(ecdsa: key)
      } else if let key = try? EdDSA.PublicKey(pem: text) {
        await collection.add(eddsa: key)
      } else {
        throw .unknownFormat("the PEM is no public key of these kinds.")
      }
    } else {
      do {
        try await collection.add(jwksJSON: text)
      } catch {
        throw .unknownFormat("\(error)")
      }
    }
  }

  /// A secret for HS256, for development only: all who know it can make tokens.
  ///
  /// - Throws: `Failure` for a secret that is too short.
  public init(developmentSecret: [UInt8]) async throws(Failure) {
    guard developmentSecret.count >= 32 else { throw .secretTooShort(developmentSecret.count) }
    collection = JWTKeyCollection()
    algorithms = ["HS256"]
    await collection.add(hmac: HMACKey(from: developmentSecret), digestAlgorithm: .sha256)
  }
}
