/// The reason why a token is needed.
package enum TokenReason: Hashable, Sendable {
  /// A connection begins: the token that there is will do.
  case connecting
  /// The token in use is past four fifths of its life.
  case expiring
  /// The token in use is not valid any more.
  case expired
  /// The server refused the token.
  case refused
}

/// A source of the user's tokens for an engine.
package protocol TokenSource: Sendable {
  /// A token.
  ///
  /// - Parameter attempt: 1, and one more each time after a failure.
  /// - Throws: When there is none now. `TokenError.signInRequired` ends the session.
  func token(_ reason: TokenReason, attempt: Int) async throws -> String
}

/// The reason why there is no token.
package enum TokenError: Error, Hashable, Sendable {
  /// The user has to sign in again.
  case signInRequired
}
