import Foundation
import LarderStorage

@testable import LarderQuery

/// Answers predicates over the rows of a fixture as plain JSON: it knows neither stores, leaves, plans nor bound
/// predicates, only the syntax tree and the rules of the language.
struct NaiveEvaluator {
  /// An object: its class and its row.
  final class Row {
    let className: String
    let label: String
    let fields: [String: JSONValue]
    init(_ className: String, _ label: String, _ fields: [String: JSONValue]) {
      self.className = className
      self.label = label
      self.fields = fields
    }
  }

  /// A value met on a path.
  enum Value {
    case null
    case scalar(JSONValue, type: String)
    case row(Row)
  }

  let fixture: QueryFixture
  private(set) var rows: [String: [Row]] = [:]
  private var properties: [String: [String: QueryFixture.Property]] = [:]

  init(_ fixture: QueryFixture) {
    self.fixture = fixture
    for entry in fixture.classes {
      properties[entry.name] = Dictionary(
        fixture.properties(of: entry.name).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
    for (name, list) in fixture.data {
      rows[name] = list.map { fields in
        var label = ""
        if case .string(let text)? = fields["_"] { label = text }
        return Row(name, label, fields)
      }
    }
  }

  func labels(_ query: QueryFixture.Case, _ predicate: PredicateNode?) -> [String] {
    var found = (rows[query.class] ?? []).filter { row in predicate.map { holds($0, row) } ?? true }
    if let sort = query.sort { found = sorted(found, sort) }
    if let distinct = query.distinct { found = self.distinct(found, distinct) }
    if let limit = query.limit { found = Array(found.prefix(limit)) }
    return found.map(\.label)
  }

  // MARK: - Logic

  func holds(_ node: PredicateNode, _ row: Row) -> Bool {
    switch node {
    case .constant(let answer): answer
    case .and(let children): children.allSatisfy { holds($0, row) }
    case .or(let children): children.contains { holds($0, row) }
    case .not(let child): !holds(child, row)
    case .comparison(let comparison): holds(comparison, row)
    }
  }

  private func holds(_ comparison: ComparisonNode, _ row: Row) -> Bool {
    var comparison = comparison
    if !Self.hasPath(comparison.left), !comparison.left.isComputed || Self.hasPath(comparison.right) {
      (comparison.left, comparison.right) = (comparison.right, comparison.left)
      if comparison.operation == .in {
        comparison.operation = .equal
        comparison.quantifier = comparison.quantifier ?? .any
      } else {
        comparison.operation = comparison.operation.mirrored ?? comparison.operation
      }
    }
    let answers = values(comparison.left, row, isToMany: comparison.quantifier != nil).map {
      test($0, comparison, row)
    }
    switch comparison.quantifier {
    case nil: return answers.first ?? false
    case .some(.any): return answers.contains(true)
    case .some(Quantifier.none): return !answers.contains(true)
    case .some(.all): return !answers.contains(false)
    }
  }

  private func test(_ value: Value, _ comparison: ComparisonNode, _ row: Row) -> Bool {
    switch comparison.right {
    case .constant(let constant):
      if let answer = Self.aboveNil(value, comparison, constant.value) { return answer }
      return test(value, comparison.operation, comparison.options, constant.value)
    case .set(let members, _):
      if comparison.operation == .between {
        return test(value, .greaterOrEqual, [], members[0].value) && test(value, .lessOrEqual, [], members[1].value)
      }
      return members.contains { test(value, .equal, comparison.options, $0.value) }
    case .keyPath, .subquery, .arithmetic, .function:
      let other = values(comparison.right, row, isToMany: false).first ?? .null
      if let same = Self.isSameRow(value, other) { return same == (comparison.operation == .equal) }
      let compared =
        Self.hasPath(comparison.right)
        ? NaiveComparison.comparable(other) : NaiveComparison.converted(other, beside: value)
      return NaiveComparison.holds(
        NaiveComparison.comparable(value), comparison.operation, comparison.options, compared)
    }
  }

  /// Returns true if a side depends on the object; a side that does not is a constant.
  static func hasPath(_ operand: OperandNode) -> Bool {
    switch operand {
    case .keyPath, .subquery: true
    case .constant, .set: false
    case .arithmetic(_, let left, let right): hasPath(left) || hasPath(right)
    case .function(let call): hasPath(call.argument)
    }
  }

  /// A text of the object itself is above nil, and nil is not below itself.
  private static func aboveNil(_ value: Value, _ comparison: ComparisonNode, _ constant: PredicateArgument) -> Bool? {
    guard case .keyPath(let path) = comparison.left, path.components.count == 1, path.aggregate == nil,
      path.components[0].subscripts.isEmpty, comparison.quantifier == nil, case .value(.null) = constant,
      case .scalar(let json, "string") = value
    else { return nil }
    switch comparison.operation {
    case .greater: if case .null = json { return false } else { return true }
    case .greaterOrEqual: return true
    default: return nil
    }
  }

  private func test(
    _ value: Value, _ operation: ComparisonOperator, _ options: TextOptions, _ argument: PredicateArgument
  ) -> Bool {
    if case .object(let link, _) = argument { return identity(value, link) == (operation == .equal) }
    if case .detachedObject = argument { return operation == .notEqual }
    if case .row = value {
      if case .value(.null) = argument { return operation == .notEqual }
      return false
    }
    var type = ""
    if case .scalar(_, let given) = value { type = given }
    return NaiveComparison.holds(
      NaiveComparison.comparable(value), operation, options, NaiveComparison.comparable(argument, type: type))
  }

  /// Returns true if two links lead to one row; nil unless one of them leads anywhere.
  private static func isSameRow(_ a: Value, _ b: Value) -> Bool? {
    switch (a, b) {
    case (.row(let a), .row(let b)): a === b
    case (.row, _), (_, .row): false
    default: nil
    }
  }

  /// Objects are distinguished by their place among the rows of their class, which is their key.
  private func identity(_ value: Value, _ link: ObjectLink) -> Bool {
    guard case .row(let row) = value, let place = rows[row.className]?.firstIndex(where: { $0 === row }) else {
      return false
    }
    return UInt64(place) == link.key.rawValue
  }

  // MARK: - Paths

  /// The one value of an operand.
  func value(_ operand: OperandNode, _ row: Row) -> Value { values(operand, row, isToMany: false).first ?? .null }

  private func values(_ operand: OperandNode, _ row: Row, isToMany: Bool) -> [Value] {
    switch operand {
    case .keyPath(let path):
      if path.isSelf { return [.row(row)] }
      let reached = follow(path.components, [.row(row)], dropsNil: isToMany || path.aggregate != nil)
      guard let aggregate = path.aggregate else { return reached }
      return [self.aggregate(aggregate, follow(path.trailing, reached, dropsNil: false))]
    case .subquery(let subquery):
      let reached = follow(subquery.path.components, [.row(row)], dropsNil: true)
      let count = reached.filter {
        if case .row(let element) = $0 { holds(subquery.predicate, element) } else { false }
      }
      .count
      return [.scalar(.int(Int64(count)), type: "int")]
    case .arithmetic(let operation, let left, let right):
      let sides = [left, right].map { values($0, row, isToMany: false).first ?? .null }
      return [NaiveExpression.compute(operation, sides[0], sides[1])]
    case .function(let call):
      var zone: String?
      if case .value(.string(let name))? = call.timeZone?.value { zone = name }
      let argument = values(call.argument, row, isToMany: false).first ?? .null
      return [NaiveExpression.apply(call.function, argument, zone: zone)]
    case .constant(let constant): return [NaiveExpression.value(constant.value)]
    case .set: return []
    }
  }

  private func follow(_ components: [KeyPathNode.Component], _ start: [Value], dropsNil: Bool) -> [Value] {
    var current = start
    for (index, component) in components.enumerated() {
      current = current.flatMap { value -> [Value] in
        guard case .row(let row) = value else { return dropsNil && index > 0 ? [] : [.null] }
        return field(row, component)
      }
    }
    return current
  }

  private func field(_ row: Row, _ component: KeyPathNode.Component) -> [Value] {
    guard let property = properties[row.className]?[component.name] else { return [] }
    let json = row.fields[component.name]
    switch property.kind {
    case .one:
      return [value(json ?? (Self.hasNull(property) ? .null : Self.zero(property.type)), property.type)]
    case .list, .set:
      guard case .array(let members)? = json else { return [] }
      return members.map { value($0, property.type) }
    case .map:
      guard case .object(let entries)? = json else { return component.subscripts.isEmpty ? [] : [.null] }
      if case .key(let key)? = component.subscripts.first?.selector {
        return [entries[key].map { value($0, property.type) } ?? .null]
      }
      if component.part == .keys { return entries.keys.map { .scalar(.string($0), type: "string") } }
      return entries.values.map { value($0, property.type) }
    case .inverse: return inverse(row, property)
    }
  }

  /// The rows that link here, once for each link.
  private func inverse(_ row: Row, _ property: QueryFixture.Property) -> [Value] {
    (rows[property.type] ?? []).flatMap { other in
      field(other, KeyPathNode.Component(property.origin)).compactMap { value -> Value? in
        if case .row(let target) = value, target === row { return .row(other) }
        return nil
      }
    }
  }

  private static func hasNull(_ property: QueryFixture.Property) -> Bool {
    property.isOptional || !isScalar(property.type)
  }

  private func value(_ json: JSONValue, _ type: String) -> Value {
    if case .null = json { return .null }
    if Self.isScalar(type) { return .scalar(json, type: type) }
    if case .string(let label) = json, let row = rows[type]?.first(where: { $0.label == label }) { return .row(row) }
    if case .object(let fields) = json { return .row(Row(type, "", fields)) }
    return .null
  }

  private static func isScalar(_ type: String) -> Bool { type.first?.isLowercase ?? false }

  private static func zero(_ type: String) -> JSONValue {
    switch type {
    case "bool": .bool(false)
    case "string", "data": .string("")
    case "decimal128": .string("0")
    case "uuid": .string("00000000-0000-0000-0000-000000000000")
    case "objectId": .string(String(repeating: "0", count: 24))
    default: .int(0)
    }
  }

  private func aggregate(_ aggregate: AggregateOperator, _ values: [Value]) -> Value {
    if aggregate == .count { return .scalar(.int(Int64(values.count)), type: "int") }
    let present = values.filter { value in
      switch NaiveComparison.comparable(value) {
      case .null: false
      case .number(let number): !number.isNaN
      case .decimal(let text): text != "NaN"
      default: true
      }
    }
    let ordered = present.sorted {
      NaiveComparison.order(NaiveComparison.comparable($0), NaiveComparison.comparable($1)) < 0
    }
    switch aggregate {
    case .min: return ordered.first ?? .null
    case .max: return ordered.last ?? .null
    case .sum: return sum(present)
    default:
      let numbers = present.map { NaiveComparison.number($0) }
      return numbers.isEmpty ? .null : .scalar(.double(numbers.reduce(0, +) / Double(numbers.count)), type: "double")
    }
  }

  private func sum(_ values: [Value]) -> Value {
    let whole = values.compactMap { value -> Int64? in
      if case .whole(let number) = NaiveComparison.comparable(value) { number } else { nil }
    }
    if !whole.isEmpty { return .scalar(.int(whole.reduce(0, &+)), type: "int") }
    return .scalar(.double(values.reduce(0) { $0 + NaiveComparison.number($1) }), type: "double")
  }

  // MARK: - Order

  private func sortValue(_ row: Row, _ path: String) -> (linkIsNil: Bool, value: NaiveComparison.Comparable) {
    if let node = try? KeyPathParser.parse(path),
      node.aggregate != nil || !(node.components.last?.subscripts ?? []).isEmpty
    {
      return (false, NaiveComparison.comparable(values(.keyPath(node), row, isToMany: false).first ?? .null))
    }
    let names = path.split(separator: ".").map(String.init)
    var current: Value = .row(row)
    for name in names {
      guard case .row(let owner) = current else { return (true, .null) }
      current = field(owner, KeyPathNode.Component(name)).first ?? .null
    }
    return (false, NaiveComparison.comparable(current))
  }

  private func sorted(_ rows: [Row], _ paths: [String]) -> [Row] {
    rows.enumerated().sorted { a, b in
      for path in paths {
        let isDescending = path.hasPrefix("-")
        let name = isDescending ? String(path.dropFirst()) : path
        let (left, right) = (sortValue(a.element, name), sortValue(b.element, name))
        let order =
          left.linkIsNil || right.linkIsNil
          ? (left.linkIsNil == right.linkIsNil ? 0 : (left.linkIsNil ? 1 : -1))
          : NaiveComparison.order(left.value, right.value)
        if order != 0 { return isDescending ? order > 0 : order < 0 }
      }
      return a.offset < b.offset
    }.map(\.element)
  }

  private func distinct(_ rows: [Row], _ paths: [String]) -> [Row] {
    var kept: [Row] = []
    for row in rows {
      let values = paths.map { sortValue(row, $0) }
      if values.contains(where: \.linkIsNil) { continue }
      let isKnown = kept.contains { other in
        zip(paths, values).allSatisfy { NaiveComparison.order(sortValue(other, $0).value, $1.value) == 0 }
      }
      if !isKnown { kept.append(row) }
    }
    return kept
  }
}
