/// `a.b.@count`, `a.@max.b`, `map['k']`, `map.@allKeys` or `SELF`.
package struct KeyPathNode: Hashable, Sendable {
  /// The half of a map that a path goes on with.
  package enum MapPart: String, Hashable, Sendable {
    case keys = "@allKeys"
    case values = "@allValues"
  }

  /// The measure that is compared instead of the values at the end of a path themselves.
  package enum Measure: String, Hashable, Sendable {
    /// Length of a string in Unicode scalars, or of data in bytes.
    case length = "length"
    /// Name of the value's type.
    case type = "@type"
  }

  /// A name between dots.
  package struct Component: Hashable, Sendable {
    package var name: String
    package var range: SourceRange
    /// Class whose property `name` links here: `@links.Class.name`.
    package var originClass: String?
    package var subscripts: [SubscriptNode] = []
    package var part: MapPart?

    package init(_ name: String, _ range: SourceRange = SourceRange(0, 0)) {
      self.name = name
      self.range = range
    }
  }

  /// The names before any collection operator; empty for `SELF`.
  package var components: [Component]
  package var aggregate: AggregateOperator?
  package var aggregateRange: SourceRange
  /// The names after the collection operator.
  package var trailing: [Component]
  package var measure: Measure?
  /// True if the links to an object are counted, from wherever they lead: `@links.@count`.
  package var countsLinks = false
  package var range: SourceRange

  package init(
    _ components: [Component], aggregate: AggregateOperator? = nil, aggregateRange: SourceRange = SourceRange(0, 0),
    trailing: [Component] = [], measure: Measure? = nil, range: SourceRange = SourceRange(0, 0)
  ) {
    self.components = components
    self.aggregate = aggregate
    self.aggregateRange = aggregateRange
    self.trailing = trailing
    self.measure = measure
    self.range = range
  }

  /// True if a subscript means every element or value.
  package var hasWildcard: Bool { components.contains { $0.subscripts.contains { $0.selector == .any } } }

  package var isSelf: Bool { components.isEmpty && aggregate == nil }
}
