import LarderStorage

/// Makes the lanes of an expression.
struct LaneCompiler {
  let context: ExecutionContext
  let classID: ClassID

  /// Nil for what is no integer and no binary number for all objects: decimals, text, values of any type.
  func compile(_ operand: BoundOperand) throws -> Lanes? {
    guard let kind = operand.type.flatMap({ Lanes.Kind($0) }) else { return nil }
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
}
