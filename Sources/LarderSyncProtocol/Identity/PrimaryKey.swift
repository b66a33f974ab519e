/// The value of an object's primary key. It never changes: another key is another object.
public enum PrimaryKey: Hashable, Sendable {
  /// An integer of any width.
  case int(Int64)
  /// A text.
  case string(SyncText)
  /// An ObjectId.
  case objectID(SyncObjectID)
  /// A UUID.
  case uuid(SyncUUID)

  /// The place of the kind in the order of keys.
  var rank: UInt8 {
    switch self {
    case .int: 0
    case .string: 1
    case .objectID: 2
    case .uuid: 3
    }
  }
}

extension PrimaryKey: Comparable {
  /// Keys of one kind by value: integers by number, all others by their bytes; keys of several kinds in the order of the cases.
  public static func < (left: PrimaryKey, right: PrimaryKey) -> Bool {
    switch (left, right) {
    case (.int(let left), .int(let right)): left < right
    case (.string(let left), .string(let right)): left < right
    case (.objectID(let left), .objectID(let right)): left < right
    case (.uuid(let left), .uuid(let right)): left < right
    default: left.rank < right.rank
    }
  }
}
