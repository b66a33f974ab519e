import Foundation
import LarderStorage

@testable import LarderQuery

/// Compares fixture values as the language says, in the plainest way.
enum NaiveComparison {
  enum Comparable {
    case null
    case bool(Bool)
    case number(Double)
    case whole(Int64)
    case decimal(String)
    /// Text and data alike.
    case text([UInt8])
    case date(Int64, Int)
    case identifier(String)
  }

  // MARK: - Reading

  static func comparable(_ value: NaiveEvaluator.Value) -> Comparable {
    guard case .scalar(let json, let type) = value else { return .null }
    switch (type, json) {
    case (_, .null): return .null
    case ("bool", .bool(let value)): return .bool(value)
    case ("int", .int(let value)): return .whole(value)
    case ("float", .int(let value)): return .number(Double(Float(value)))
    case ("float", .double(let value)): return .number(Double(Float(value)))
    case (_, .int(let value)) where type == "date": return .date(value, 0)
    case (_, .double(let value)) where type == "date":
      return .date(Int64(value.rounded(.down)), Int(((value - value.rounded(.down)) * 1e9).rounded()))
    case (_, .int(let value)): return .number(Double(value))
    case (_, .double(let value)): return .number(value)
    case ("decimal128", .string(let text)): return .decimal(text)
    case ("uuid", .string(let text)), ("objectId", .string(let text)): return .identifier(text.lowercased())
    case (_, .string(let text)): return .text(Array(text.utf8))
    case (_, .object(let tagged)):
      guard let (tag, json) = tagged.first, case .string(let text) = json else { return .null }
      if tag == "$date" {
        let parts = text.split(separator: ":")
        return .date(Int64(parts[0]) ?? 0, Int(parts[1]) ?? 0)
      }
      if tag == "$repeat" { return .text(Array(String(repeating: text, count: 2000).utf8)) }
      return .number(type == "float" ? Double(Float(text) ?? 0) : Double(text) ?? 0)
    default: return .null
    }
  }

  static func comparable(_ argument: PredicateArgument, type: String) -> Comparable {
    guard case .value(let value) = argument else { return .null }
    switch value {
    case .null, .link, .object, .list, .dictionary: return .null
    case .bool(let flag): return type == "int" ? .whole(flag ? 1 : 0) : .bool(flag)
    case .int(let number):
      switch type {
      case "bool": return .bool(number == 1)
      case "decimal128": return .decimal("\(number)")
      case "float": return .number(Double(Float(number)))
      case "double": return .number(Double(number))
      default: return .whole(number)
      }
    case .float(let number): return .number(Double(number))
    case .double(let number):
      if type == "decimal128" { return .decimal("\(number)") }
      return .number(type == "float" ? Double(Float(number)) : number)
    case .string(let text):
      switch type {
      case "uuid", "objectId": return .identifier(text.lowercased())
      case "decimal128": return .decimal(text)
      default: return .text(Array(text.utf8))
      }
    case .data(let bytes): return .text(Array(bytes))
    case .date(let time): return .date(time.seconds, Int(time.nanoseconds))
    case .uuid(let id): return .identifier(id.uuidString.lowercased())
    case .objectId(let id): return .identifier(hex(id))
    case .decimal128(let bits): return .decimal(text(bits))
    }
  }

  /// Returns the value that a constant has in the type of the other side.
  static func converted(_ constant: NaiveEvaluator.Value, beside value: NaiveEvaluator.Value) -> Comparable {
    guard case .scalar(_, let type) = value else { return comparable(constant) }
    switch (comparable(constant), type) {
    case (.whole(let number), "double"): return .number(Double(number))
    case (.whole(let number), "float"): return .number(Double(Float(number)))
    case (.number(let number), "float"): return .number(Double(Float(number)))
    default: return comparable(constant)
    }
  }

  private static func hex(_ id: ObjectIdBytes) -> String {
    let (high, low) = (String(id.high, radix: 16), String(id.low, radix: 16))
    return String(repeating: "0", count: 16 - high.count) + high + String(repeating: "0", count: 8 - low.count) + low
  }

  private static func text(_ bits: Decimal128Bits) -> String {
    let text = DecimalNumber(bits).description
    return text.hasSuffix("Infinity") ? text.replacingOccurrences(of: "inity", with: "") : text
  }

  /// A number as a double; zero for anything else.
  static func number(_ value: NaiveEvaluator.Value) -> Double {
    switch comparable(value) {
    case .whole(let number): Double(number)
    case .number(let number): number
    case .decimal(let text): decimal(text)
    default: 0
    }
  }

  // MARK: - Comparing

  static func holds(_ a: Comparable, _ operation: ComparisonOperator, _ options: TextOptions, _ b: Comparable) -> Bool {
    switch (a, b) {
    case (.null, .null): return [.equal, .lessOrEqual, .greaterOrEqual, .like].contains(operation)
    case (.null, _), (_, .null): return operation == .notEqual
    case (.text(let left), .text(let right)) where operation.isTextual || !options.isEmpty:
      return text(scalars(left, options), operation, scalars(right, options))
    default: break
    }
    if isNaN(a) || isNaN(b) || kind(a) != kind(b) { return operation == .notEqual }
    let order = order(a, b)
    switch operation {
    case .equal: return order == 0
    case .notEqual: return order != 0
    case .less: return order < 0
    case .lessOrEqual: return order <= 0
    case .greater: return order > 0
    case .greaterOrEqual: return order >= 0
    default: return false
    }
  }

  /// A number for what compares with each other.
  private static func kind(_ value: Comparable) -> Int {
    switch value {
    case .null: 0
    case .bool: 1
    case .number, .whole, .decimal: 2
    case .text: 3
    case .date: 4
    case .identifier: 5
    }
  }

  private static func isNaN(_ value: Comparable) -> Bool {
    switch value {
    case .number(let number): number.isNaN
    case .decimal(let text): text == "NaN"
    default: false
    }
  }

  static func order(_ a: Comparable, _ b: Comparable) -> Int {
    switch (a, b) {
    case (.null, .null): 0
    case (.null, _): -1
    case (_, .null): 1
    case (.bool(let a), .bool(let b)): (a ? 1 : 0) - (b ? 1 : 0)
    case (.whole(let a), .whole(let b)): a < b ? -1 : (a > b ? 1 : 0)
    case (.whole(let a), .number(let b)): order(a, b)
    case (.number(let a), .whole(let b)): -order(b, a)
    case (.number(let a), .number(let b)):
      a.isNaN || b.isNaN ? (b.isNaN ? 1 : 0) - (a.isNaN ? 1 : 0) : (a < b ? -1 : (a > b ? 1 : 0))
    case (.decimal(let a), .whole(let b)): order(.number(decimal(a)), .number(Double(b)))
    case (.decimal(let a), .number(let b)): order(.number(decimal(a)), .number(b))
    case (.whole(let a), .decimal(let b)): order(.number(Double(a)), .number(decimal(b)))
    case (.number(let a), .decimal(let b)): order(.number(a), .number(decimal(b)))
    case (.decimal(let a), .decimal(let b)): order(.number(decimal(a)), .number(decimal(b)))
    case (.text(let a), .text(let b)): a.lexicographicallyPrecedes(b) ? -1 : (a == b ? 0 : 1)
    case (.date(let a, let c), .date(let b, let d)): a != b ? (a < b ? -1 : 1) : c - d
    case (.identifier(let a), .identifier(let b)): a < b ? -1 : (a > b ? 1 : 0)
    default: 0
    }
  }

  /// Exactly: not every whole number is a double.
  private static func order(_ a: Int64, _ b: Double) -> Int {
    if b.isNaN { return 1 }
    if b >= 0x1p63 { return -1 }
    if b < -0x1p63 { return 1 }
    let whole = Int64(b.rounded(.down))
    return a != whole ? (a < whole ? -1 : 1) : (Double(whole) < b ? -1 : 0)
  }

  /// Fixture decimals are few and short: a Double tells them apart.
  private static func decimal(_ text: String) -> Double { Double(text) ?? .nan }

  // MARK: - Text

  private static func scalars(_ bytes: [UInt8], _ options: TextOptions) -> [Unicode.Scalar] {
    var text = String(decoding: bytes, as: UTF8.self)
    if options.contains(.diacriticInsensitive) {
      text = text.decomposedStringWithCanonicalMapping
    }
    var result: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars {
      if options.contains(.diacriticInsensitive), (0x300...0x36F).contains(scalar.value) { continue }
      result.append(options.contains(.caseInsensitive) ? folded(scalar) : scalar)
    }
    return result
  }

  /// The lower case of the upper case, where each is one scalar: ς and σ are one letter.
  private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let upper = String(scalar).uppercased().unicodeScalars
    let lower = String(upper.count == 1 ? upper.first ?? scalar : scalar).lowercased().unicodeScalars
    return lower.count == 1 ? lower.first ?? scalar : scalar
  }

  private static func text(_ a: [Unicode.Scalar], _ operation: ComparisonOperator, _ b: [Unicode.Scalar]) -> Bool {
    switch operation {
    case .equal: a == b
    case .notEqual: a != b
    case .beginsWith: !b.isEmpty && a.starts(with: b)
    case .endsWith: !b.isEmpty && a.reversed().starts(with: b.reversed())
    case .contains:
      !b.isEmpty && a.indices.contains { a[$0...].starts(with: b) }
    case .like: like(a, b)
    case .text: !words(b).isEmpty && words(b).isSubset(of: words(a))
    default: false
    }
  }

  /// Runs of letters and digits without case: enough for the plain words of the cases.
  private static func words(_ text: [Unicode.Scalar]) -> Set<[Unicode.Scalar]> {
    Set(text.split { !$0.properties.isAlphabetic && $0.properties.numericType == nil }.map { $0.map(folded) })
  }

  /// Without recursion: texts may be longer than the stack of a test is deep.
  private static func like(_ text: [Unicode.Scalar], _ pattern: [Unicode.Scalar]) -> Bool {
    // Whether the pattern so far matches the first 0, 1, 2 … scalars of the text.
    var matches = [true] + text.map { _ in false }
    var rest = pattern[...]
    while let first = rest.popFirst() {
      if first == "*" {
        let least = matches.firstIndex(of: true) ?? matches.count
        matches = matches.indices.map { $0 >= least }
      } else if first == "\\", let next = rest.first, "*?\\".unicodeScalars.contains(next) {
        rest.removeFirst()
        matches = [false] + text.indices.map { matches[$0] && text[$0] == next }
      } else {
        matches = [false] + text.indices.map { matches[$0] && (first == "?" || text[$0] == first) }
      }
    }
    return matches[text.count]
  }
}
