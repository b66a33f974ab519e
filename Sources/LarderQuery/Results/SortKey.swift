import LarderStorage

/// One criterion of a sort.
package struct SortKey: Hashable, Sendable {
  package var path: BoundPath
  package var isAscending: Bool

  package init(_ path: BoundPath, isAscending: Bool = true) {
    self.path = path
    self.isAscending = isAscending
  }
}

/// What happens to the matching objects, in order (Q-160).
package enum ResultsStep: Hashable, Sendable {
  case sort([SortKey])
  /// Keeps the first object of each tuple (Q-157).
  case distinct([BoundPath])
  case limit(Int)
}

extension Binder {
  /// Resolves a sort criterion (Q-150 to Q-152).
  package func sortKey(_ keyPath: String, ascending: Bool, in classID: ClassID) throws(PredicateError) -> SortKey {
    SortKey(try scalarPath(keyPath, in: classID, purpose: "sort"), isAscending: ascending)
  }

  /// Resolves a path of DISTINCT (Q-157).
  package func distinctPath(_ keyPath: String, in classID: ClassID) throws(PredicateError) -> BoundPath {
    try scalarPath(keyPath, in: classID, purpose: "make distinct")
  }

  private func scalarPath(_ keyPath: String, in classID: ClassID, purpose: String) throws(PredicateError) -> BoundPath {
    let className = schema[classID]?.name ?? "objects"
    func refuse(_ reason: String) -> PredicateError {
      PredicateError(
        .unsupportedSort, "Cannot \(purpose) '\(className)' by '\(keyPath)': \(reason)", text: keyPath,
        range: SourceRange(0, keyPath.utf8.count))
    }
    var components: [KeyPathNode.Component] = []
    var offset = 0
    for name in keyPath.split(separator: ".", omittingEmptySubsequences: false) {
      guard !name.isEmpty else { throw refuse("the key path has an empty component") }
      guard name.first != "@" else { throw refuse("collection operators are not supported") }
      components.append(.init(String(name), SourceRange(offset, offset + name.utf8.count)))
      offset += name.utf8.count + 1
    }
    guard components.map({ $0.name.lowercased() }) != ["self"] else {
      throw refuse("'self' is for collections of values")
    }
    let located = Binder(schema: schema, naming: naming, text: keyPath)
    let path = KeyPathNode(components, range: SourceRange(0, keyPath.utf8.count))
    guard let (bound, _) = try located.resolveScalar(components, of: path, in: classID) else {
      throw refuse("it leads through a collection")
    }
    guard bound.type != .link, bound.type != .data, bound.type != .mixed else {
      throw refuse("\(bound.type.displayName) properties have no order")
    }
    return bound
  }
}
