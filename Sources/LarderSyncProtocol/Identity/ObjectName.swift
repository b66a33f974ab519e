/// The name of an object on every device: its class and its primary key.
public struct ObjectName: Hashable, Sendable {
  /// The name of the class in the schema.
  public let className: SyncText
  /// The primary key.
  public let key: PrimaryKey

  /// The object of a class with a primary key.
  public init(className: SyncText, key: PrimaryKey) {
    self.className = className
    self.key = key
  }
}

extension ObjectName: Comparable {
  public static func < (left: ObjectName, right: ObjectName) -> Bool {
    left.className == right.className ? left.key < right.key : left.className < right.className
  }
}
