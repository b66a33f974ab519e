import LarderStorage

/// A key path found in the schema: the hops, and the property at its end.
struct ResolvedPath {
  var steps: [BoundReach.Step]
  /// The property; of an inverse, the link of the other class with its name here.
  var column: ColumnDescriptor
  /// The class that declares the last property.
  var owner: ClassDescriptor
  /// The source of a collection's elements; nil for a single value.
  var source: ListStep.Source?
  var subscripts: [SubscriptNode] = []
  var measure: KeyPathNode.Measure?

  /// The class of the objects at the end; for an inverse that of the objects that link here.
  var target: ClassID? {
    if case .inverse(let origin)? = source { return origin }
    return source == .mapKeys ? nil : column.target
  }

  /// Type of the values at the end.
  var type: ColumnType { source == .mapKeys ? .string : column.type }

  var isOptional: Bool { source != .mapKeys && column.isOptional }

  /// The hop into the elements at the end, where the property is a collection.
  var listStep: ListStep? {
    source.map { ListStep(column: column.id, target: target, elementType: type, source: $0) }
  }

  /// True if a subscript picks one element of the collection at the end.
  private var picksElement: Bool { source != nil && subscripts.first.map { $0.selector != .any } ?? false }

  var crossesToMany: Bool {
    (source != nil && !picksElement) || subscripts.contains { $0.selector.isMany }
      || steps.contains { if case .elements = $0 { true } else { false } }
  }

  /// True if a link is crossed, which may be nil.
  var crossesLink: Bool { steps.contains { if case .link = $0 { true } else { false } } }

  /// True if only links and collections are crossed, for which there are kernels.
  var isPlain: Bool {
    subscripts.isEmpty && measure == nil && !steps.contains { if case .element = $0 { true } else { false } }
  }

  /// The hops, when all are to-one links.
  var links: [LinkStep]? {
    var links: [LinkStep] = []
    for step in steps {
      guard case .link(let link) = step else { return nil }
      links.append(link)
    }
    return links
  }

  /// `Class.property`, as messages name it.
  var name: String { "\(owner.name).\(column.name)" }

  /// The way to the values. Subscripts into values of any type follow the one that picks an element.
  var reach: BoundReach {
    var rest = subscripts.map(\.selector)
    let end: BoundReach.End
    if let step = listStep {
      if picksElement {
        end = .element(step, rest.removeFirst())
      } else {
        if rest.first == .any { rest.removeFirst() }
        end = .values(step)
      }
    } else {
      end = .column(column.id, column.type)
    }
    return BoundReach(steps: steps, end: end, subscripts: rest, measure: measure)
  }
}
