import LarderStorage

/// ObjectIds as 24 hexadecimal digits and back.
enum ObjectIdText {
  /// The value of exactly 24 hexadecimal digits, else nil.
  package static func parse(_ text: String) -> ObjectIdBytes? {
    guard text.utf8.count == 24, text.allSatisfy(\.isHexDigit) else { return nil }
    guard let high = UInt64(text.prefix(16), radix: 16), let low = UInt32(text.suffix(8), radix: 16) else { return nil }
    return ObjectIdBytes(high: high, low: low)
  }

  /// The value as 24 lower-case digits.
  package static func format(_ value: ObjectIdBytes) -> String {
    let high = String(value.high, radix: 16)
    let low = String(value.low, radix: 16)
    return String(repeating: "0", count: 16 - high.count) + high + String(repeating: "0", count: 8 - low.count) + low
  }
}
