/// A value of a queryable property, as far as the database needs to tell values apart.
///
/// It is kept as text of one letter for the type and a form in which texts are ordered as the values are, so that every database
/// compares values alike and exactly, whatever its own numbers are.
public enum QueryValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case string(String)
  case date(seconds: Int64, nanoseconds: UInt32)
  /// Bytes of a fixed length: an ObjectId or a UUID.
  case identifier([UInt8])

  /// The ordered text; nil for null, and for values that cannot be compared so (not a number, text with U+0000).
  var text: String? {
    switch self {
    case .null: return nil
    case .bool(let value): return value ? "b1" : "b0"
    case .int(let value): return "i" + Hexadecimal.text(QueryValue.ordered(value))
    case .double(let value):
      guard !value.isNaN else { return nil }
      let bits = (value == 0 ? 0.0 : value).bitPattern
      return "d" + Hexadecimal.text(bits >> 63 == 0 ? bits | 1 << 63 : ~bits)
    case .string(let value): return value.utf8.contains(0) ? nil : "s" + value
    case .date(let seconds, let nanoseconds):
      return "t" + Hexadecimal.text(QueryValue.ordered(seconds)) + Hexadecimal.text(UInt64(nanoseconds))
    case .identifier(let bytes): return "x" + Hexadecimal.text(bytes)
    }
  }

  private static func ordered(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ 1 << 63 }
}

/// The queryable properties of an object, by name.
public struct QueryFields: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  public private(set) var values: [String: QueryValue]

  public init(dictionaryLiteral elements: (String, QueryValue)...) {
    values = Dictionary(elements) { $1 }
  }

  public init(_ values: [String: QueryValue]) { self.values = values }

  /// Returns true if databases take the name in a path without escapes: letters, digits and `_`, and no digit at its beginning.
  static func isUsable(_ name: String) -> Bool {
    // Nearly all names are of these, and are seen with every object that is written.
    let isPlain = name.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
      default: false
      }
    }
    if isPlain, !name.isEmpty { return true }
    guard let first = name.unicodeScalars.first, !("0"..."9").contains(first) else { return false }
    return name.unicodeScalars.allSatisfy {
      $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil
    }
  }

  /// The object of JSON that a row keeps. What has no comparable form is left out: a filter then lets the object pass.
  var json: String {
    var pieces: [String] = []
    for (name, value) in values.sorted(by: { $0.key < $1.key }) where QueryFields.isUsable(name) {
      if value == .null {
        pieces.append("\(JSONText.quoted(name)):null")
      } else if let text = value.text {
        pieces.append("\(JSONText.quoted(name)):\(JSONText.quoted(text))")
      }
    }
    return "{\(pieces.joined(separator: ","))}"
  }
}

/// Strings of JSON.
enum JSONText {
  static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { $0 >= 32 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    if isPlain { return "\"\(text)\"" }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 32: result += "\\u00" + Hexadecimal.text([UInt8(scalar.value)])
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
