/// A property with its value.
public struct SyncProperty: Hashable, Sendable {
  /// The name in the schema.
  public let name: SyncText
  /// The value.
  public let value: SyncValue

  /// A property with a value.
  public init(_ name: SyncText, _ value: SyncValue) {
    self.name = name
    self.value = value
  }
}

/// An embedded object. Its class is the one that the property which holds it is declared with.
public struct SyncEmbedded: Hashable, Sendable {
  /// The name of this embedded object: replacing it by another one makes another name.
  public let incarnation: OperationID
  /// The properties by name. One that is not here has no value.
  public let properties: [SyncProperty]

  /// An embedded object; of several values for one property the last one counts.
  public init(incarnation: OperationID, properties: [SyncProperty] = []) {
    self.incarnation = incarnation
    self.properties = properties.sortedAndUnique(by: \.name)
  }
}
