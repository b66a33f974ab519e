import LarderStorage

/// How the objects of a predicate are found.
enum AccessPath {
  /// Every cluster is looked at.
  case scan
  /// Only these objects, ascending; the remaining predicate is asked of each. nil: they all match.
  case keys([ObjectKey], remaining: BoundPredicate?, label: () throws -> String)
}

/// A way to the objects of one condition other than the scan.
struct AccessCandidate {
  /// Which of the AND's conditions it answers.
  var position: Int
  /// Number of objects it leads to, or an upper bound.
  var estimate: Int
  /// Rough nanoseconds per object.
  var costPerObject: Double
  /// Made only for `explain`.
  var label: () throws -> String
  /// The objects, ascending, without duplicates.
  var keys: () throws -> [ObjectKey]
}
