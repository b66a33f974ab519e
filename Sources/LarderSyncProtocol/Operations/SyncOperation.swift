/// The origin of the value of a property of a new object, which decides between values that several devices gave it.
public enum ValueRank: UInt8, Hashable, Sendable, Comparable, CaseIterable {
  /// The value is from the declaration of the class. It never replaces a value of the other ranks, however new it is.
  case byDefault = 0
  /// The value is from a store that was there before it was synchronised: it replaces defaults, and gives way to all that was assigned since.
  case baseline = 1
  /// The value is from the program.
  case explicit = 2

  public static func < (left: ValueRank, right: ValueRank) -> Bool { left.rawValue < right.rawValue }
}

/// A property of a new object.
public struct CreatedProperty: Hashable, Sendable {
  /// The name in the schema.
  public let name: SyncText
  /// The value.
  public let value: SyncValue
  /// The origin of the value.
  public let rank: ValueRank

  /// A property of a new object.
  public init(_ name: SyncText, _ value: SyncValue, rank: ValueRank = .explicit) {
    self.name = name
    self.value = value
    self.rank = rank
  }
}

/// A change of one object.
///
/// Names that an operation gives (`first`, `position`, and incarnations within values) are of the operation itself, or have the
/// `siteVersion` 0 that names of the content of an older store have.
public enum SyncEdit: Hashable, Sendable {
  /// Creates the object, or gives values to one that is there already. Properties that are not listed have no value. Elements of declared
  /// collections come in operations of their own.
  case create([CreatedProperty])
  /// Deletes the object.
  case delete
  /// Assigns a value to a slot. An assigned container is a new incarnation.
  case set(SyncPath, SyncValue)
  /// Adds to the number in a slot.
  case add(SyncPath, SyncDelta)
  /// Puts values into a set.
  case setInsert(SyncCollectionPath, SyncValue)
  /// Takes a value out of a set.
  case setRemove(SyncCollectionPath, SyncValue)
  /// Takes everything out of a set that is older than this operation.
  case setClear(SyncCollectionPath)
  /// Gives a key of a map a value. An assigned container is a new incarnation.
  case mapPut(SyncCollectionPath, SyncText, SyncValue)
  /// Takes a key out of a map.
  case mapRemove(SyncCollectionPath, SyncText)
  /// Takes everything out of a map that is older than this operation.
  case mapClear(SyncCollectionPath)
  /// Puts elements into a list as neighbours of each other, with names from `first` on, between two places; nil is the end of the list at that
  /// side.
  indirect case listInsert(
    SyncCollectionPath, [SyncValue], first: OperationID, left: OperationID?, right: OperationID?)
  /// Moves an element to a new place with a name of its own, between two places; nil is the end of the list at that side.
  indirect case listMove(
    SyncCollectionPath, OperationID, position: OperationID, left: OperationID?, right: OperationID?)
  /// Removes elements from a list. Clearing a list is removing all elements that its author saw.
  case listRemove(SyncCollectionPath, [OperationIDRun])

  /// The slot that the edit changes or whose collection it changes; nil for the object as a whole.
  public var path: SyncPath? {
    switch self {
    case .create, .delete: nil
    case .set(let path, _), .add(let path, _): path
    default: collection?.slot
    }
  }

  /// The collection that the edit changes, if it does.
  public var collection: SyncCollectionPath? {
    switch self {
    case .create, .delete, .set, .add: nil
    case .setInsert(let path, _), .setRemove(let path, _), .setClear(let path), .mapPut(let path, _, _),
      .mapRemove(let path, _), .mapClear(let path), .listInsert(let path, _, _, _, _), .listMove(let path, _, _, _, _),
      .listRemove(let path, _):
      path
    }
  }
}

/// A change of an object, with the object's name.
public struct SyncOperation: Hashable, Sendable {
  /// The object.
  public let object: ObjectName
  /// The change.
  public let edit: SyncEdit

  /// A change of an object.
  public init(_ object: ObjectName, _ edit: SyncEdit) {
    self.object = object
    self.edit = edit
  }
}
