import Foundation
import LarderStorage

/// The request of an index that the comparisons of one column make.
enum IndexRequest {
  /// Distinct values; null among them for the objects without one.
  case equal([StoredValue])
  case range(IndexBound, IndexBound)

  /// nil where an index is of no use: `!=`, LIKE, CONTAINS, options, ranges against nil.
  init?(_ test: ValueTest) {
    guard test.options.isEmpty, Self.isIndexable(test.type), let value = test.first else { return nil }
    if test.operation == .equal || test.operation == .in {
      // NaN equals nothing, and both zeros are one value (Q-130, Q-131).
      let values = (test.operation == .in ? test.values : [value]).lazy
        .filter { !ValueOrder.isNaN($0) }.map { Self.canonical($0) }
      self = .equal(test.values.count == 1 ? Array(values) : Array(Set(values)))
      return
    }
    guard !test.values.contains(.null) else { return nil }
    let (least, most) = Self.extremes(test.type)
    switch test.operation {
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between:
      if test.values.contains(where: { ValueOrder.isNaN($0) }) {
        self = .equal([])
        return
      }
    default: break
    }
    switch test.operation {
    case .less: self = .range(least, .exclusive(value))
    case .lessOrEqual: self = .range(least, .inclusive(value))
    case .greater: self = .range(.exclusive(value), most)
    case .greaterOrEqual: self = .range(.inclusive(value), most)
    case .between where test.values.count == 2:
      self = .range(.inclusive(value), .inclusive(test.values[1]))
    case .beginsWith:
      guard let end = Self.successor(value) else { return nil }
      self = .range(.inclusive(value), .exclusive(end))
    default: return nil
    }
  }

  /// Returns what all of a column's tests ask together, and the positions of those that are answered by it.
  static func combined(
    _ tests: [(position: Int, test: ValueTest)]
  ) -> (request: IndexRequest, answers: [Int])? {
    var ranges: (request: IndexRequest, answers: [Int])?
    for (position, test) in tests {
      switch IndexRequest(test) {
      case nil: continue
      case .equal(let values)?:
        // Every other test can be evaluated for the few values at once.
        let others = tests.filter { $0.position != position }
        let wanted = others.isEmpty ? values : values.filter { value in others.allSatisfy { $0.test.matches(value) } }
        return (.equal(wanted), tests.map(\.position))
      case .range(let lower, let upper)?:
        guard case .range(let low, let high)? = ranges?.request else {
          ranges = (.range(lower, upper), [position])
          continue
        }
        ranges = (
          .range(stricter(low, lower, isLower: true), stricter(high, upper, isLower: false)),
          (ranges?.answers ?? []) + [position]
        )
      }
    }
    guard case .range(let lower, let upper)? = ranges?.request, let answers = ranges?.answers else { return nil }
    return (isEmpty(lower, upper) ? .equal([]) : .range(lower, upper), answers)
  }

  private static func value(_ bound: IndexBound) -> StoredValue? {
    switch bound {
    case .unbounded: nil
    case .inclusive(let value), .exclusive(let value): value
    }
  }

  private static func stricter(_ a: IndexBound, _ b: IndexBound, isLower: Bool) -> IndexBound {
    guard let first = value(a) else { return b }
    guard let second = value(b) else { return a }
    let order = ValueOrder.compare(first, second)
    if order == 0 { if case .exclusive = a { return a } else { return b } }
    return (order > 0) == isLower ? a : b
  }

  private static func isEmpty(_ lower: IndexBound, _ upper: IndexBound) -> Bool {
    guard let low = value(lower), let high = value(upper) else { return false }
    let order = ValueOrder.compare(low, high)
    if order != 0 { return order > 0 }
    if case .inclusive = lower, case .inclusive = upper { return false }
    return true
  }

  static func isIndexable(_ type: ColumnType) -> Bool {
    switch type {
    case .bool, .int, .float, .double, .string, .data, .date, .uuid, .objectId: true
    case .decimal128, .mixed, .link: false
    }
  }

  /// In an index NaN is after infinity; no comparison accepts it.
  private static func extremes(_ type: ColumnType) -> (least: IndexBound, most: IndexBound) {
    switch type {
    case .float: (.unbounded, .inclusive(.float(.infinity)))
    case .double: (.unbounded, .inclusive(.double(.infinity)))
    default: (.unbounded, .unbounded)
    }
  }

  private static func canonical(_ value: StoredValue) -> StoredValue {
    switch value {
    case .float(let number): .float(number == 0 ? 0 : number)
    case .double(let number): .double(number == 0 ? 0 : number)
    default: value
    }
  }

  /// The smallest value above all that begin with the prefix; nil where there is none.
  private static func successor(_ prefix: StoredValue) -> StoredValue? {
    switch prefix {
    case .string(let text):
      guard let last = text.unicodeScalars.last else { return nil }
      let next: UInt32 = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { return nil }
      var scalars = text.unicodeScalars
      scalars.removeLast()
      scalars.append(scalar)
      return .string(String(scalars))
    case .data(let bytes):
      guard let last = bytes.last, last < .max else { return nil }
      return .data(Data(bytes.dropLast()) + [last + 1])
    default: return nil
    }
  }

  /// Returns true if the index can answer it: that of an encrypted store knows equal values only.
  func isAnswered(by index: any IndexReading) -> Bool {
    if case .range = self { index.isOrdered } else { true }
  }

  /// The text that explanations write after the name of the property.
  var text: String {
    switch self {
    case .equal(let values):
      values.count == 1 ? "== \(values[0].shortDescription)" : "IN \(values.count) values"
    case .range(.unbounded, let upper): Self.text(upper, "<")
    case .range(let lower, .unbounded): Self.text(lower, ">")
    case .range(let lower, let upper): "\(Self.text(lower, ">")) and \(Self.text(upper, "<"))"
    }
  }

  private static func text(_ bound: IndexBound, _ sign: String) -> String {
    switch bound {
    case .unbounded: "anything"
    case .inclusive(let value): "\(sign)= \(value.shortDescription)"
    case .exclusive(let value): "\(sign) \(value.shortDescription)"
    }
  }
}
