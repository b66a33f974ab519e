/// A set as it is at one moment. It holds no containers.
public struct SyncSet: Hashable, Sendable {
  /// The name of this set: replacing it by another one makes another name.
  public let incarnation: OperationID
  /// The elements in the order of `SyncValue`, each once.
  public let values: [SyncValue]

  /// A set of values in any order, of which none may be a container.
  public init(incarnation: OperationID, values: [SyncValue] = []) {
    precondition(!values.contains(where: \.isContainer), "sets hold no embedded objects, lists, sets or maps")
    self.incarnation = incarnation
    self.values = values.sortedAndUnique { $0 }
  }
}
