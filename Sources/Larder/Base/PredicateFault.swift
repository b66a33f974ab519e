import LarderQuery

/// A fault of a predicate or a key path, and its place.
public struct PredicateFault: Hashable, Sendable {
  /// One sentence, without the position.
  public let message: String
  /// The predicate or the key path; empty for one that was not text.
  public let text: String
  /// The position at which the fault begins in `text`, in characters; nil where it has no place.
  public let position: Int?
  /// The number of characters of the fault.
  public let length: Int
  /// The text at the fault.
  public let found: String?
  /// The text that may be there.
  public let expected: String?
  /// The nearest name or operator that exists.
  public let suggestion: String?

  init(_ error: LarderQuery.PredicateError) {
    message = error.message
    text = error.text
    position = error.position
    length = error.length
    found = error.found
    expected = error.expected
    suggestion = error.suggestion
  }
}

extension Realm.Error {
  /// The fault of a predicate, sort or aggregate in parts; nil for any other error.
  public var predicateFault: PredicateFault? { (underlying as? LarderQuery.PredicateError).map { PredicateFault($0) } }
}
