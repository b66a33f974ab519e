/// Numbers read from bytes in place. What is not in the usual form is nil here, and left to the slower and more general readers.
enum NumberText {
  /// A whole number of at most 18 digits with or without a minus.
  @inline(__always)
  static func integer(_ bytes: TextBytes, _ range: Range<Int>) -> Int64? {
    var index = range.lowerBound
    let end = range.upperBound
    guard index < end else { return nil }
    let isNegative = bytes[index] == UInt8(ascii: "-")
    if isNegative { index &+= 1 }
    guard index < end, end &- index <= 18 else { return nil }
    var value: Int64 = 0
    while index < end {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int64(digit)
      index &+= 1
    }
    return isNegative ? 0 &- value : value
  }

  /// The parts of a decimal number.
  struct Decimal {
    var isNegative = false
    /// The digits without the point.
    var digits: UInt64 = 0
    /// The power of ten that the digits are to be multiplied with.
    var exponent = 0
    /// True if there is neither a point nor an exponent.
    var isWhole = true
  }

  /// A number of at most 19 digits, with an exponent or not, in the form of JSON except that zeros may come first.
  static func decimal(_ bytes: TextBytes, _ range: Range<Int>, point: UInt8 = UInt8(ascii: ".")) -> Decimal? {
    var result = Decimal()
    var index = range.lowerBound
    let end = range.upperBound
    guard index < end else { return nil }
    if bytes[index] == UInt8(ascii: "-") {
      result.isNegative = true
      index &+= 1
    }
    let first = index
    var count = digits(bytes, &index, end, &result.digits)
    guard index > first else { return nil }
    if index < end, bytes[index] == point {
      result.isWhole = false
      index &+= 1
      let start = index
      count &+= digits(bytes, &index, end, &result.digits)
      guard index > start else { return nil }
      result.exponent = start &- index
    }
    guard count <= 19 else { return nil }
    guard index < end else { return result }
    guard bytes[index] | 0x20 == UInt8(ascii: "e"),
      let exponent = exponent(bytes, index &+ 1..<end)
    else { return nil }
    result.isWhole = false
    result.exponent &+= exponent
    return result
  }

  /// Reads digits, and says how many there are, without zeros before all others.
  @inline(__always)
  private static func digits(_ bytes: TextBytes, _ index: inout Int, _ end: Int, _ value: inout UInt64) -> Int {
    while value == 0, index < end, bytes[index] == UInt8(ascii: "0") { index &+= 1 }
    let start = index
    while index < end {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      value = value &* 10 &+ UInt64(digit)
      index &+= 1
    }
    return index &- start
  }

  private static func exponent(_ bytes: TextBytes, _ range: Range<Int>) -> Int? {
    var index = range.lowerBound
    guard index < range.upperBound else { return nil }
    let sign = bytes[index]
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { index &+= 1 }
    let first = index
    var value: UInt64 = 0
    _ = digits(bytes, &index, range.upperBound, &value)
    guard index > first, index == range.upperBound, index &- first <= 3 else { return nil }
    return sign == UInt8(ascii: "-") ? -Int(value) : Int(value)
  }

  /// The nearest double of a number in the form of `decimal`; nil also where that is not finite.
  static func double(_ bytes: TextBytes, _ range: Range<Int>, point: UInt8 = UInt8(ascii: ".")) -> Double? {
    guard let decimal = decimal(bytes, range, point: point) else { return nil }
    if let value = DecimalScaling.double(decimal.digits, exponent: decimal.exponent) {
      return decimal.isNegative ? -value : value
    }
    var text = bytes.string(range)
    if point != UInt8(ascii: ".") { text = text.replacing(String(Unicode.Scalar(point)), with: ".") }
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }
}
