/// The functions of one value.
package enum QueryFunction: String, Hashable, Sendable, CaseIterable {
  case year, month, day, hour, minute, second, weekday
  case length, lowercase, uppercase

  /// The function of a name, which may be written in any case, as keywords are.
  package init?(name: String) { self.init(rawValue: name.lowercased()) }

  /// True if it takes a part of a date, and a time zone after it.
  package var takesTimeZone: Bool {
    switch self {
    case .year, .month, .day, .hour, .minute, .second, .weekday: true
    case .length, .lowercase, .uppercase: false
    }
  }
}

/// `hour(date, 'Europe/Berlin')`.
package struct FunctionNode: Hashable, Sendable {
  package var function: QueryFunction
  package var argument: OperandNode
  /// The name of the time zone; nil for UTC.
  package var timeZone: ConstantNode?
  package var range: SourceRange

  package init(
    _ function: QueryFunction, of argument: OperandNode, timeZone: ConstantNode? = nil,
    range: SourceRange = SourceRange(0, 0)
  ) {
    self.function = function
    self.argument = argument
    self.timeZone = timeZone
    self.range = range
  }
}
