import LarderStorage

extension BoundOperand {
  /// The type of the values apart from nil; nil where it is not the same for all objects.
  package var type: ColumnType? {
    switch self {
    case .constant(let value): return value.type
    case .path(let path): return path.type
    case .reach(let reach):
      switch reach.measure {
      case .length: return .int
      case .type: return .string
      case nil: return reach.isToMany || !reach.subscripts.isEmpty ? nil : reach.type
      }
    case .aggregate(_, .count), .count: return .int
    case .aggregate(let reach, .average):
      return reach.type == .decimal128 || reach.type == .mixed ? .decimal128 : .double
    case .aggregate(let reach, .sum):
      switch reach.type {
      case .int: return .int
      case .float, .double: return .double
      default: return .decimal128
      }
    case .aggregate(let reach, _): return reach.type
    case .arithmetic(_, let left, let right):
      guard let first = left.type, let second = right.type else { return nil }
      return TypeChecker.isNumeric(first) && TypeChecker.isNumeric(second) ? Arithmetic.type(first, second) : nil
    case .function(let function, _): return function.type
    case .constants: return nil
    }
  }
}
