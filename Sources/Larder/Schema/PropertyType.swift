import LarderStorage

/// Types of stored properties.
@frozen
public enum PropertyType: Int32, Sendable {
  case int = 0
  case bool = 1
  case string = 2
  case data = 3
  case date = 4
  case float = 5
  case double = 6
  case object = 7
  case linkingObjects = 8
  case any = 9
  case objectId = 10
  case decimal128 = 11
  case UUID = 12
}

extension PropertyType {
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
