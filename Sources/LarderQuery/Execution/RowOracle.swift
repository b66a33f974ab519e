import LarderStorage

/// Answers a predicate one object and one value at a time: slow and obviously right.
///
/// It is the reference for the kernels, and evaluates what has no kernel.
package struct RowOracle {
  package let reader: any StoreReader

  package init(_ reader: any StoreReader) { self.reader = reader }

  /// Whether the object satisfies the predicate. Throws `noSuchObject` for a missing object.
  package func matches(_ predicate: BoundPredicate, _ classID: ClassID, _ key: ObjectKey) throws -> Bool {
    switch predicate {
    case .constant(let answer): return answer
    case .and(let children): return try children.allSatisfy { try matches($0, classID, key) }
    case .or(let children): return try children.contains { try matches($0, classID, key) }
    case .not(let child): return try !matches(child, classID, key)
    case .value(let column, let test): return test.matches(try reader.value(classID, column, key))
    case .isObject(let keys): return keys.contains(key)
    case .through(let step, let inner, let whenNil):
      guard case .link(let target) = try reader.value(classID, step.column, key) else { return whenNil }
      return try matches(inner, step.target, target)
    case .anyElement(let step, let inner):
      guard let target = step.target else { return false }
      return try elements(classID, step, key).contains { element in
        guard case .link(let element) = element, try reader.contains(target, element) else { return false }
        return try matches(inner, target, element)
      }
    case .anyValue(let step, let test):
      return try elements(classID, step, key).contains { test.matches($0) }
    case .compare(let left, let operation, let options, let right):
      let (a, b) = (try value(left, classID, key), try value(right, classID, key))
      return Self.compare(a, operation, options, b)
    }
  }

  /// Compares values that may be numbers of different types.
  private static func compare(
    _ a: StoredValue, _ operation: ComparisonOperator, _ options: TextOptions, _ b: StoredValue
  ) -> Bool {
    ValueTest.compare(a, operation, options, b)
  }

  /// All elements of a list in order.
  package func elements(_ classID: ClassID, _ step: ListStep, _ key: ObjectKey) throws -> [StoredValue] {
    let list = try reader.list(classID, step.column, key)
    return try (0..<list.count).map { try list.value(at: $0) }
  }

  // MARK: - Operands

  package func value(_ operand: BoundOperand, _ classID: ClassID, _ key: ObjectKey) throws -> StoredValue {
    switch operand {
    case .constant(let value): return value
    case .path(let path): return try value(path, classID, key).value
    case .aggregate(let links, let step, let aggregate, let element):
      guard let owner = try follow(links, classID, key) else {
        return aggregate == .count ? .int(0) : try Aggregation(aggregate, over: []).result
      }
      let list = try elements(owner.classID, step, owner.key)
      if aggregate == .count { return .int(Int64(list.count)) }
      return try Aggregation(aggregate, over: try values(list, step, element)).result
    case .count(let links, let step, let predicate):
      guard let owner = try follow(links, classID, key), let target = step.target else { return .int(0) }
      let matching = try elements(owner.classID, step, owner.key).filter { element in
        guard case .link(let element) = element, try reader.contains(target, element) else { return false }
        return try matches(predicate, target, element)
      }
      return .int(Int64(matching.count))
    }
  }

  private func values(_ list: [StoredValue], _ step: ListStep, _ element: BoundPath?) throws -> [StoredValue] {
    guard let element, let target = step.target else { return list }
    return try list.compactMap { item in
      guard case .link(let key) = item, try reader.contains(target, key) else { return nil }
      return try value(element, target, key).value
    }
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
