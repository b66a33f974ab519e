/// The way in which a user signs in.
public enum Credentials: Sendable {
  /// A token of the program's identity provider; the user's id is its `sub`.
  case jwt(token: String)
  /// A user without an account, if the server allows; the same one again until it is logged out.
  case anonymous
  /// A key that the operator gave a user: a token as well, with a `sub`.
  case userAPIKey(String)
  /// A key that the operator gave a program on a server: a token as well, with a `sub`.
  case serverAPIKey(String)

  /// Unavailable: accounts are the identity provider's.
  @available(*, unavailable, message: "Sign in with your identity provider and pass its token to .jwt(token:)")
  public static func emailPassword(email: String, password: String) -> Credentials { .anonymous }
  /// Unavailable: pass the token as a JWT.
  @available(*, unavailable, message: "Use .jwt(token:)")
  public static func apple(idToken: String) -> Credentials { .anonymous }
  /// Unavailable: pass the token as a JWT.
  @available(*, unavailable, message: "Use .jwt(token:)")
  public static func facebook(accessToken: String) -> Credentials { .anonymous }
  /// Unavailable: pass the token as a JWT.
  @available(*, unavailable, message: "Use .jwt(token:)")
  public static func google(serverAuthCode: String) -> Credentials { .anonymous }
  /// Unavailable: pass the token as a JWT.
  @available(*, unavailable, message: "Use .jwt(token:)")
  public static func googleId(token: String) -> Credentials { .anonymous }
}
