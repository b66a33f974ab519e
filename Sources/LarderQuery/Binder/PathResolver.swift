import LarderStorage

/// Follows key paths through the classes of a schema (Q-21 to Q-23).
struct PathResolver {
  let scope: BindingScope

  func resolve(_ path: KeyPathNode, in classID: ClassID) throws(PredicateError) -> ResolvedPath {
    var resolved = try resolve(path.components, of: path, in: classID)
    if path.measure == .type {
      guard resolved.type == .mixed else {
        throw scope.fail(
          .unsupportedOperator,
          "@type is available for AnyRealmValue; '\(resolved.name)' is \(resolved.type.displayName)",
          path.range)
      }
      resolved.measure = .type
    }
    return resolved
  }

  /// Follows the components from a class (Q-21 to Q-23).
  func resolve(
    _ components: [KeyPathNode.Component], of path: KeyPathNode, in classID: ClassID
  ) throws(PredicateError) -> ResolvedPath {
    var owner = try scope.descriptor(classID, path.range)
    var steps: [BoundReach.Step] = []
    for (index, component) in components.enumerated() {
      var found = try property(component, in: owner, path)
      found.steps = steps
      let rest = components.count - 1 - index
      if rest == 0 { return found }
      if rest == 1, let measured = length(components[index + 1], of: found) { return measured }
      guard found.type == .link, let target = found.target else {
        throw scope.fail(
          .notALink,
          "'\(found.name)' is \(found.source == nil ? "no link" : "a collection of values") and can only be at the end of a key path",
          component.range, expected: "a link or a collection of objects")
      }
      steps.append(try step(found, component, target))
      owner = try scope.descriptor(target, component.range)
    }
    throw scope.fail(.syntax, "A property is needed", path.range, expected: "a property")
  }

  /// The hop over a link or a collection of objects, or to one of its elements.
  func step(
    _ found: ResolvedPath, _ component: KeyPathNode.Component, _ target: ClassID
  ) throws(PredicateError) -> BoundReach.Step {
    guard let list = found.listStep else { return .link(LinkStep(column: found.column.id, target: target)) }
    guard let selector = component.subscripts.first?.selector, selector != .any else { return .elements(list) }
    return .element(list, selector)
  }

  /// `strings.length` (Q-106).
  private func length(_ component: KeyPathNode.Component, of found: ResolvedPath) -> ResolvedPath? {
    guard scope.dialect == .query, component.name == "length", found.type == .string || found.type == .data else {
      return nil
    }
    var measured = found
    measured.measure = .length
    return measured
  }

  // MARK: - One property

  private func property(
    _ component: KeyPathNode.Component, in owner: ClassDescriptor, _ path: KeyPathNode
  ) throws(PredicateError) -> ResolvedPath {
    if let originClass = component.originClass {
      return try inverse(originClass, component.name, scope.naming.storedName, component, in: owner)
    }
    if let stored = scope.naming.storedName(owner.name, component.name), let column = owner.column(named: stored) {
      return try plain(column, component, in: owner)
    }
    if let origin = scope.naming.inverse(owner.name, component.name) {
      return try inverse(origin.className, origin.property, { $1 }, component, in: owner)
    }
    let names = scope.naming.names(owner)
    let place = path.components.count + path.trailing.count > 1 ? " (in '\(path.text)')" : ""
    throw scope.fail(
      .unknownProperty, "Class '\(owner.name)' has no property '\(component.name)'\(place)", component.range,
      expected: names.joined(separator: ", "), suggestion: Nearest.name(to: component.name, among: names))
  }

  private func plain(
    _ column: ColumnDescriptor, _ component: KeyPathNode.Component, in owner: ClassDescriptor
  ) throws(PredicateError) -> ResolvedPath {
    let name = "\(owner.name).\(component.name)"
    var subscripts = component.subscripts
    if let part = component.part, column.collection != .map {
      // A dictionary in a value of any type has keys and values as well (Q-106).
      guard scope.dialect == .query, column.type == .mixed else {
        throw scope.fail(
          .unsupportedAggregate, "\(part.rawValue) is available for maps only; '\(name)' is none", component.range)
      }
      subscripts.append(SubscriptNode(part == .keys ? .keys : .values, component.range))
    }
    let source: ListStep.Source? =
      switch column.collection {
      case .none: nil
      case .list: .list
      case .set: .set
      case .map: component.part == .keys ? .mapKeys : .mapValues
      }
    var named = column
    named.name = component.name
    let found = ResolvedPath(
      steps: [], column: named, owner: owner, source: source, subscripts: subscripts)
    try check(subscripts, found)
    return found
  }

  /// Checks the subscripts of a property: a map takes a key, a list (RQL) a position, a value of any type both (Q-59, Q-61).
  private func check(_ subscripts: [SubscriptNode], _ found: ResolvedPath) throws(PredicateError) {
    guard let first = subscripts.first else { return }
    func refuse(_ reason: String, _ node: SubscriptNode) -> PredicateError {
      scope.fail(.unsupportedOperator, "'\(found.name)' \(reason)", node.range)
    }
    var rest = subscripts[...]
    switch (found.source, first.selector) {
    case (.mapValues, .key), (.mapValues, .any): rest.removeFirst()
    case (.mapValues, _): throw refuse("takes a key in quotes in its brackets", first)
    case (.list, .any) where scope.dialect == .query, (.list, .position) where scope.dialect == .query,
      (.list, .first) where scope.dialect == .query, (.list, .last) where scope.dialect == .query,
      (.set, .any) where scope.dialect == .query:
      rest.removeFirst()
    case (nil, _) where found.type == .mixed: break
    default: throw refuse("takes no subscript", first)
    }
    guard let next = rest.first else { return }
    guard found.type == .mixed else { throw refuse("takes one subscript only", next) }
  }

  /// Objects of another class that link here (Q-73).
  private func inverse(
    _ className: String, _ name: String, _ stored: (String, String) -> String?, _ component: KeyPathNode.Component,
    in owner: ClassDescriptor
  ) throws(PredicateError) -> ResolvedPath {
    guard let origin = scope.schema[className] else {
      throw scope.fail(
        .unknownProperty, "There is no class '\(className)'", component.range,
        suggestion: Nearest.name(to: className, among: scope.schema.classes.map(\.name)))
    }
    guard let column = stored(origin.name, name).flatMap({ origin.column(named: $0) }), column.type == .link,
      column.target == owner.id
    else {
      throw scope.fail(
        .unknownProperty, "Class '\(className)' has no property '\(name)' that links to '\(owner.name)'",
        component.range)
    }
    guard component.subscripts.isEmpty, component.part == nil else {
      throw scope.fail(.unsupportedOperator, "'\(owner.name).\(component.name)' takes no subscript", component.range)
    }
    var named = column
    named.name = component.name
    return ResolvedPath(steps: [], column: named, owner: owner, source: .inverse(origin.id))
  }
}
