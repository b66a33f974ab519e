import LarderStorage

extension RowEvaluator {
  /// The one value of an operand; the first where it has several, nil where none.
  package func value(_ operand: BoundOperand, _ classID: ClassID, _ key: ObjectKey) throws -> StoredValue {
    switch operand {
    case .constant(let value): return value
    case .path(let path): return try value(path, classID, key).value
    case .aggregate(let reach, let aggregate): return try self.aggregate(reach, aggregate, classID, key)
    case .count(let reach, let predicate): return .int(Int64(try count(reach, predicate, classID, key)))
    case .arithmetic(let operation, let left, let right):
      return Arithmetic.apply(operation, try value(left, classID, key), try value(right, classID, key))
    case .function(let function, let inner): return function.apply(try value(inner, classID, key))
    case .constants, .reach: return try values(operand, classID, key).first ?? .null
    }
  }

  /// All values of an operand.
  func values(_ operand: BoundOperand, _ classID: ClassID, _ key: ObjectKey) throws -> [StoredValue] {
    switch operand {
    case .constants(let values): return values
    case .reach(let reach): return try values(reach, classID, key)
    case .arithmetic(let operation, let left, let right):
      let (a, b) = (try values(left, classID, key), try values(right, classID, key))
      return a.flatMap { a in b.map { Arithmetic.apply(operation, a, $0) } }
    case .function(let function, let inner): return try values(inner, classID, key).map { function.apply($0) }
    default: return [try value(operand, classID, key)]
    }
  }

  // MARK: - Aggregates

  private func aggregate(
    _ reach: BoundReach, _ aggregate: AggregateOperator, _ classID: ClassID, _ key: ObjectKey
  ) throws -> StoredValue {
    guard aggregate == .count else {
      return Aggregation(aggregate, over: try values(reach, classID, key), of: reach.type).result
    }
    var total = 0
    for object in try objects(reach.steps, classID, key) {
      guard let object else { continue }
      switch reach.end {
      case .values(let step): total += try reader.elements(step, object.classID, object.key).count
      default:
        // The number of elements of a collection in a value of any type.
        for value in try ends(of: object, reach) {
          total += NestedValues.count(value, reach.subscripts)
        }
      }
    }
    return .int(Int64(total))
  }

  private func count(
    _ reach: BoundReach, _ predicate: BoundPredicate, _ classID: ClassID, _ key: ObjectKey
  ) throws -> Int {
    guard case .values(let step) = reach.end, let target = step.target else { return 0 }
    return try objects(reach.steps + [.elements(step)], classID, key).reduce(0) { count, object in
      guard let object, object.classID == target else { return count }
      return try matches(predicate, target, object.key) ? count + 1 : count
    }
  }

  // MARK: - Reaching

  /// The values at the end of a way. Over to-one links alone it is one value, nil where a link is; a way through a
  /// collection has none for a nil link in it.
  package func values(_ reach: BoundReach, _ classID: ClassID, _ key: ObjectKey) throws -> [StoredValue] {
    var found: [StoredValue] = []
    for object in try objects(reach.steps, classID, key) {
      guard let object else {
        if !reach.isToMany { found.append(.null) }
        continue
      }
      for value in try ends(of: object, reach) {
        found += reach.subscripts.isEmpty ? [value] : NestedValues.reached(from: value, reach.subscripts)
      }
    }
    return reach.measure.map { measure in found.map { NestedValues.measure($0, measure) } } ?? found
  }

  private func ends(of object: ObjectLink, _ reach: BoundReach) throws -> [StoredValue] {
    switch reach.end {
    case .objects: return [.link(object.key)]
    case .column(let column, _): return [try reader.value(object.classID, column, object.key)]
    case .values(let step):
      let values = try reader.elements(step, object.classID, object.key).values()
      return step.target == nil ? values : try values.filter { try isThere($0, step) }
    case .element(let step, let selector):
      let value = try reader.element(step, selector, object.classID, object.key)
      return [try isThere(value, step) ? value : .null]
    }
  }

  /// Returns true if an element is no link to an object that is deleted.
  private func isThere(_ value: StoredValue, _ step: ListStep) throws -> Bool {
    guard case .link(let key) = value, let target = step.target else { return true }
    return try reader.contains(target, key)
  }

  /// The objects at the end of the hops; nil for each that a nil link keeps from being reached.
  private func objects(_ steps: [BoundReach.Step], _ classID: ClassID, _ key: ObjectKey) throws -> [ObjectLink?] {
    var current: [ObjectLink?] = [ObjectLink(classID: classID, key: key)]
    for step in steps {
      current = try current.flatMap { object -> [ObjectLink?] in
        guard let object else { return [nil] }
        switch step {
        case .link(let link):
          guard case .link(let next) = try reader.value(object.classID, link.column, object.key) else { return [nil] }
          return [ObjectLink(classID: link.target, key: next)]
        case .elements(let list):
          return try reader.elements(list, object.classID, object.key).values().compactMap { element in
            guard let target = list.target, case .link(let next) = element, try reader.contains(target, next) else {
              return nil
            }
            return ObjectLink(classID: target, key: next)
          }
        case .element(let list, let selector):
          guard let target = list.target,
            case .link(let next) = try reader.element(list, selector, object.classID, object.key),
            try reader.contains(target, next)
          else { return [nil] }
          return [ObjectLink(classID: target, key: next)]
        }
      }
    }
    return current
  }

  /// The object at the end of to-one links; nil where one of them is nil.
  package func follow(_ links: [LinkStep], _ classID: ClassID, _ key: ObjectKey) throws -> ObjectLink? {
    var current = ObjectLink(classID: classID, key: key)
    for link in links {
      guard case .link(let next) = try reader.value(current.classID, link.column, current.key) else { return nil }
      current = ObjectLink(classID: link.target, key: next)
    }
    return current
  }

  /// The value at the end of a path, and whether a link on the way was nil.
  package func value(
    _ path: BoundPath, _ classID: ClassID, _ key: ObjectKey
  ) throws -> (value: StoredValue, linkIsNil: Bool) {
    guard let owner = try follow(path.links, classID, key) else { return (.null, true) }
    return (try reader.value(owner.classID, path.column, owner.key), false)
  }
}
