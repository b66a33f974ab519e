/// An entry of a map.
public struct SyncMapEntry: Hashable, Sendable {
  /// The key.
  public let key: SyncText
  /// The value.
  public let value: SyncValue

  /// A key with its value.
  public init(_ key: SyncText, _ value: SyncValue) {
    self.key = key
    self.value = value
  }
}

/// A map as it is at one moment.
public struct SyncMap: Hashable, Sendable {
  /// The name of this map: replacing it by another one makes another name.
  public let incarnation: OperationID
  /// The entries by key.
  public let entries: [SyncMapEntry]

  /// A map; of several values for one key the last one counts.
  public init(incarnation: OperationID, entries: [SyncMapEntry] = []) {
    self.incarnation = incarnation
    self.entries = entries.sortedAndUnique(by: \.key)
  }
}
