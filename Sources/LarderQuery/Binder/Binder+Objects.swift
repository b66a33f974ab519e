import LarderStorage

extension Binder {
  /// The objects a link is compared with.
  struct ComparedObjects {
    var keys: Set<ObjectKey> = []
    var includesNull = false
  }

  /// Checks objects given as constants against a link's target. Detached objects are equal to nothing.
  func objects(
    _ constants: [ConstantNode], _ resolved: ResolvedPath, _ comparison: ComparisonNode
  ) throws(PredicateError) -> ComparedObjects {
    guard let target = resolved.column.target else {
      throw fail(.notALink, "'\(resolved.name)' has no target class", comparison.operatorRange)
    }
    return try objects(
      constants, of: target, name: resolved.name, acceptsNull: resolved.column.collection == .none)
  }

  private func objects(
    _ constants: [ConstantNode], of target: ClassID, name: String, acceptsNull: Bool
  ) throws(PredicateError) -> ComparedObjects {
    var compared = ComparedObjects()
    let className = schema[target]?.name ?? "object"
    for constant in constants {
      switch constant.value {
      case .value(.null):
        guard acceptsNull else {
          throw fail(.nullForRequired, "'\(name)' holds objects, never nil", constant.range)
        }
        compared.includesNull = true
      case .value(.link(let key)): compared.keys.insert(key)
      case .object(let link):
        guard link.classID == target else {
          let given = schema[link.classID]?.name ?? "another class"
          throw fail(.wrongObject, "'\(name)' links to '\(className)', compared with '\(given)'", constant.range)
        }
        compared.keys.insert(link.key)
      case .detachedObject(let given):
        guard given == className else {
          throw fail(.wrongObject, "'\(name)' links to '\(className)', compared with '\(given)'", constant.range)
        }
      default:
        throw fail(
          .typeMismatch, "'\(name)' links to '\(className)', compared with \(constant.value.kind)", constant.range,
          expected: "an object of '\(className)' or nil")
      }
    }
    return compared
  }

  /// The question at a link, to one or to many.
  func linkPredicate(
    _ column: ColumnDescriptor, _ comparison: ComparisonNode, _ compared: ComparedObjects
  ) -> BoundPredicate {
    let isNegated = comparison.operation == .notEqual
    if column.collection == .none {
      let values = compared.keys.sorted().map { StoredValue.link($0) } + (compared.includesNull ? [.null] : [])
      let test = ValueTest(.link, .in, values)
      let matches: BoundPredicate = values.isEmpty ? .constant(false) : .value(column.id, test)
      return isNegated ? .not(matches) : matches
    }
    let step = ListStep(column: column.id, target: column.target, elementType: .link)
    let same = BoundPredicate.isObject(compared.keys)
    return .anyElement(step, isNegated ? .not(same) : same)
  }

  /// `SELF == object`, `SELF IN list`.
  func bindSelf(
    _ comparison: ComparisonNode, _ constants: [ConstantNode], _ classID: ClassID
  ) throws(PredicateError) -> BoundPredicate {
    guard comparison.operation == .equal || comparison.operation == .notEqual || comparison.operation == .in else {
      throw fail(
        .unsupportedOperator, "\(comparison.operation.rawValue) is not available for objects",
        comparison.operatorRange, expected: "==, != or IN")
    }
    let compared = try objects(constants, of: classID, name: "SELF", acceptsNull: true)
    let same = BoundPredicate.isObject(compared.keys)
    return comparison.operation == .notEqual ? .not(same) : same
  }
}
