import LarderStorage

/// A hop of a key path.
enum PathStep: Hashable {
  case link(LinkStep)
  case list(ListStep)
}

/// A key path found in the schema: the hops, and the property at its end.
struct ResolvedPath {
  var steps: [PathStep]
  var column: ColumnDescriptor
  /// The class that declares the last property.
  var owner: ClassDescriptor

  var crossesToMany: Bool {
    column.collection != .none
      || steps.contains {
        if case .list = $0 { true } else { false }
      }
  }

  /// The hops, when all are to-one.
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
}

extension Binder {
  func resolve(_ path: KeyPathNode, in classID: ClassID) throws(PredicateError) -> ResolvedPath {
    try resolve(path.components, of: path, in: classID)
  }

  /// Follows the components from a class (Q-21 to Q-23).
  func resolve(
    _ components: [KeyPathNode.Component], of path: KeyPathNode, in classID: ClassID
  ) throws(PredicateError) -> ResolvedPath {
    var owner = try descriptor(classID, path.range)
    var steps: [PathStep] = []
    for (index, component) in components.enumerated() {
      let column = try self.column(component, in: owner, path)
      if column.collection == .set || column.collection == .map || column.type == .mixed {
        throw fail(
          .notSupportedYet, "'\(owner.name).\(component.name)' is of a type that predicates do not support yet",
          component.range)
      }
      if index == components.count - 1 { return ResolvedPath(steps: steps, column: column, owner: owner) }
      guard column.type == .link, let target = column.target else {
        throw fail(
          .notALink,
          "'\(owner.name).\(component.name)' is \(column.collection == .none ? "no link" : "a collection of values") and can only stand at the end of a key path",
          component.range, expected: "a link or a collection of objects")
      }
      steps.append(
        column.collection == .none
          ? .link(LinkStep(column: column.id, target: target))
          : .list(ListStep(column: column.id, target: target, elementType: .link)))
      owner = try descriptor(target, component.range)
    }
    throw fail(.syntax, "A property is needed", path.range, expected: "a property")
  }

  private func descriptor(_ classID: ClassID, _ range: SourceRange) throws(PredicateError) -> ClassDescriptor {
    guard let found = schema[classID] else {
      throw fail(.unknownProperty, "The schema has no class number \(classID.rawValue)", range)
    }
    return found
  }

  private func column(
    _ component: KeyPathNode.Component, in owner: ClassDescriptor, _ path: KeyPathNode
  ) throws(PredicateError) -> ColumnDescriptor {
    if let stored = naming.storedName(owner.name, component.name), let found = owner.column(named: stored) {
      return found
    }
    let names = naming.names(owner)
    let place = path.components.count + path.trailing.count > 1 ? " (in '\(path.text)')" : ""
    throw fail(
      .unknownProperty, "Class '\(owner.name)' has no property '\(component.name)'\(place)", component.range,
      expected: names.joined(separator: ", "), suggestion: Nearest.name(to: component.name, among: names))
  }

  /// A path of to-one links to a scalar, for sorting, DISTINCT and column comparisons.
  func resolveScalar(
    _ components: [KeyPathNode.Component], of path: KeyPathNode, in classID: ClassID
  ) throws(PredicateError) -> (path: BoundPath, resolved: ResolvedPath)? {
    let resolved = try resolve(components, of: path, in: classID)
    guard let links = resolved.links, resolved.column.collection == .none else { return nil }
    return (BoundPath(links: links, column: resolved.column.id, type: resolved.column.type), resolved)
  }
}
