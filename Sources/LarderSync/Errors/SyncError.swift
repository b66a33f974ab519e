import Foundation

/// An error of synchronisation, as `syncManager.errorHandler` and waits have it. The domain is `io.realm.sync`.
public struct SyncError: _BridgedStoredNSError {
  public let _nsError: NSError
  /// For the bridge to `NSError`.
  public init(_nsError: NSError) { self._nsError = _nsError }
  public static var _nsErrorDomain: String { "io.realm.sync" }

  /// The kind of the error; the numbers up to 14 are those of RealmSwift.
  public enum Code: Int, _ErrorCodeProtocol, Sendable {
    public typealias _ErrorType = SyncError
    /// The server ended the session for what this device did or has.
    case clientSessionError = 4
    /// The user has to sign in again, or the token is of another user (Y-54, Y-56).
    case clientUserError = 5
    /// The store could not be read or written, or something else failed on this device.
    case clientInternalError = 6
    /// The store has to start again from the server's state (Y-43).
    case clientResetError = 7
    /// Does not occur: tokens are the program's.
    case underlyingAuthError = 8
    /// The user may read nothing (Y-37). The data stays.
    case permissionDeniedError = 9
    /// The server refused the set of subscriptions (Y-5, Y-18).
    case invalidFlexibleSyncSubscriptions = 10
    /// The server did not accept writes (Y-28).
    case writeRejected = 11
    /// The server cannot be reached; only opening with `cancelAsyncOpenOnNonFatalErrors` has it (Y-16).
    case connectionFailed = 12
    /// The server's certificate is not trusted, or TLS failed in another way.
    case tlsHandshakeFailed = 13
    /// Something that only a newer version of this library knows.
    case serverWarning = 14
    /// The server no longer serves this version of the program's classes. Beyond RealmSwift.
    case schemaTooOld = 101
    /// The program's classes do not fit the server's. Beyond RealmSwift.
    case schemaConflict = 102
    /// The clock of this device is wrong. Beyond RealmSwift.
    case clockAdjusted = 103
    /// The file was copied, or restored from a backup (Y-68). Beyond RealmSwift.
    case storeCopied = 104
    /// The tenant has used what it may use. Beyond RealmSwift.
    case quotaExceeded = 105
    /// A transaction is larger than the server takes. Beyond RealmSwift.
    case transactionTooLarge = 106
  }

  /// A token that makes a client reset happen; see `SyncSession.immediatelyHandleError(_:)`.
  public typealias ActionToken = SyncErrorActionToken

  /// The path of the copy that will have what is unsent, and what makes the reset happen; nil for other errors than client resets.
  public func clientResetInfo() -> (String, SyncError.ActionToken)? {
    guard code == .clientResetError, let token = userInfo[Key.token] as? SyncErrorActionToken,
      let path = userInfo[Key.recoveryPath] as? String
    else { return nil }
    return (path, token)
  }

  /// Returns the token that removes the store; nil for errors that leave it as it is, which are all but client resets.
  public func deleteRealmUserInfo() -> SyncError.ActionToken? { userInfo[Key.token] as? SyncErrorActionToken }

  /// The objects whose writes the server did not accept, each with what the program had written (Y-28); nil for other errors.
  public var compensatingWriteInfo: [CompensatingWriteInfo]? { userInfo[Key.rejected] as? [CompensatingWriteInfo] }

  /// The address of the operator's log about the error; nil when the server does not give it.
  public var serverLogURL: URL? { userInfo[Key.log] as? URL }

  /// The time that the server wants the device to wait; nil when it does not say. Beyond RealmSwift.
  public var retryAfter: Duration? { (userInfo[Key.retryAfter] as? UInt32).map { .milliseconds(Int64($0)) } }

  /// The description of what happened, where, and what to do.
  public var message: String { _nsError.localizedDescription }

  /// The subject of the error, such as the predicate of a query or the name of a class; nil where the error is about the whole session.
  public var subject: String? { userInfo[Key.subject] as? String }

  /// Names of what an error says beyond its code.
  enum Key {
    static let token = "LarderSyncToken"
    static let recoveryPath = "LarderSyncRecoveryPath"
    static let rejected = "LarderSyncRejected"
    static let log = "LarderSyncLog"
    static let retryAfter = "LarderSyncRetryAfter"
    static let subject = "LarderSyncSubject"
  }

  /// An error with a message that says what happened and what to do.
  static func make(
    _ code: Code, _ message: String, subject: String? = nil, path: String? = nil, _ more: [String: Any] = [:]
  ) -> SyncError {
    var information = more
    information[NSLocalizedDescriptionKey] = message
    information[Key.subject] = subject
    information[NSFilePathErrorKey] = path
    return SyncError(_nsError: NSError(domain: _nsErrorDomain, code: code.rawValue, userInfo: information))
  }
}

extension SyncError: CustomStringConvertible {
  public var description: String { message }
}

/// For `catch`: the codes by their names.
extension SyncError {
  /// For `catch`: the server ended the session for what this device did or has.
  public static var clientSessionError: Code { .clientSessionError }
  /// For `catch`: the user has to sign in again, or the token is of another user.
  public static var clientUserError: Code { .clientUserError }
  /// For `catch`: something failed on this device.
  public static var clientInternalError: Code { .clientInternalError }
  /// For `catch`: the store has to start again from the server's state.
  public static var clientResetError: Code { .clientResetError }
  /// For `catch`: does not occur.
  public static var underlyingAuthError: Code { .underlyingAuthError }
  /// For `catch`: the user may read nothing.
  public static var permissionDeniedError: Code { .permissionDeniedError }
  /// For `catch`: the server refused the set of subscriptions.
  public static var invalidFlexibleSyncSubscriptions: Code { .invalidFlexibleSyncSubscriptions }
  /// For `catch`: the server did not accept writes.
  public static var writeRejected: Code { .writeRejected }
  /// For `catch`: the server cannot be reached.
  public static var connectionFailed: Code { .connectionFailed }
  /// For `catch`: TLS failed.
  public static var tlsHandshakeFailed: Code { .tlsHandshakeFailed }
  /// For `catch`: something that only a newer version of this library knows.
  public static var serverWarning: Code { .serverWarning }
  /// For `catch`: the server no longer serves this version of the program's classes.
  public static var schemaTooOld: Code { .schemaTooOld }
  /// For `catch`: the program's classes do not fit the server's.
  public static var schemaConflict: Code { .schemaConflict }
  /// For `catch`: the clock of this device is wrong.
  public static var clockAdjusted: Code { .clockAdjusted }
  /// For `catch`: the file was copied, or restored from a backup.
  public static var storeCopied: Code { .storeCopied }
  /// For `catch`: the tenant has used what it may use.
  public static var quotaExceeded: Code { .quotaExceeded }
  /// For `catch`: a transaction is larger than the server takes.
  public static var transactionTooLarge: Code { .transactionTooLarge }
}
