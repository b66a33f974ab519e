/// A stretch of a predicate's text, in UTF-8 offsets.
package struct SourceRange: Hashable, Sendable {
  package var lower: Int
  package var upper: Int

  package init(_ lower: Int, _ upper: Int) {
    self.lower = lower
    self.upper = upper
  }

  /// From the start of this range to the end of the other.
  package func through(_ other: SourceRange) -> SourceRange { SourceRange(lower, max(upper, other.upper)) }
}
