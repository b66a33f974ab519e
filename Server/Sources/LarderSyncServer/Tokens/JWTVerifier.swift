import Foundation
import JWTKit

/// Checks JSON Web Tokens: the signature by keys, that it is of an algorithm the keys are for, `exp`, `nbf`, `aud` and `sub`.
public struct JWTVerifier: TokenVerifier {
  private let keys: TokenKeys
  private let checks: TokenChecks
  private let now: @Sendable () -> Int64

  /// A verifier.
  ///
  /// - Parameters:
  ///   - keys: What tokens are signed with.
  ///   - audience: What a token's `aud` has to name; nil accepts any token of the signer.
  ///   - now: The time in milliseconds since 1970.
  public init(
    keys: TokenKeys, audience: String? = nil,
    now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
  ) {
    self.keys = keys
    checks = TokenChecks(audience: audience)
    self.now = now
  }

  public func claims(of token: String) async throws -> UserClaims {
    let payload: TokenPayload
    do {
      let header = try DefaultJWTParser().parse(Array(token.utf8), as: TokenPayload.self).header
      guard let algorithm = header.alg, keys.algorithms.contains(algorithm) else {
        let names = keys.algorithms.sorted().joined(separator: " or ")
        throw TokenFailure.invalid("The token is not signed with \(names).")
      }
      payload = try await keys.collection.verify(token, as: TokenPayload.self)
    } catch let error as TokenFailure {
      throw error
    } catch {
      // What the library says may contain parts of the token.
      throw TokenFailure.invalid("The token is malformed, or its signature is not by a key of this server.")
    }
    return try checks.claims(of: payload.values, now: now())
  }
}
