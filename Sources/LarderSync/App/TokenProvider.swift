/// Gets a user a new token. Called on a task of its own, for one request of a user at a time (Y-56).
public typealias TokenProvider = @Sendable (TokenRequest) async throws -> String

/// A request for a token, as a token provider gets it.
public struct TokenRequest: Sendable {
  /// The reason why a token is needed.
  public enum Reason: Sendable {
    /// The token in use is past four fifths of its life.
    case expiring
    /// The token in use is not valid any more, or there is none.
    case expired
    /// The server refused the token.
    case refused
  }

  /// The user; empty for configurations without one.
  public let userID: String
  /// The reason why a token is needed.
  public let reason: TokenRequest.Reason
  /// 1, and one more each time after a failure.
  public let attempt: Int
}

/// Thrown by a token provider: the user has to sign in again, and is logged out.
public struct SignInRequired: Error {
  /// The error; there is nothing to say.
  public init() {}
}
