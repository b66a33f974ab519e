/// A number that was added to a property of an object that the same transaction created.
struct NewObjectAddition {
  let column: ColumnID
  let key: ObjectKey
  let delta: StoredValue
  /// The value before the addition.
  let before: StoredValue
  /// The value after it.
  let after: StoredValue
  /// True if the value before it was the default of the declaration.
  let isDefaultBefore: Bool
}

/// The value that a property of a new object was given, apart from what was added to it afterwards.
///
/// Assignments are not recorded for new objects. They show as additions that do not begin with what the one before led to: those before an
/// assignment are part of what was assigned.
struct NewObjectSum {
  /// The value that the object was given.
  let base: StoredValue
  let isDefault: Bool
  /// The number that was added.
  let delta: StoredValue

  /// Nil when nothing was added after the last assignment, or when the additions together are beyond what a number can hold.
  ///
  /// - Parameters:
  ///   - additions: Those of one property, in order.
  ///   - value: What the property holds now.
  init?(_ additions: [NewObjectAddition], leadingTo value: StoredValue) {
    guard let last = additions.last, last.after.isStoredAlike(value) else { return nil }
    var first = additions.count - 1
    while first > 0, additions[first - 1].after.isStoredAlike(additions[first].before) { first -= 1 }
    var sum: StoredValue?
    for addition in additions[first...] {
      guard let next = try? StoredValue.sum(sum, addition.delta) else { return nil }
      sum = next
    }
    guard let sum else { return nil }
    base = additions[first].before
    isDefault = additions[first].isDefaultBefore
    delta = sum
  }
}
