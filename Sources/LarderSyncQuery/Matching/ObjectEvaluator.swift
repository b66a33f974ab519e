import LarderQuery
import LarderStorage
import LarderSyncProtocol

/// Answers a bound predicate for the values of one object. Comparisons are the query engine's own (`ValueTest`), so that a query has
/// the same objects on the server and in a device's store.
struct ObjectEvaluator {
  let queried: QueriedClass
  let value: (SyncText) -> SyncValue

  func matches(_ predicate: BoundPredicate) -> Bool {
    switch predicate {
    case .constant(let answer): answer
    case .and(let children): children.allSatisfy(matches)
    case .or(let children): children.contains(where: matches)
    case .not(let child): !matches(child)
    case .value(let column, let test): test.matches(single(column))
    case .anyValue(let step, let test): elements(step.column).contains(where: test.matches)
    case .compare(let left, let operation, let options, let right):
      ValueTest.compare(one(left), operation, options, one(right))
    case .quantified(let comparison): matches(comparison)
    case .isObject, .through, .anyElement, .isWithin: refused()
    }
  }

  /// Returns true if the evaluator knows every part of a predicate.
  static func covers(_ predicate: BoundPredicate) -> Bool {
    switch predicate {
    case .constant, .value, .anyValue: true
    case .and(let children), .or(let children): children.allSatisfy(covers)
    case .not(let child): covers(child)
    case .compare(let left, _, _, let right): covers(left) && covers(right)
    case .quantified(let comparison): covers(comparison.left) && covers(comparison.right)
    case .isObject, .through, .anyElement, .isWithin: false
    }
  }

  private static func covers(_ operand: BoundOperand) -> Bool {
    switch operand {
    case .constant, .constants: true
    case .path(let path): path.links.isEmpty
    case .reach(let reach): covers(reach)
    // Not the number of elements that a value of any type has.
    case .aggregate(let reach, .count): covers(reach) && reach.isToMany
    case .aggregate: false
    case .count, .arithmetic, .function: false
    }
  }

  private static func covers(_ reach: BoundReach) -> Bool {
    guard reach.steps.isEmpty, reach.subscripts.isEmpty, reach.measure == nil else { return false }
    switch reach.end {
    case .column, .values: return true
    case .objects, .element: return false
    }
  }

  private func refused() -> Bool { preconditionFailure("a query was not checked before it is asked") }

  // MARK: - Several values

  private func matches(_ comparison: QuantifiedComparison) -> Bool {
    let (left, right) = (all(comparison.left), all(comparison.right))
    if comparison.operation == .between {
      let test = ValueTest(.mixed, .between, right)
      return Self.holds(comparison.leftQuantifier, left) { test.matches($0) }
    }
    return Self.holds(comparison.leftQuantifier, left) { a in
      Self.holds(comparison.rightQuantifier, right) {
        ValueTest.compare(a, comparison.operation, comparison.options, $0)
      }
    }
  }

  /// Without a quantifier there is one value.
  private static func holds(_ quantifier: Quantifier?, _ values: [StoredValue], _ test: (StoredValue) -> Bool) -> Bool {
    switch quantifier {
    case nil, .any?: values.contains(where: test)
    case .all?: values.allSatisfy(test)
    case Quantifier.none?: !values.contains(where: test)
    }
  }

  // MARK: - Operands

  private func one(_ operand: BoundOperand) -> StoredValue {
    switch operand {
    case .constant(let value): value
    case .path(let path): single(path.column)
    case .aggregate(let reach, _): .int(Int64(count(reach)))
    case .constants, .reach: all(operand).first ?? .null
    case .count, .arithmetic, .function: .null
    }
  }

  private func all(_ operand: BoundOperand) -> [StoredValue] {
    switch operand {
    case .constants(let values): return values
    case .reach(let reach):
      switch reach.end {
      case .column(let column, _): return [single(column)]
      case .values(let step): return elements(step.column)
      case .objects, .element: return []
      }
    default: return [one(operand)]
    }
  }

  private func count(_ reach: BoundReach) -> Int {
    if case .values(let step) = reach.end { elements(step.column).count } else { 0 }
  }

  private func single(_ column: ColumnID) -> StoredValue { StoredValue(value(queried.name(of: column))) ?? .null }

  private func elements(_ column: ColumnID) -> [StoredValue] {
    switch value(queried.name(of: column)) {
    case .list(let list): list.entries.map { StoredValue($0.value) ?? .null }
    case .set(let set): set.values.map { StoredValue($0) ?? .null }
    default: []
    }
  }
}
