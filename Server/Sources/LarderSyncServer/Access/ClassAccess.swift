import LarderSyncProtocol

/// The rules for what a user may do with the objects of a class.
public struct ClassAccess: Hashable, Sendable {
  /// The objects that the user sees.
  public var read: ReadRule
  /// The objects that the user may change. The server checks the rule before and after each change.
  public var write: ReadRule
  /// The objects that the user may create.
  public var insert: ReadRule
  /// The objects that the user may delete.
  public var delete: ReadRule
  /// The properties that the user may change in objects that are there; nil for all.
  public var writableProperties: Set<SyncText>?

  /// Rules for a class; without arguments nothing is allowed.
  public init(
    read: ReadRule = .nothing, write: ReadRule = .nothing, insert: ReadRule = .nothing, delete: ReadRule = .nothing,
    writableProperties: Set<SyncText>? = nil
  ) {
    self.read = read
    self.write = write
    self.insert = insert
    self.delete = delete
    self.writableProperties = writableProperties
  }

  /// Everything is allowed.
  public static let everything = ClassAccess(
    read: .everything, write: .everything, insert: .everything, delete: .everything)
}
