import LarderStorage

/// Types of stored properties.
@frozen
public enum PropertyType: Int32, Sendable {
  /// Integers of all sizes.
  case int = 0
  /// True or false.
  case bool = 1
  /// Text.
  case string = 2
  /// Bytes.
  case data = 3
  /// Points in time.
  case date = 4
  /// 32 bits.
  case float = 5
  /// 64 bits.
  case double = 6
  /// Links and embedded objects.
  case object = 7
  /// Links backwards, which store nothing.
  case linkingObjects = 8
  /// Values of any type.
  case any = 9
  /// 12 bytes.
  case objectId = 10
  /// 34 decimal digits.
  case decimal128 = 11
  /// 16 bytes.
  case UUID = 12
}

extension PropertyType {
  /// The name of the type in descriptions of schemas and collections.
  var text: String {
    switch self {
    case .int: "int"
    case .bool: "bool"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .float: "float"
    case .double: "double"
    case .object: "object"
    case .linkingObjects: "linking objects"
    case .any: "mixed"
    case .objectId: "object id"
    case .decimal128: "decimal128"
    case .UUID: "uuid"
    }
  }

  var columnType: ColumnType {
    switch self {
    case .int: .int
    case .bool: .bool
    case .string: .string
    case .data: .data
    case .date: .date
    case .float: .float
    case .double: .double
    case .object, .linkingObjects: .link
    case .any: .mixed
    case .objectId: .objectId
    case .decimal128: .decimal128
    case .UUID: .uuid
    }
  }

  init(_ type: ColumnType) {
    self =
      switch type {
      case .bool: .bool
      case .int: .int
      case .float: .float
      case .double: .double
      case .string: .string
      case .data: .data
      case .date: .date
      case .uuid: .UUID
      case .objectId: .objectId
      case .decimal128: .decimal128
      case .link: .object
      case .mixed: .any
      }
  }
}
