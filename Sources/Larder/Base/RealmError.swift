import Foundation
import LarderQuery
import LarderStorage

extension Realm {
  /// An error of opening, writing or reading a store, with Realm's codes.
  public struct Error: _BridgedStoredNSError {
    public let _nsError: NSError
    /// For the bridge to `NSError`.
    public init(_nsError: NSError) { self._nsError = _nsError }
    public static var _nsErrorDomain: String { "io.realm" }

    /// The kind of an error; the numbers are those of RealmSwift.
    public enum Code: Int, _ErrorCodeProtocol, Sendable {
      public typealias _ErrorType = Realm.Error
      /// A call at the wrong place or time, an invalid schema, or what no other code is for.
      case fail = 1
      /// The file cannot be read, written or made.
      case fileAccess = 2
      /// The system does not allow to open the file.
      case filePermissionDenied = 3
      /// There is a file already where one would be made.
      case fileExists = 4
      /// There is no such file or folder.
      case fileNotFound = 5
      /// Does not occur: there is one file format.
      case fileFormatUpgradeRequired = 6
      /// Does not occur; see `unsupportedFileFormatVersion`.
      case incompatibleLockFile = 8
      /// The map of the file cannot grow.
      case addressSpaceExhausted = 9
      /// The store needs a migration, or another process has migrated it.
      case schemaMismatch = 10
      /// A program has open what would be deleted, migrated or opened otherwise.
      case alreadyOpen = 12
      /// A value, name, key, predicate or object that cannot be used.
      case invalidInput = 13
      /// The disk is full; nothing of the transaction was stored.
      case outOfDiskSpace = 14
      /// A synced store belongs to another user, tenant or application (Y-54).
      case incompatibleSession = 15
      /// The file was made by a newer version, or by another generation of LMDB.
      case unsupportedFileFormatVersion = 16
      /// Another process has the connection of a store for which this one was to have it.
      case multipleSyncAgents = 17
      /// A subscription asks for what subscriptions cannot ask for, or the server refused the set (Y-5, Y-18).
      case subscriptionFailed = 18
      /// Does not occur; see `fileAccess`.
      case fileOperationFailed = 19
      /// The file is damaged, cut short, or no store.
      case invalidDatabase = 20
      /// A store that was synced is opened for writing as a local one.
      case incompatibleHistories = 21
      /// A new object is in none of the store's subscriptions (Y-25, Y-26).
      case noSubscriptionForWrite = 22
      /// The write lock was not free in time. Beyond RealmSwift (U-22).
      case writeTimeout = 1001
      /// A write transaction of a synced store is more than can be sent at once, and was not stored (Y-37). Beyond RealmSwift.
      case transactionTooLarge = 1002
    }

    /// For `catch`: a call at the wrong place or time, an invalid schema, or what no other code is for.
    public static var fail: Realm.Error.Code { .fail }
    /// For `catch`: the file cannot be read, written or made.
    public static var fileAccess: Realm.Error.Code { .fileAccess }
    /// For `catch`: the system does not allow to open the file.
    public static var filePermissionDenied: Realm.Error.Code { .filePermissionDenied }
    /// For `catch`: there is a file already where one would be made.
    public static var fileExists: Realm.Error.Code { .fileExists }
    /// For `catch`: there is no such file or folder.
    public static var fileNotFound: Realm.Error.Code { .fileNotFound }
    /// For `catch`: does not occur: there is one file format.
    public static var fileFormatUpgradeRequired: Realm.Error.Code { .fileFormatUpgradeRequired }
    /// For `catch`: does not occur; see `unsupportedFileFormatVersion`.
    public static var incompatibleLockFile: Realm.Error.Code { .incompatibleLockFile }
    /// For `catch`: the map of the file cannot grow.
    public static var addressSpaceExhausted: Realm.Error.Code { .addressSpaceExhausted }
    /// For `catch`: the store needs a migration, or another process has migrated it.
    public static var schemaMismatch: Realm.Error.Code { .schemaMismatch }
    /// For `catch`: A program has open what would be deleted, migrated or opened otherwise.
    public static var alreadyOpen: Realm.Error.Code { .alreadyOpen }
    /// For `catch`: a value, name, key, predicate or object that cannot be used.
    public static var invalidInput: Realm.Error.Code { .invalidInput }
    /// For `catch`: the disk is full; nothing of the transaction was stored.
    public static var outOfDiskSpace: Realm.Error.Code { .outOfDiskSpace }
    /// For `catch`: a synced store belongs to another user, tenant or application (Y-54).
    public static var incompatibleSession: Realm.Error.Code { .incompatibleSession }
    /// For `catch`: the file was made by a newer version, or by another generation of LMDB.
    public static var unsupportedFileFormatVersion: Realm.Error.Code { .unsupportedFileFormatVersion }
    /// For `catch`: another process has the connection of the store.
    public static var multipleSyncAgents: Realm.Error.Code { .multipleSyncAgents }
    /// For `catch`: a subscription was refused (Y-5, Y-18).
    public static var subscriptionFailed: Realm.Error.Code { .subscriptionFailed }
    /// For `catch`: does not occur; see `fileAccess`.
    public static var fileOperationFailed: Realm.Error.Code { .fileOperationFailed }
    /// For `catch`: the file is damaged, cut short, or no store.
    public static var invalidDatabase: Realm.Error.Code { .invalidDatabase }
    /// For `catch`: a store that was synced is opened for writing as a local one.
    public static var incompatibleHistories: Realm.Error.Code { .incompatibleHistories }
    /// For `catch`: a new object is in none of the store's subscriptions (Y-25, Y-26).
    public static var noSubscriptionForWrite: Realm.Error.Code { .noSubscriptionForWrite }

    /// The write lock was not free in time (U-22).
    public static var writeTimeout: Realm.Error.Code { .writeTimeout }
    /// For `catch`: a write transaction of a synced store is more than can be sent at once (Y-37).
    public static var transactionTooLarge: Realm.Error.Code { .transactionTooLarge }

    /// A generic failure.
    public static let callFailed = Realm.Error.make(.fail, "The call failed.")

    /// The file the error is about.
    public var fileURL: URL? { path.map { URL(fileURLWithPath: $0) } }
  }
}

// What an error tells beyond its code (E-130).
extension Realm.Error {
  /// The text of the error: what happened, where, and what to do. A plain call would end the process with it.
  public var message: String { _nsError.localizedDescription }
  /// The class the error is about, by its name in the schema.
  public var className: String? { userInfo[InformationKey.className] as? String }
  /// The property the error is about, by its name in Swift.
  public var propertyName: String? { userInfo[InformationKey.propertyName] as? String }
  /// The file the error is about.
  public var path: String? { userInfo[NSFilePathErrorKey] as? String }
  /// A Boolean value that says whether a store was opened with another encryption key than its own, without one, or with one though it is plain;
  /// false for a damaged store, whose code is `invalidDatabase` as well. Beyond RealmSwift.
  public var isWrongKey: Bool { (underlying as? StorageError)?.code == .wrongKey }
  /// The error below this one that caused it: of the system, the store or a predicate.
  public var underlying: (any Swift.Error)? { userInfo[NSUnderlyingErrorKey] as? any Swift.Error }

  private enum InformationKey {
    static let className = "LarderClassName"
    static let propertyName = "LarderPropertyName"
  }

  /// An error with a message that says what happened and what to do.
  package static func make(
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
  package static func invalid(_ message: String, className: String? = nil, propertyName: String? = nil) -> Realm.Error {
    make(.invalidInput, message, className: className, propertyName: propertyName)
  }

  /// The error of a layer below under Realm's code.
  package init(_ error: any Swift.Error, path: String? = nil) {
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
      case .notADatabase, .truncated, .corrupted, .wrongKey: .invalidDatabase
      case .unsupportedFormat, .unknownFeature: .unsupportedFileFormatVersion
      case .addressSpaceExhausted: .addressSpaceExhausted
      case .alreadyOpen: .alreadyOpen
      case .schemaMismatch: .schemaMismatch
      case .transactionTooLarge: .transactionTooLarge
      case .unknownClass, .unknownProperty, .typeMismatch, .nullForRequired, .duplicatePrimaryKey,
        .duplicateValue, .valueTooLarge,
        .noSuchObject, .indexOutOfRange, .embeddedOwner:
        .invalidInput
      default: .fail
      }
  }
}

/// Returns true if two errors have the same domain and code.
public func == (lhs: any Error, rhs: any Error) -> Bool {
  let left = lhs as NSError
  let right = rhs as NSError
  return left.domain == right.domain && left.code == right.code
}
