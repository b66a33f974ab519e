/// A value of a property, of an element of a list or set, or of an entry of a map, as it is on every device.
///
/// Values are equal when their canonical bytes are: `-0.0` is not `0.0`, all NaN of a type are one value, 1 as an integer is not 1.0, and texts
/// are compared by their bytes. A container has the name of its incarnation: assigning a container to a slot makes a new one, and an edit
/// says which one it means.
public enum SyncValue: Sendable {
  /// No value.
  case null
  /// A boolean.
  case bool(Bool)
  /// An integer of any width, and the raw value of an enum of integers.
  case int(Int64)
  /// A number of single precision.
  case float(Float)
  /// A number of double precision.
  case double(Double)
  /// A decimal number.
  case decimal(SyncDecimal)
  /// A text.
  case string(SyncText)
  /// Bytes.
  case data([UInt8])
  /// A moment.
  case date(SyncDate)
  /// An ObjectId.
  case objectID(SyncObjectID)
  /// A UUID.
  case uuid(SyncUUID)
  /// A link to an object, which need not be there.
  indirect case link(ObjectName)
  /// An embedded object.
  indirect case embedded(SyncEmbedded)
  /// A list.
  indirect case list(SyncList)
  /// A set.
  indirect case set(SyncSet)
  /// A map with texts as keys.
  indirect case map(SyncMap)

  /// The incarnation, when this is a container.
  public var incarnation: OperationID? {
    switch self {
    case .embedded(let embedded): embedded.incarnation
    case .list(let list): list.incarnation
    case .set(let set): set.incarnation
    case .map(let map): map.incarnation
    default: nil
    }
  }

  /// True if the value is an embedded object, a list, a set or a map.
  public var isContainer: Bool { incarnation != nil }

  /// The tag of the kind in the canonical bytes, which also orders values of several kinds.
  var rank: UInt8 {
    switch self {
    case .null: 0
    case .bool(let value): value ? 2 : 1
    case .int: 3
    case .float: 4
    case .double: 5
    case .decimal: 6
    case .string: 7
    case .data: 8
    case .date: 9
    case .objectID: 10
    case .uuid: 11
    case .link: 12
    case .embedded: 13
    case .list: 14
    case .set: 15
    case .map: 16
    }
  }
}
