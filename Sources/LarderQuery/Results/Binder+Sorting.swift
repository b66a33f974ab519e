import LarderStorage

extension Binder {
  /// Resolves a sort criterion (Q-150 to Q-152).
  package func sortKey(
    _ keyPath: String, ascending: Bool, collation: TextCollation = .binary, in classID: ClassID
  ) throws(PredicateError) -> SortKey {
    let target = try target(keyPath, in: classID, purpose: "sort")
    return SortKey(target, isAscending: ascending, collation: collation)
  }

  /// Resolves a path of DISTINCT (Q-157).
  package func distinctPath(_ keyPath: String, in classID: ClassID) throws(PredicateError) -> SortTarget {
    try target(keyPath, in: classID, purpose: "make distinct")
  }

  /// Resolves a path that objects are grouped or joined by, or what is computed: what they can be sorted by.
  func groupPath(
    _ text: String, _ arguments: [PredicateArgument] = [], in classID: ClassID, purpose: String = "group"
  ) throws(PredicateError) -> SortTarget {
    try target(text, arguments, in: classID, purpose: purpose)
  }

  private func target(
    _ keyPath: String, _ arguments: [PredicateArgument] = [], in classID: ClassID, purpose: String
  ) throws(PredicateError) -> SortTarget {
    if ValueExpression.isComputed(keyPath, of: classID, in: scope.schema) {
      let located = Binder(schema: scope.schema, naming: scope.naming, text: keyPath, dialect: scope.dialect)
      let operand = try PredicateParser.parseOperand(keyPath, arguments)
      return try located.target(operand, in: classID, purpose: purpose)
    }
    let node: KeyPathNode
    do {
      node = try KeyPathParser.parse(keyPath)
    } catch {
      var refused = refuse(error.message, keyPath, classID, purpose)
      refused.suggestion = error.suggestion
      throw refused
    }
    return try target(node, text: keyPath, in: classID, purpose: purpose)
  }

  private func refuse(_ reason: String, _ keyPath: String, _ classID: ClassID, _ purpose: String) -> PredicateError {
    PredicateError(
      .unsupportedSort, "Cannot \(purpose) '\(scope.schema[classID]?.name ?? "objects")' by '\(keyPath)': \(reason)",
      text: keyPath, range: SourceRange(0, keyPath.utf8.count))
  }

  /// Resolves a parsed path; RQL has one already.
  func target(
    _ node: KeyPathNode, text keyPath: String, in classID: ClassID, purpose: String
  ) throws(PredicateError) -> SortTarget {
    guard !node.isSelf else { throw refuse("'self' is for collections of values", keyPath, classID, purpose) }
    let located = Binder(schema: scope.schema, naming: scope.naming, text: keyPath, dialect: scope.dialect)
    if node.countsLinks { return .operand(try LinkCounter(paths: located.paths).operand(node, classID)) }
    if node.aggregate != nil { return .operand(try located.aggregateOperand(node, classID).0) }
    let resolved = try located.paths.resolve(node, in: classID)
    guard !resolved.crossesToMany else { throw refuse("it leads through a collection", keyPath, classID, purpose) }
    guard resolved.type != .link else {
      throw refuse("\(resolved.type.displayName) properties have no order", keyPath, classID, purpose)
    }
    if resolved.source == nil, resolved.isPlain, let links = resolved.links {
      return .path(BoundPath(links: links, column: resolved.column.id, type: resolved.type))
    }
    return .operand(.reach(resolved.reach))
  }

  /// Resolves a path or what is computed, of the text that is bound.
  private func target(
    _ operand: OperandNode, in classID: ClassID, purpose: String
  ) throws(PredicateError) -> SortTarget {
    if case .keyPath(let path) = operand { return try target(path, text: path.text, in: classID, purpose: purpose) }
    let folded = ConstantFolding.folded(operand, scope.dialect)
    guard folded.isComputed else {
      throw scope.fail(
        .unsupportedSort, "Cannot \(purpose) objects by what is the same for all of them", operand.range,
        expected: "a property")
    }
    let found = try ExpressionBinder(binder: self).operand(folded, classID)
    guard !found.isToMany else {
      throw scope.fail(
        .unsupportedSort, "Cannot \(purpose) objects by what leads through a collection", operand.range,
        expected: "one value")
    }
    return .operand(found.operand)
  }

  /// The steps of an RQL query (Q-101).
  package func steps(_ clauses: [QueryClause], in classID: ClassID) throws(PredicateError) -> [ResultsStep] {
    var steps: [ResultsStep] = []
    for clause in clauses {
      switch clause {
      case .sort(let criteria):
        var keys: [SortKey] = []
        for criterion in criteria {
          let target = try target(criterion.operand, in: classID, purpose: "sort")
          keys.append(SortKey(target, isAscending: criterion.isAscending))
        }
        steps.append(.sort(keys))
      case .distinct(let operands):
        var targets: [SortTarget] = []
        for operand in operands { targets.append(try target(operand, in: classID, purpose: "make distinct")) }
        steps.append(.distinct(targets))
      case .limit(let count): steps.append(.limit(count))
      }
    }
    return steps
  }
}
