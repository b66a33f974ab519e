import LarderStorage

/// A way from an object to values over links, collections and subscripts.
package struct BoundReach: Hashable, Sendable {
  /// A hop on the way.
  package enum Step: Hashable, Sendable {
    case link(LinkStep)
    case elements(ListStep)
    /// One element of a collection of objects.
    case element(ListStep, SubscriptNode.Selector)
  }

  /// The values that are taken at the end.
  package enum End: Hashable, Sendable {
    /// The objects themselves.
    case objects(ClassID)
    case column(ColumnID, ColumnType)
    /// The values of a collection of primitives.
    case values(ListStep)
    /// One element of a collection; nil where there is none.
    case element(ListStep, SubscriptNode.Selector)
  }

  package var steps: [Step]
  package var end: End
  /// Steps into a value of any type.
  package var subscripts: [SubscriptNode.Selector]
  package var measure: KeyPathNode.Measure?

  package init(
    steps: [Step], end: End, subscripts: [SubscriptNode.Selector] = [], measure: KeyPathNode.Measure? = nil
  ) {
    self.steps = steps
    self.end = end
    self.subscripts = subscripts
    self.measure = measure
  }

  /// Type of the values at the end.
  package var type: ColumnType {
    switch end {
    case .objects: .link
    case .column(_, let type): type
    case .values(let step), .element(let step, _): step.elementType
    }
  }

  /// True if any number of values may be reached; else it is one, nil where a link on the way is.
  package var isToMany: Bool {
    if case .values = end { return true }
    return subscripts.contains { $0.isMany } || crossesCollection
  }

  /// True if the way leads over all elements of a collection.
  package var crossesCollection: Bool {
    steps.contains { if case .elements = $0 { true } else { false } }
  }
}
