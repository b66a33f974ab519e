/// The content of brackets after a property: `map['key']`, `any[0]`, `any[%K]` with "#any".
package struct SubscriptNode: Hashable, Sendable {
  package enum Selector: Hashable, Sendable {
    case key(String)
    case position(Int64)
    /// Every element of the collection at this level.
    case any
    case first
    case last
    /// Every key of a dictionary in a value of any type.
    case keys
    /// Every value of a dictionary in a value of any type.
    case values

    /// True if it leads to any number of values.
    package var isMany: Bool { self == .any || self == .keys || self == .values }
  }

  package var selector: Selector
  package var range: SourceRange

  package init(_ selector: Selector, _ range: SourceRange = SourceRange(0, 0)) {
    self.selector = selector
    self.range = range
  }
}
