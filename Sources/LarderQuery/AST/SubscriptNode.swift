/// What is in brackets after a property: `map['key']`, `any[0]`, `any[%K]` with "#any".
package struct SubscriptNode: Hashable, Sendable {
  package enum Selector: Hashable, Sendable {
    case key(String)
    case position(Int64)
    /// Every element of the collection at this level.
    case any
    case first
    case last
  }

  package var selector: Selector
  package var range: SourceRange

  package init(_ selector: Selector, _ range: SourceRange = SourceRange(0, 0)) {
    self.selector = selector
    self.range = range
  }
}
