import LarderStorage

@testable import LarderQuery

/// Groups over fixture rows, one row and one value at a time.
struct NaiveGroups {
  typealias Value = NaiveComparison.Comparable
  typealias Column = (operation: GroupOperation, operand: OperandNode?)

  let evaluator: NaiveEvaluator

  init(_ evaluator: NaiveEvaluator) { self.evaluator = evaluator }

  /// A column by its title.
  static func column(_ title: String) throws -> Column {
    guard case .aggregate(let operation, let text) = try GroupTerm(title) else { return (.count, nil) }
    return (operation, text.isEmpty ? nil : try PredicateParser.parseOperand(text))
  }

  /// The keys and what is worked out, in the order of the keys.
  func groups(_ rows: [NaiveEvaluator.Row], by keys: [OperandNode], _ columns: [Column]) -> [[Value]] {
    var groups: [(keys: [Value], rows: [NaiveEvaluator.Row])] = keys.isEmpty ? [([], rows)] : []
    if !keys.isEmpty {
      for row in rows {
        let values = keys.map { NaiveComparison.comparable(evaluator.value($0, row)) }
        if let place = groups.firstIndex(where: { Self.areEqual($0.keys, values) }) {
          groups[place].rows.append(row)
        } else {
          groups.append((values, [row]))
        }
      }
    }
    groups.sort { a, b in
      for (left, right) in zip(a.keys, b.keys) {
        let order = NaiveComparison.order(left, right)
        if order != 0 { return order < 0 }
      }
      return false
    }
    return groups.map { group in group.keys + columns.map { self.value($0, group.rows) } }
  }

  private func value(_ column: Column, _ rows: [NaiveEvaluator.Row]) -> Value {
    guard let operand = column.operand else { return .whole(Int64(rows.count)) }
    let values = rows.map { NaiveComparison.comparable(evaluator.value(operand, $0)) }.filter { !Self.isNone($0) }
    switch column.operation {
    case .count: return .whole(Int64(rows.count))
    case .sum: return Self.sum(values)
    case .average: return Self.average(values)
    case .min: return values.min { NaiveComparison.order($0, $1) < 0 } ?? .null
    case .max: return values.max { NaiveComparison.order($0, $1) < 0 } ?? .null
    case .distinct:
      var different: [Value] = []
      for value in values where !different.contains(where: { NaiveComparison.order($0, value) == 0 }) {
        different.append(value)
      }
      return .whole(Int64(different.count))
    case .percentile(let rank): return Self.percentile(values.map(Self.double).sorted(), rank)
    }
  }

  private static func isNone(_ value: Value) -> Bool {
    switch value {
    case .null: true
    case .number(let number): number.isNaN
    default: false
    }
  }

  private static func whole(_ values: [Value]) -> [Int64]? {
    let whole = values.compactMap { if case .whole(let number) = $0 { number } else { nil } }
    return whole.count == values.count ? whole : nil
  }

  private static func double(_ value: Value) -> Double {
    switch value {
    case .whole(let number): Double(number)
    case .number(let number): number
    default: 0
    }
  }

  private static func sum(_ values: [Value]) -> Value {
    if let whole = whole(values) { return .whole(whole.reduce(0, &+)) }
    return .number(values.reduce(0) { $0 + double($1) })
  }

  private static func average(_ values: [Value]) -> Value {
    guard !values.isEmpty else { return .null }
    let count = Double(values.count)
    if let whole = whole(values) { return .number(Double(whole.reduce(Int128(0)) { $0 + Int128($1) }) / count) }
    return .number(values.reduce(0) { $0 + double($1) } / count)
  }

  private static func percentile(_ sorted: [Double], _ rank: Double) -> Value {
    guard !sorted.isEmpty else { return .null }
    let place = rank / 100 * Double(sorted.count - 1)
    let (low, high) = (sorted[Int(place)], sorted[min(Int(place) + 1, sorted.count - 1)])
    let fraction = place - Double(Int(place))
    return .number(low == high || fraction == 0 ? low : low * (1 - fraction) + high * fraction)
  }

  // MARK: - Comparing

  static func areEqual(_ a: [Value], _ b: [Value]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { NaiveComparison.order($0, $1) == 0 }
  }

  static func agree(_ a: [[Value]], _ b: [[Value]]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { areEqual($0, $1) }
  }

  static func comparable(_ value: StoredValue) -> Value {
    value.isNull ? .null : NaiveComparison.comparable(.value(value), type: "")
  }

  /// Returns the type by which a value of a file is to be read.
  static func type(of json: JSONValue) -> String {
    switch json {
    case .int: "int"
    case .bool: "bool"
    case .string: "string"
    default: "double"
    }
  }
}
