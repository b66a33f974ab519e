/// The estimated costs of operations, in nanoseconds. Measured once, rounded: choices need the right order of magnitude.
enum PlanCost {
  /// The cost of any plan, before the first key is found.
  static let plan = 300.0
  /// Going to a value of an index or to a target's backlinks.
  static let seek = 700.0
  /// A key from an index, in the order wanted.
  static let key = 3.0
  /// A key that must be put in order with others.
  static let sortedKey = 15.0
  /// An object that an index led to, on top of what asking the remaining conditions takes: its leaves are far from the last one's.
  static let candidate = 40.0
  /// A condition that is asked one object at a time.
  static let row = 500.0
}
