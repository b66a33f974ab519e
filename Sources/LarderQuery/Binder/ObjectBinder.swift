import LarderStorage

/// Binds comparisons with objects and areas.
struct ObjectBinder {
  let binder: Binder

  /// The objects a link is compared with.
  struct ComparedObjects {
    var keys: Set<ObjectKey> = []
    var includesNull = false
    /// Objects given by their contents, or by their primary key.
    var conditions: [BoundPredicate] = []
  }

  /// `link == object`, `link IN objects`, `ANY list == object`, and the answer for a nil link.
  func bindLink(
    _ resolved: ResolvedPath, _ comparison: ComparisonNode, _ constants: [ConstantNode]
  ) throws(PredicateError) -> (predicate: BoundPredicate, whenNil: Bool) {
    guard let target = resolved.target else {
      throw binder.scope.fail(.notALink, "'\(resolved.name)' has no target class", comparison.operatorRange)
    }
    let holdsNil = resolved.source == nil || resolved.source == .mapValues
    let compared = try objects(constants, of: target, name: resolved.name, acceptsNull: holdsNil)
    let isNegated = comparison.operation == .notEqual
    guard let step = resolved.listStep else {
      let matches = linked(resolved.column.id, target, compared)
      return (isNegated ? .not(matches) : matches, compared.includesNull != isNegated)
    }
    if compared.includesNull || resolved.source == .mapValues {
      // Values of maps may be nil, which no element kernel sees.
      let values = compared.keys.sorted().map { StoredValue.link($0) } + (compared.includesNull ? [.null] : [])
      let found = BoundPredicate.quantified(
        QuantifiedComparison(
          .reach(BoundReach(steps: [], end: .values(step))), .any, isNegated ? .notEqual : .equal, [],
          .constants(values), isNegated ? .all : .any))
      if compared.conditions.isEmpty { return (found, false) }
      let byContents = BoundPredicate.anyElement(step, .or(compared.conditions))
      return (isNegated ? .and([found, .not(byContents)]) : .or([found, byContents]), false)
    }
    let same = sameObject(compared)
    guard isNegated else { return (.anyElement(step, same), false) }
    if !compared.conditions.isEmpty {
      // Of contents: there are elements, and none is equal.
      return (.and([.anyElement(step, .constant(true)), .not(.anyElement(step, same))]), false)
    }
    return (.anyElement(step, .not(same)), false)
  }

  private func sameObject(_ compared: ComparedObjects) -> BoundPredicate {
    let same = BoundPredicate.isObject(compared.keys)
    if compared.conditions.isEmpty { return same }
    return .or((compared.keys.isEmpty ? [] : [same]) + compared.conditions)
  }

  private func linked(_ column: ColumnID, _ target: ClassID, _ compared: ComparedObjects) -> BoundPredicate {
    let values = compared.keys.sorted().map { StoredValue.link($0) } + (compared.includesNull ? [.null] : [])
    let keys: BoundPredicate = values.isEmpty ? .constant(false) : .value(column, ValueTest(.link, .in, values))
    if compared.conditions.isEmpty { return keys }
    let step = LinkStep(column: column, target: target)
    return .or([keys] + compared.conditions.map { .through(step, $0, whenNil: false) })
  }

  /// Checks objects given as constants against a link's target. Detached objects are equal to nothing.
  private func objects(
    _ constants: [ConstantNode], of target: ClassID, name: String, acceptsNull: Bool
  ) throws(PredicateError) -> ComparedObjects {
    var compared = ComparedObjects()
    let className = binder.scope.schema[target]?.name ?? "object"
    func wrongClass(_ given: String, _ range: SourceRange) -> PredicateError {
      binder.scope.fail(.wrongObject, "'\(name)' links to '\(className)', compared with '\(given)'", range)
    }
    for constant in constants {
      switch constant.value {
      case .value(.null):
        guard acceptsNull else {
          throw binder.scope.fail(.nullForRequired, "'\(name)' holds objects, never nil", constant.range)
        }
        compared.includesNull = true
      case .value(.link(let key)): compared.keys.insert(key)
      case .object(let link, _):
        guard link.classID == target else {
          throw wrongClass(binder.scope.schema[link.classID]?.name ?? "another class", constant.range)
        }
        compared.keys.insert(link.key)
      case .detachedObject(let given): guard given == className else { throw wrongClass(given, constant.range) }
      case .members(let given, let members):
        guard given == className else { throw wrongClass(given, constant.range) }
        compared.conditions.append(try contents(members, of: target, constant.range))
      default:
        throw binder.scope.fail(
          .typeMismatch, "'\(name)' links to '\(className)', compared with \(constant.value.kind)", constant.range,
          expected: "an object of '\(className)' or nil")
      }
    }
    return compared
  }

  /// All members equal.
  private func contents(
    _ members: [PredicateArgument.Member], of target: ClassID, _ range: SourceRange
  ) throws(PredicateError) -> BoundPredicate {
    let entry = try binder.scope.descriptor(target, range)
    var tests: [BoundPredicate] = []
    for member in members {
      let isKey = member.name == PredicateArgument.primaryKeyName
      let column =
        isKey
        ? entry.primaryKey : binder.scope.naming.storedName(entry.name, member.name).flatMap { entry.column(named: $0) }
      guard let column else {
        throw binder.scope.fail(
          .unknownProperty,
          isKey ? "Class '\(entry.name)' has no primary key" : "Class '\(entry.name)' has no property '\(member.name)'",
          range)
      }
      guard column.type != .link, column.collection == .none else {
        throw binder.scope.fail(
          .unsupportedOperator,
          "Objects of '\(entry.name)' cannot be compared by their contents: '\(entry.name).\(column.name)' holds objects or a collection",
          range)
      }
      let resolved = ResolvedPath(steps: [], column: column, owner: entry)
      let value = try binder.types.convert(ConstantNode(member.value, range), resolved, acceptsNull: true)
      tests.append(.value(column.id, ValueTest(column.type, .equal, [value])))
    }
    return .and(tests)
  }

  /// `SELF == object`, `SELF IN list`.
  func bindSelf(
    _ comparison: ComparisonNode, _ constants: [ConstantNode], _ classID: ClassID
  ) throws(PredicateError) -> BoundPredicate {
    guard comparison.quantifier == nil else {
      throw binder.scope.fail(.quantifier, "SELF is one object and takes no ANY or NONE", comparison.quantifierRange)
    }
    guard comparison.operation == .equal || comparison.operation == .notEqual || comparison.operation == .in else {
      throw binder.scope.fail(
        .unsupportedOperator, "\(comparison.operation.rawValue) is not available for objects",
        comparison.operatorRange, expected: "==, != or IN")
    }
    let same = sameObject(try objects(constants, of: classID, name: "SELF", acceptsNull: true))
    return comparison.operation == .notEqual ? .not(same) : same
  }

  // MARK: - Areas

  /// `location IN area`: the linked object is shaped as a point.
  func bindArea(
    _ area: GeoArea, _ resolved: ResolvedPath, _ comparison: ComparisonNode, _ range: SourceRange
  ) throws(PredicateError) -> BoundPredicate {
    guard comparison.operation == .in, resolved.type == .link, resolved.isPlain, let target = resolved.target,
      let entry = binder.scope.schema[target]
    else {
      throw binder.scope.fail(
        .unsupportedOperator, "An area is compared with IN and a link to an embedded point; '\(resolved.name)' is none",
        range)
    }
    guard entry.isEmbedded else {
      throw binder.scope.fail(
        .typeMismatch,
        "Areas are compared with embedded objects; '\(entry.name)', which '\(resolved.name)' links to, is a class of its own",
        range)
    }
    if let fault = area.fault {
      throw binder.scope.fail(.typeMismatch, "The polygon cannot be searched: \(fault)", range)
    }
    guard let type = entry.column(named: binder.scope.naming.storedName(entry.name, "type") ?? "type"),
      type.type == .string,
      type.collection == .none,
      let coordinates = entry.column(named: binder.scope.naming.storedName(entry.name, "coordinates") ?? "coordinates"),
      coordinates.type == .double, coordinates.collection == .list
    else {
      throw binder.scope.fail(
        .typeMismatch,
        "'\(entry.name)' is not shaped like a point: it needs 'type: String' and 'coordinates: List<Double>'", range)
    }
    let inside = BoundPredicate.isWithin(PointColumns(type: type.id, coordinates: coordinates.id), area)
    let asked: BoundPredicate =
      resolved.listStep.map { .anyElement($0, inside) }
      ?? .through(LinkStep(column: resolved.column.id, target: target), inside, whenNil: false)
    let bound = binder.wrap(asked, resolved.steps, whenNil: false)
    return comparison.quantifier == Quantifier.none ? .not(bound) : bound
  }
}
