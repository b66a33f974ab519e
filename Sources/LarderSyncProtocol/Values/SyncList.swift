/// An element of a list with its place.
public struct SyncListEntry: Hashable, Sendable {
  /// The name of the element, under which it is edited, moved and removed.
  public let element: OperationID
  /// The name of its place, which is that of the element until it is moved. Neighbours of later inserts are named by places.
  public let position: OperationID
  /// The value.
  public let value: SyncValue

  /// An element; its place has its name unless another one is given.
  public init(element: OperationID, position: OperationID? = nil, value: SyncValue) {
    self.element = element
    self.position = position ?? element
    self.value = value
  }
}

/// A list as it is at one moment.
public struct SyncList: Hashable, Sendable {
  /// The name of this list: replacing it by another one makes another name.
  public let incarnation: OperationID
  /// The elements in order.
  public let entries: [SyncListEntry]

  /// A list.
  public init(incarnation: OperationID, entries: [SyncListEntry] = []) {
    self.incarnation = incarnation
    self.entries = entries
  }
}
