import LarderStorage

/// A side of a comparison with its type, for checking.
struct TypedOperand {
  var operand: BoundOperand
  /// nil where any type may come.
  var type: ColumnType?
  /// True if it may have any number of values.
  var isToMany: Bool
  var isAggregate = false
  var target: ClassID?
  var name: String
  var range: SourceRange
}
