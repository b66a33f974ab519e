import Foundation
import LarderQuery
import LarderStorage

extension Realm {
  /// An error of opening, writing or reading a store, with Realm's codes.
  public struct Error: _BridgedStoredNSError {
    public let _nsError: NSError
    public init(_nsError: NSError) { self._nsError = _nsError }
    public static var _nsErrorDomain: String { "io.realm" }

    public enum Code: Int, _ErrorCodeProtocol, Sendable {
      public typealias _ErrorType = Realm.Error
      case fail = 1
      case fileAccess = 2
      case filePermissionDenied = 3
      case fileExists = 4
      case fileNotFound = 5
      case fileFormatUpgradeRequired = 6
      case incompatibleLockFile = 8
      case addressSpaceExhausted = 9
      case schemaMismatch = 10
      case alreadyOpen = 12
      case invalidInput = 13
      case outOfDiskSpace = 14
      case incompatibleSession = 15
      case unsupportedFileFormatVersion = 16
      case multipleSyncAgents = 17
      case subscriptionFailed = 18
      case fileOperationFailed = 19
      case invalidDatabase = 20
      case incompatibleHistories = 21
      case noSubscriptionForWrite = 22
      /// The write lock was not free in time. Beyond RealmSwift (U-22).
      case writeTimeout = 1001
    }

    public static var fail: Realm.Error.Code { .fail }
    public static var fileAccess: Realm.Error.Code { .fileAccess }
    public static var filePermissionDenied: Realm.Error.Code { .filePermissionDenied }
    public static var fileExists: Realm.Error.Code { .fileExists }
    public static var fileNotFound: Realm.Error.Code { .fileNotFound }
    public static var fileFormatUpgradeRequired: Realm.Error.Code { .fileFormatUpgradeRequired }
    public static var incompatibleLockFile: Realm.Error.Code { .incompatibleLockFile }
    public static var addressSpaceExhausted: Realm.Error.Code { .addressSpaceExhausted }
    public static var schemaMismatch: Realm.Error.Code { .schemaMismatch }
    public static var alreadyOpen: Realm.Error.Code { .alreadyOpen }
    public static var invalidInput: Realm.Error.Code { .invalidInput }
    public static var outOfDiskSpace: Realm.Error.Code { .outOfDiskSpace }
    public static var incompatibleSession: Realm.Error.Code { .incompatibleSession }
    public static var unsupportedFileFormatVersion: Realm.Error.Code { .unsupportedFileFormatVersion }
    public static var multipleSyncAgents: Realm.Error.Code { .multipleSyncAgents }
    public static var subscriptionFailed: Realm.Error.Code { .subscriptionFailed }
    public static var fileOperationFailed: Realm.Error.Code { .fileOperationFailed }
    public static var invalidDatabase: Realm.Error.Code { .invalidDatabase }
    public static var incompatibleHistories: Realm.Error.Code { .incompatibleHistories }
    public static var noSubscriptionForWrite: Realm.Error.Code { .noSubscriptionForWrite }

    /// The write lock was not free in time (U-22).
    public static var writeTimeout: Realm.Error.Code { .writeTimeout }

    /// A generic failure.
    public static let callFailed = Realm.Error.make(.fail, "The call failed.")

    /// The file the error is about.
    public var fileURL: URL? { path.map { URL(fileURLWithPath: $0) } }
  }
}

// What an error tells beyond its code (E-130).
extension Realm.Error {
  /// What happened, where, and what to do; the text a plain call would end the process with.
  public var message: String { _nsError.localizedDescription }
  /// The class the error is about, by its name in the schema.
  public var className: String? { userInfo[InformationKey.className] as? String }
  /// The property the error is about, by its name in Swift.
  public var propertyName: String? { userInfo[InformationKey.propertyName] as? String }
  /// The file the error is about.
  public var path: String? { userInfo[NSFilePathErrorKey] as? String }
  /// The error below this one that caused it: of the system, the store or a predicate.
  public var underlying: (any Swift.Error)? { userInfo[NSUnderlyingErrorKey] as? any Swift.Error }

  private enum InformationKey {
    static let className = "LarderClassName"
    static let propertyName = "LarderPropertyName"
  }

  /// An error with a message that says what happened and what to do.
  static func make(
    _ code: Code, _ message: String, className: String? = nil, propertyName: String? = nil, path: String? = nil,
    underlying: (any Swift.Error)? = nil
  ) -> Realm.Error {
    var information: [String: Any] = [NSLocalizedDescriptionKey: message]
    information[InformationKey.className] = className
    information[InformationKey.propertyName] = propertyName
    information[NSFilePathErrorKey] = path
    information[NSUnderlyingErrorKey] = underlying
    return Realm.Error(_nsError: NSError(domain: _nsErrorDomain, code: code.rawValue, userInfo: information))
  }

  /// The error of a value, a name or a call that cannot be: `invalidInput`.
  static func invalid(_ message: String, className: String? = nil, propertyName: String? = nil) -> Realm.Error {
    make(.invalidInput, message, className: className, propertyName: propertyName)
  }

  /// The error of a layer below under Realm's code.
  init(_ error: any Swift.Error, path: String? = nil) {
    switch error {
    case let error as Realm.Error: self = error
    case let error as StorageError:
      self = .make(
        Code(error.code), error.message, className: error.className, propertyName: error.property,
        path: error.path ?? path, underlying: error)
    case let error as LarderQuery.PredicateError: self = .make(.invalidInput, "\(error)", path: path, underlying: error)
    default: self = .make(.fail, "\(error)", path: path, underlying: error)
    }
  }
}

extension Realm.Error: CustomStringConvertible {
  public var description: String { message }
}

extension Realm.Error.Code {
  init(_ code: StorageError.Code) {
    self =
      switch code {
      case .notFound: .fileNotFound
      case .fileExists: .fileExists
      case .permissionDenied: .filePermissionDenied
      case .fileAccess: .fileAccess
      case .outOfDiskSpace: .outOfDiskSpace
      case .notADatabase, .truncated, .corrupted: .invalidDatabase
      case .unsupportedFormat, .unknownFeature: .unsupportedFileFormatVersion
      case .addressSpaceExhausted: .addressSpaceExhausted
      case .alreadyOpen: .alreadyOpen
      case .schemaMismatch: .schemaMismatch
      case .unknownClass, .unknownProperty, .typeMismatch, .nullForRequired, .duplicatePrimaryKey,
        .duplicateValue, .valueTooLarge,
        .noSuchObject, .indexOutOfRange, .embeddedOwner:
        .invalidInput
      default: .fail
      }
  }
}

/// Whether two errors have the same domain and code.
public func == (lhs: any Error, rhs: any Error) -> Bool {
  let left = lhs as NSError
  let right = rhs as NSError
  return left.domain == right.domain && left.code == right.code
}
