import Foundation
import LarderQuery
import LarderStorage

/// A place in sorted results, just after one object: where the next page begins (U-9).
///
/// It holds the object's values of the sort, not the object: it stays good when that changes or goes, and between runs of a
/// program. Its text is fit for URLs. It holds the values readably: do not hand it to anybody who may not see them.
public struct ResultsCursor: Hashable, Sendable, LosslessStringConvertible {
  let position: ResultsPosition
  /// A hash of the class and the order.
  let order: UInt64

  init(_ position: ResultsPosition, order: String) {
    self.position = position
    self.order = Self.hash(order)
  }

  /// FNV-1a: the same in every run.
  static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }

  public var description: String {
    let values = position.values.map { $0.linkIsNil ? "l" : CursorValue.text($0.value) ?? "?" }
    let fields = [String(order, radix: 16), String(position.key.rawValue)] + values
    return fields.map { $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }.joined(separator: ".")
  }

  /// Reads the text of a cursor; nil when it is none.
  public init?(_ description: String) {
    let fields = description.split(separator: ".", omittingEmptySubsequences: false).map {
      String($0).removingPercentEncoding
    }
    guard fields.count >= 2, let order = fields[0].flatMap({ UInt64($0, radix: 16) }),
      let key = fields[1].flatMap({ UInt64($0) })
    else { return nil }
    var values: [SortValue] = []
    for field in fields.dropFirst(2) {
      guard let field else { return nil }
      if field == "l" {
        values.append(SortValue(.null, linkIsNil: true))
      } else if let value = CursorValue.value(field) {
        values.append(SortValue(value))
      } else {
        return nil
      }
    }
    self.order = order
    position = ResultsPosition(values: values, key: ObjectKey(rawValue: key))
  }
}

extension ResultsCursor: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let cursor = ResultsCursor(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "The text is no cursor of results.")
    }
    self = cursor
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// Values of sorts as text: a letter for the type, and the value to the last bit.
private enum CursorValue {
  /// Nil for links, lists and dictionaries within values of any type.
  static func text(_ value: StoredValue) -> String? {
    switch value {
    case .null: "n"
    case .bool(let value): value ? "b1" : "b0"
    case .int(let value): "i\(value)"
    case .float(let value): "f" + String(value.bitPattern, radix: 16)
    case .double(let value): "d" + String(value.bitPattern, radix: 16)
    case .string(let value): "s" + value
    case .data(let value): "x" + value.base64EncodedString()
    case .date(let time): "t\(time.seconds):\(time.nanoseconds)"
    case .uuid(let value): "u" + value.uuidString
    case .objectId(let value): "o" + String(value.high, radix: 16) + ":" + String(value.low, radix: 16)
    case .decimal128(let value): "m" + String(value.high, radix: 16) + ":" + String(value.low, radix: 16)
    case .link, .object, .list, .dictionary: nil
    }
  }

  static func value(_ text: String) -> StoredValue? {
    let rest = String(text.dropFirst())
    switch text.first {
    case "n": return rest.isEmpty ? .null : nil
    case "b": return rest == "1" ? .bool(true) : rest == "0" ? .bool(false) : nil
    case "i": return Int64(rest).map { .int($0) }
    case "f": return UInt32(rest, radix: 16).map { .float(Float(bitPattern: $0)) }
    case "d": return UInt64(rest, radix: 16).map { .double(Double(bitPattern: $0)) }
    case "s": return .string(rest)
    case "x": return Data(base64Encoded: rest).map { .data($0) }
    case "t":
      return pair(rest, { Int64($0) }, { UInt32($0) }).map { .date(Timestamp(seconds: $0, nanoseconds: $1)) }
    case "u": return UUID(uuidString: rest).map { .uuid($0) }
    case "o":
      return pair(rest, { UInt64($0, radix: 16) }, { UInt32($0, radix: 16) })
        .map { .objectId(ObjectIdBytes(high: $0, low: $1)) }
    case "m":
      return pair(rest, { UInt64($0, radix: 16) }, { UInt64($0, radix: 16) })
        .map { .decimal128(Decimal128Bits(high: $0, low: $1)) }
    default: return nil
    }
  }

  private static func pair<A, B>(
    _ text: String, _ first: (Substring) -> A?, _ second: (Substring) -> B?
  ) -> (A, B)? {
    let parts = text.split(separator: ":")
    guard parts.count == 2, let a = first(parts[0]), let b = second(parts[1]) else { return nil }
    return (a, b)
  }
}

extension ResultsCursor {
  /// True if every value of the position can be written down.
  var hasText: Bool { position.values.allSatisfy { $0.linkIsNil || CursorValue.text($0.value) != nil } }
}
