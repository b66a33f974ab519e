import LarderSyncProtocol

/// The checks of a token's claims once its signature is right. A value without clock.
struct TokenChecks: Hashable, Sendable {
  /// The name of this service; nil accepts any audience.
  var audience: String?

  /// The claims of a token at a time in milliseconds since 1970.
  ///
  /// - Throws: `TokenFailure`.
  func claims(of values: [String: [SyncValue]], now: Int64) throws(TokenFailure) -> UserClaims {
    guard let expires = try time("exp", values) else {
      throw .invalid("The token has no claim 'exp'; a token has to say when it expires.")
    }
    guard expires > now else { throw .expired }
    if let begins = try time("nbf", values), begins > now {
      throw .invalid("The token is not valid yet: see its claim 'nbf' and the clocks.")
    }
    if let audience, !(values["aud"] ?? []).contains(.string(SyncText(audience))) { throw .wrongAudience }
    guard let subject = try text("sub", values), !subject.isEmpty else {
      throw .invalid("The token has no claim 'sub'; a token has to say who its user is.")
    }
    return UserClaims(subject: subject, tenant: try text("tenant", values), expires: expires, values: values)
  }

  private func text(_ name: String, _ values: [String: [SyncValue]]) throws(TokenFailure) -> String? {
    guard let claim = values[name] else { return nil }
    guard claim.count == 1, case .string(let text) = claim[0] else {
      throw .invalid("The token's claim '\(name)' is not a text.")
    }
    return text.string
  }

  /// A claim in seconds since 1970, as milliseconds.
  private func time(_ name: String, _ values: [String: [SyncValue]]) throws(TokenFailure) -> Int64? {
    guard let claim = values[name] else { return nil }
    let milliseconds: Int64? =
      switch claim.count == 1 ? claim[0] : .null {
      case .int(let seconds): Int64(exactly: (Double(seconds) * 1000).rounded())
      case .double(let seconds): Int64(exactly: (seconds * 1000).rounded(.down))
      default: nil
      }
    guard let milliseconds else {
      throw .invalid("The token's claim '\(name)' is not a number of seconds since 1970.")
    }
    return milliseconds
  }
}
