/// The tokens of a user.
struct UserTokens: TokenSource {
  let user: User

  func token(_ reason: TokenReason, attempt: Int) async throws -> String {
    guard user.isLoggedIn else { throw TokenError.signInRequired }
    if reason == .connecting, let token = user.accessToken { return token }
    guard let provider = user.app.options.tokenProvider else {
      // The old one is used to its end; another has to come from `update(token:)` or a login.
      if reason == .expiring, let token = user.accessToken { return token }
      throw TokenError.signInRequired
    }
    let request = TokenRequest(userID: user.id, reason: TokenRequest.Reason(reason), attempt: attempt)
    return try await user.renewal.token { [user] in
      do {
        let token = TokenClaims.trimmed(try await provider(request))
        try user.take(token)
        return token
      } catch is SignInRequired {
        user.signOut()
        throw TokenError.signInRequired
      }
    }
  }
}

/// The tokens of a configuration without an app.
struct ProvidedTokens: TokenSource {
  let provider: TokenProvider
  private let last = Shared<String?>(nil)
  private let renewal = TokenRenewal()

  init(_ provider: @escaping TokenProvider) { self.provider = provider }

  func token(_ reason: TokenReason, attempt: Int) async throws -> String {
    if reason == .connecting, let token = last.value.withLock({ $0 }) { return token }
    let request = TokenRequest(userID: "", reason: TokenRequest.Reason(reason), attempt: attempt)
    return try await renewal.token { [provider, last] in
      do {
        let token = TokenClaims.trimmed(try await provider(request))
        last.value.withLock { $0 = token }
        return token
      } catch is SignInRequired {
        throw TokenError.signInRequired
      }
    }
  }
}

extension TokenRequest.Reason {
  init(_ reason: TokenReason) {
    switch reason {
    case .connecting, .expired: self = .expired
    case .expiring: self = .expiring
    case .refused: self = .refused
    }
  }
}
