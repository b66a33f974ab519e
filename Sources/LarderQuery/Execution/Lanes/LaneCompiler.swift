import LarderStorage

/// Makes the lanes of an expression.
struct LaneCompiler {
  let context: ExecutionContext
  let classID: ClassID

  /// Nil for what is no integer and no binary number for all objects: decimals, text, values of any type.
  func compile(_ operand: BoundOperand) throws -> Lanes? {
    guard let kind = try type(operand).flatMap({ Lanes.Kind($0) }) else { return nil }
    return try compile(operand, kind)
  }

  private func compile(_ operand: BoundOperand, _ kind: Lanes.Kind) throws -> Lanes {
    switch operand {
    case .constant(let value): return ConstantLanes(context, kind, value)
    case .path(let path): return try ColumnLanes(context, kind, classID, path, .number)
    case .function(.part(let part, let zone), .path(let path)) where path.type == .date:
      return try ColumnLanes(context, kind, classID, path, .part(part, zone.map { TimeZoneOffsets($0) }))
    case .function(.length, .path(let path)) where path.type == .string || path.type == .data:
      return try ColumnLanes(context, kind, classID, path, .length)
    case .arithmetic(let operation, let left, let right):
      guard let first = try compile(left), let second = try compile(right) else {
        return RowLanes(context, kind, classID, operand)
      }
      return ArithmeticLanes(context, kind, operation, converted(first, kind), converted(second, kind))
    case .constants, .reach, .aggregate, .count, .function: return RowLanes(context, kind, classID, operand)
    }
  }

  private func converted(_ lanes: Lanes, _ kind: Lanes.Kind) -> Lanes {
    lanes.kind == kind ? lanes : ConvertedLanes(context, kind, lanes)
  }

  /// The type of an operand's values apart from nil; nil where it is not the same for all objects.
  private func type(_ operand: BoundOperand) throws -> ColumnType? {
    switch operand {
    case .constant(let value): return value.type
    case .path(let path): return path.type
    case .reach(let reach):
      if reach.measure == .length { return .int }
      return reach.measure == nil && !reach.isToMany && reach.subscripts.isEmpty ? reach.type : nil
    case .aggregate(_, .count), .count: return .int
    case .aggregate(let reach, .average): return reach.type == .decimal128 || reach.type == .mixed ? nil : .double
    case .aggregate(let reach, .sum):
      switch reach.type {
      case .int: return .int
      case .float, .double: return .double
      default: return nil
      }
    case .aggregate(let reach, _): return reach.type
    case .arithmetic(_, let left, let right):
      guard let first = try type(left), let second = try type(right) else { return nil }
      return TypeChecker.isNumeric(first) && TypeChecker.isNumeric(second) ? Arithmetic.type(first, second) : nil
    case .function(let function, _): return function.type
    case .constants: return nil
    }
  }
}
