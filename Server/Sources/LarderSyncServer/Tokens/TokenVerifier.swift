/// The reason why a token is not accepted.
public enum TokenFailure: Error, Hashable, Sendable {
  /// It is no token of a known signer, or lacks a claim; the text says what is wrong and has nothing secret in it.
  case invalid(String)
  /// It was valid once.
  case expired
  /// It is meant for another service.
  case wrongAudience
}

/// Checks the tokens that devices send. May be used from any thread.
public protocol TokenVerifier: Sendable {
  /// The claims of a token whose signature, times and audience are right.
  ///
  /// - Throws: `TokenFailure`.
  func claims(of token: String) async throws -> UserClaims
}
