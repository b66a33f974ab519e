import LarderStorage

/// Answers a predicate one object and one value at a time: slow and obviously right.
///
/// It is the reference for the kernels, and evaluates what has no kernel.
package struct RowEvaluator {
  package let reader: any StoreReader

  package init(_ reader: any StoreReader) { self.reader = reader }

  /// Returns true if the object satisfies the predicate. Throws `noSuchObject` for a missing object.
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
      let elements = try reader.elements(step, classID, key)
      for position in 0..<elements.count {
        guard case .link(let element) = try elements.value(at: position), try reader.contains(target, element) else {
          continue
        }
        if try matches(inner, target, element) { return true }
      }
      return false
    case .anyValue(let step, let test):
      let elements = try reader.elements(step, classID, key)
      for position in 0..<elements.count where test.matches(try elements.value(at: position)) { return true }
      return false
    case .compare(let left, let operation, let options, let right):
      let (a, b) = (try value(left, classID, key), try value(right, classID, key))
      return ValueTest.compare(a, operation, options, b)
    case .quantified(let comparison): return try matches(comparison, classID, key)
    case .isWithin(let columns, let area): return try isWithin(columns, area, classID, key)
    }
  }

  // MARK: - Several values

  private func matches(_ comparison: QuantifiedComparison, _ classID: ClassID, _ key: ObjectKey) throws -> Bool {
    let (left, right) = (
      try values(comparison.left, classID, key), try values(comparison.right, classID, key)
    )
    func holds(_ a: StoredValue, _ b: StoredValue) -> Bool {
      ValueTest.compare(a, comparison.operation, comparison.options, b)
    }
    if comparison.operation == .between {
      let test = ValueTest(.mixed, .between, right)
      return Self.holds(comparison.leftQuantifier, left) { test.matches($0) }
    }
    if comparison.leftQuantifier == nil, comparison.rightQuantifier == nil {
      let isSame =
        left.count == right.count
        && zip(left, right).allSatisfy { ValueTest.compare($0, .equal, comparison.options, $1) }
      return isSame == (comparison.operation != .notEqual)
    }
    return Self.holds(comparison.leftQuantifier, left) { a in
      Self.holds(comparison.rightQuantifier, right) { holds(a, $0) }
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

  // MARK: - Areas

  private func isWithin(_ columns: PointColumns, _ area: GeoArea, _ classID: ClassID, _ key: ObjectKey) throws -> Bool {
    guard case .string("Point") = try reader.value(classID, columns.type, key) else { return false }
    let coordinates = try reader.list(classID, columns.coordinates, key)
    guard coordinates.count >= 2, case .double(let longitude) = try coordinates.value(at: 0),
      case .double(let latitude) = try coordinates.value(at: 1)
    else { return false }
    return area.contains(GeoArea.Point(longitude: longitude, latitude: latitude))
  }
}
