import Foundation

/// An error of an app or its users. The domain is `io.realm.app`.
public struct AppError: _BridgedStoredNSError {
  public let _nsError: NSError
  /// For the bridge to `NSError`.
  public init(_nsError: NSError) { self._nsError = _nsError }
  public static var _nsErrorDomain: String { "io.realm.app" }

  /// The kind of the error; the numbers are those of RealmSwift.
  public enum Code: Int, _ErrorCodeProtocol, Sendable {
    public typealias _ErrorType = AppError
    /// An error that no other code is for.
    case unknown = -1
    /// A request could not be made.
    case httpRequestFailed = 1
    /// The user is not logged in.
    case invalidSession = 2
    /// The server does not understand the request.
    case badRequest = 3
    /// There is no such user.
    case userNotFound = 4
    /// A value that cannot be used, such as a text that is no token.
    case invalidParameter = 8
    /// Something that is needed was not given, such as the address of the server.
    case missingParameter = 9
    /// The server failed.
    case internalServerError = 11
    /// The server does not know the way to sign in.
    case authProviderNotFound = 12
    /// The operator has disabled the user.
    case userDisabled = 23
    /// The token is not accepted, or has expired.
    case authError = 24
    /// The server is being maintained.
    case maintenanceInProgress = 27
  }

  /// For `catch`: a value that cannot be used.
  public static var invalidParameter: Code { .invalidParameter }
  /// For `catch`: something that is needed was not given.
  public static var missingParameter: Code { .missingParameter }
  /// For `catch`: the user is not logged in.
  public static var invalidSession: Code { .invalidSession }
  /// For `catch`: the token is not accepted, or has expired.
  public static var authError: Code { .authError }

  /// The status of HTTP; nil where no request was made.
  public var httpStatusCode: Int? { userInfo["LarderHTTPStatus"] as? Int }
  /// The description of what happened and what to do.
  public var message: String { _nsError.localizedDescription }

  static func make(_ code: Code, _ message: String) -> AppError {
    AppError(
      _nsError: NSError(
        domain: _nsErrorDomain, code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: message]))
  }
}

extension AppError: CustomStringConvertible {
  public var description: String { message }
}
