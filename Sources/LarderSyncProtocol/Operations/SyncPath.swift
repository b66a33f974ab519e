/// One step from a container into it. It names the incarnation of the container as well, so that an edit never reaches one that took its place.
public enum SyncPathStep: Hashable, Sendable {
  /// To an element of a list.
  case element(OperationID, in: OperationID)
  /// To the entry of a map with a key.
  case key(SyncText, in: OperationID)
  /// To a property of an embedded object.
  case property(SyncText, in: OperationID)

  /// The incarnation of the container that the step goes into.
  public var container: OperationID {
    switch self {
    case .element(_, let container), .key(_, let container), .property(_, let container): container
    }
  }
}

/// The way from an object to a slot: a property of the object, an element, an entry, or a property of an embedded object.
public struct SyncPath: Hashable, Sendable {
  /// The property of the object.
  public let property: SyncText
  /// The steps from the property's value on; none for the property itself.
  public let steps: [SyncPathStep]

  /// The way to a property of the object, or from there on through containers.
  public init(_ property: SyncText, _ steps: [SyncPathStep] = []) {
    self.property = property
    self.steps = steps
  }

  /// The way one step further.
  public func appending(_ step: SyncPathStep) -> SyncPath { SyncPath(property, steps + [step]) }
}

/// The way to a list, set or map: a slot, and the incarnation that is meant of what the slot holds.
public struct SyncCollectionPath: Hashable, Sendable {
  /// The slot that holds the collection.
  public let slot: SyncPath
  /// The incarnation of the collection; `.root` for a collection that a class declares.
  public let incarnation: OperationID

  /// The collection with a name in a slot.
  public init(_ slot: SyncPath, incarnation: OperationID = .root) {
    self.slot = slot
    self.incarnation = incarnation
  }
}
