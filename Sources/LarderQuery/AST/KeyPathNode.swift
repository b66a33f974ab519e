/// `a.b.@count`, `a.@max.b` or `SELF`.
package struct KeyPathNode: Hashable, Sendable {
  /// A name between dots.
  package struct Component: Hashable, Sendable {
    package var name: String
    package var range: SourceRange

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
  package var range: SourceRange

  package init(
    _ components: [Component], aggregate: AggregateOperator? = nil, aggregateRange: SourceRange = SourceRange(0, 0),
    trailing: [Component] = [], range: SourceRange = SourceRange(0, 0)
  ) {
    self.components = components
    self.aggregate = aggregate
    self.aggregateRange = aggregateRange
    self.trailing = trailing
    self.range = range
  }

  package var isSelf: Bool { components.isEmpty }

  package var text: String {
    guard !isSelf else { return "SELF" }
    var parts = components.map(\.name)
    if let aggregate { parts.append(aggregate.rawValue) }
    return (parts + trailing.map(\.name)).joined(separator: ".")
  }
}
