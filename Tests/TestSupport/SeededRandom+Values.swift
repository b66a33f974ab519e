import Foundation
import LarderStorage

/// Values of every type from the whole range of the type, its special values more often than chance has it.
extension SeededRandom {
  /// The types of values that are no links.
  package static let valueTypes: [ColumnType] = [
    .bool, .int, .float, .double, .string, .data, .date, .uuid, .objectId, .decimal128,
  ]

  /// A value that a property of a type can hold; of any type: nested up to `depth` levels.
  package mutating func value(_ type: ColumnType, depth: Int = 3) -> StoredValue {
    switch type {
    case .bool: return .bool(oneIn(2))
    case .int: return .int(anyInt64())
    case .float:
      let special: [Float] = [
        0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1,
      ]
      return .float(oneIn(3) ? pick(special) : Float(bitPattern: UInt32(truncatingIfNeeded: next()) & 0xFFBF_FFFF))
    case .double:
      let special: [Double] = [
        0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1,
        9_007_199_254_740_991,
      ]
      return .double(oneIn(3) ? pick(special) : Double(bitPattern: next()))
    case .string: return .string(anyText())
    case .data: return .data(Data(bytes(count: oneIn(20) ? int(4_000...20_000) : int(0...80))))
    case .date: return .date(Timestamp(anyDate()))
    case .uuid:
      let digits = String(next() | 1 << 63, radix: 16) + String(next() | 1 << 63, radix: 16)
      let places = [8, 13, 18, 23]
      var text = ""
      for digit in digits { text += places.contains(text.count) ? "-\(digit)" : "\(digit)" }
      return UUID(uuidString: text).map { .uuid($0) } ?? .null
    case .objectId: return .objectId(ObjectIdBytes(high: next(), low: UInt32(truncatingIfNeeded: next())))
    case .decimal128: return .decimal128(anyDecimal())
    case .mixed, .link: return mixedValue(depth)
    }
  }

  /// A date from the whole range in which nanoseconds tell dates apart, or a whole nanosecond near Foundation's reference date.
  package mutating func anyDate() -> Date {
    switch int(0...5) {
    case 0: return pick([.distantPast, .distantFuture, Date(timeIntervalSince1970: 0), Date()])
    case 1:
      return Date(
        timeIntervalSinceReferenceDate: Double(int(-8_388_000_000_000_000...8_388_000_000_000_000) >> int(0...52)) / 1e9
      )
    case 2: return Date(timeIntervalSinceReferenceDate: Double.random(in: 5e8...1.5e9, using: &self))
    default:
      let bits = UInt64.random(in: Double(1 << 23).bitPattern...9.2e18.bitPattern, using: &self)
      return Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits) * (oneIn(2) ? 1 : -1))
    }
  }

  /// A text of any script: letters, marks that combine, emoji of several scalars, NUL, private and unassigned ones.
  package mutating func anyText() -> String {
    let pieces = [
      "\0", "e\u{301}", "\u{e9}", "\u{1112}\u{1161}\u{11ab}", "\u{d55c}", "👩‍👩‍👧‍👦", "🇩🇪", "👍🏽", "\u{202e}", "\u{feff}", "ﷺ",
      "ſ", "İ", "ß",
      "\"'\\", "\r\n", "\u{2028}", "a", " ", "%@", "$0.k", "क्षि", "ไทย", "עברית", "\u{10fffd}", "\u{fffe}", "𝒳",
    ]
    var text = ""
    for _ in 0..<(oneIn(8) ? 0 : oneIn(25) ? int(500...3_000) : int(1...12)) {
      if oneIn(2) {
        text += pick(pieces)
      } else {
        let scalar = UInt32(int(0...(oneIn(3) ? 0x10_FFFF : oneIn(2) ? 0xFFFF : 0x24F)))
        text.unicodeScalars.append(Unicode.Scalar(scalar) ?? "\u{fffd}")
      }
    }
    return text
  }

  private mutating func anyDecimal() -> Decimal128Bits {
    if oneIn(4) {
      let special = [
        "NaN", "Infinity", "-Infinity", "0", "-0", "0E-6176", "1E-6176", "9.999999999999999999999999999999999E+6144",
        "1.50",
      ]
      return DecimalNumber(pick(special))?.bits ?? .zero
    }
    let digits = (0..<int(1...34)).map { _ in "\(int(0...9))" }.joined()
    let exponent = oneIn(2) ? int(-40...10) : int(-6_176...6_111)
    return DecimalNumber("\(oneIn(2) ? "-" : "")\(digits)E\(exponent)")?.bits ?? .zero
  }

  private mutating func mixedValue(_ depth: Int) -> StoredValue {
    guard depth > 0, oneIn(3) else { return oneIn(8) ? .null : value(pick(Self.valueTypes)) }
    let inner = (0..<int(0...4)).map { _ in mixedValue(depth - 1) }
    if oneIn(2) { return .list(StoredList(inner)) }
    return .dictionary(
      StoredDictionary(inner.enumerated().map { (key: "\($0.offset)" + anyText(), value: $0.element) }))
  }
}

extension StoredValue {
  /// True if both are the same to the bit, and to the byte; one NaN is as good as another.
  package func isSame(as other: StoredValue) -> Bool {
    switch (self, other) {
    case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern || (a.isNaN && b.isNaN)
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern || (a.isNaN && b.isNaN)
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    case (.decimal128(let a), .decimal128(let b)): a == b
    case (.list(let a), .list(let b)):
      a.elements.count == b.elements.count && zip(a.elements, b.elements).allSatisfy { $0.isSame(as: $1) }
    case (.dictionary(let a), .dictionary(let b)):
      a.count == b.count
        && zip(a, b).allSatisfy { $0.key.utf8.elementsEqual($1.key.utf8) && $0.value.isSame(as: $1.value) }
    default: self == other
    }
  }
}
