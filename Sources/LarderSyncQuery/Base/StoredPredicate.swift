import LarderQuery
import LarderStorage

/// Turns a predicate that a store's query has back into a tree, with the names that are stored.
///
/// What subscriptions cannot ask for becomes a tree that says what it is, so that the rules refuse it with its name.
struct StoredPredicate {
  let schema: StoreSchema

  func node(_ predicate: BoundPredicate, _ classID: ClassID) -> PredicateNode { node(predicate, classID, []) }

  private typealias Names = [KeyPathNode.Component]

  private func node(
    _ predicate: BoundPredicate, _ classID: ClassID, _ names: Names, _ quantifier: Quantifier? = nil
  ) -> PredicateNode {
    switch predicate {
    case .constant(let answer): return .constant(answer)
    case .and(let children): return .and(children.map { node($0, classID, names, quantifier) })
    case .or(let children): return .or(children.map { node($0, classID, names, quantifier) })
    case .not(let child): return .not(node(child, classID, names, quantifier))
    case .value(let column, let test): return comparison(names + [name(column, classID)], test, quantifier)
    case .anyValue(let step, let test): return comparison(names + [name(step, classID)], test, .any)
    case .through(let step, let inner, _):
      return node(inner, step.target, names + [name(step.column, classID)], quantifier)
    case .anyElement(let step, let inner):
      return node(inner, step.target ?? classID, names + [name(step, classID)], .any)
    case .isObject:
      return .comparison(
        ComparisonNode(left: .keyPath(KeyPathNode(names)), operation: .equal, right: .constant(ConstantNode(.null))))
    case .isWithin(_, let area):
      return .comparison(
        ComparisonNode(
          left: .constant(ConstantNode(.area(area))), operation: .in, right: .keyPath(KeyPathNode(names))))
    case .compare(let left, let operation, let options, let right):
      return .comparison(
        ComparisonNode(
          left: operand(left, classID), operation: operation, options: options, right: operand(right, classID)))
    case .quantified(let comparison):
      return .comparison(
        ComparisonNode(
          quantifier: comparison.leftQuantifier, left: operand(comparison.left, classID),
          operation: comparison.operation, options: comparison.options, rightQuantifier: comparison.rightQuantifier,
          right: operand(comparison.right, classID)))
    }
  }

  private func comparison(_ names: Names, _ test: ValueTest, _ quantifier: Quantifier?) -> PredicateNode {
    let isGroup = test.operation == .in || test.operation == .between
    let right: OperandNode =
      isGroup
      ? .set(test.values.map { ConstantNode(.value($0)) }, SourceRange(0, 0))
      : .constant(ConstantNode(.value(test.first ?? .null)))
    return .comparison(
      ComparisonNode(
        quantifier: quantifier, left: .keyPath(KeyPathNode(names)), operation: test.operation, options: test.options,
        right: right))
  }

  // MARK: - Operands

  private func operand(_ operand: BoundOperand, _ classID: ClassID) -> OperandNode {
    switch operand {
    case .constant(let value): return .constant(ConstantNode(.value(value)))
    case .constants(let values): return .set(values.map { ConstantNode(.value($0)) }, SourceRange(0, 0))
    case .path(let path):
      var (classID, names) = (classID, Names())
      for link in path.links {
        names.append(name(link.column, classID))
        classID = link.target
      }
      return .keyPath(KeyPathNode(names + [name(path.column, classID)]))
    case .reach(let reach): return .keyPath(path(reach, classID))
    case .aggregate(let reach, let aggregate):
      var path = path(reach, classID)
      path.aggregate = aggregate
      return .keyPath(path)
    case .count(let reach, _):
      return .subquery(SubqueryNode(path: path(reach, classID), predicate: .constant(true)))
    case .arithmetic(let operation, let left, let right):
      return .arithmetic(operation.written, self.operand(left, classID), self.operand(right, classID))
    case .function(let function, let inner):
      return .function(
        FunctionNode(
          function.function, of: self.operand(inner, classID),
          timeZone: function.timeZone.map { ConstantNode(.value(.string($0))) }))
    }
  }

  private func path(_ reach: BoundReach, _ classID: ClassID) -> KeyPathNode {
    var (classID, names) = (classID, Names())
    for step in reach.steps {
      switch step {
      case .link(let link):
        names.append(name(link.column, classID))
        classID = link.target
      case .elements(let list), .element(let list, _):
        names.append(name(list, classID))
        classID = list.target ?? classID
      }
    }
    switch reach.end {
    case .objects: break
    case .column(let column, _): names.append(name(column, classID))
    case .values(let list): names.append(name(list, classID))
    case .element(let list, let selector):
      names.append(name(list, classID))
      names[names.count - 1].subscripts.append(SubscriptNode(selector))
    }
    if let last = names.indices.last { names[last].subscripts += reach.subscripts.map { SubscriptNode($0) } }
    return KeyPathNode(names, measure: reach.measure)
  }

  // MARK: - Names

  private func name(_ column: ColumnID, _ classID: ClassID) -> KeyPathNode.Component {
    KeyPathNode.Component(schema[classID]?.column(column)?.name ?? "")
  }

  private func name(_ step: ListStep, _ classID: ClassID) -> KeyPathNode.Component {
    switch step.source {
    case .inverse(let origin):
      var component = name(step.column, origin)
      component.originClass = schema[origin]?.name ?? ""
      return component
    case .mapKeys:
      var component = name(step.column, classID)
      component.part = .keys
      return component
    case .list, .set, .mapValues: return name(step.column, classID)
    }
  }
}
