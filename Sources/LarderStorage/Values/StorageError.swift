/// An error of the store: what happened, where, and what can be done.
public struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error; new kinds may be added.
  public enum Code: Hashable, Sendable {
    case notFound, fileExists, permissionDenied, fileAccess, outOfDiskSpace, notADatabase, truncated, corrupted
    case unsupportedFormat, unknownFeature, wrongKey, addressSpaceExhausted, alreadyOpen
    case schemaMismatch, invalidSchema, unknownClass, unknownProperty, typeMismatch, nullForRequired
    case duplicatePrimaryKey, duplicateValue, noSuchObject, valueTooLarge, transactionTooLarge, embeddedOwner,
      indexOutOfRange, noSuchCollection
    case notInTransaction, transactionEnded, readersExhausted, internalError
  }

  public var code: Code
  /// A sentence for people: what happened and what to do.
  public var message: String
  public var path: String?
  public var className: String?
  public var property: String?
  public var key: ObjectKey?

  public init(
    _ code: Code, _ message: String, path: String? = nil, className: String? = nil, property: String? = nil,
    key: ObjectKey? = nil
  ) {
    self.code = code
    self.message = message
    self.path = path
    self.className = className
    self.property = property
    self.key = key
  }

  public var description: String { message }
}
