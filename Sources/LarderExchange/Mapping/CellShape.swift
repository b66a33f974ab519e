/// What a value that is read in place is, in the terms of `FieldShape`.
enum CellShape {
  case null
  case kind(FieldShape.Kind)
  /// Only `FieldShape` can tell.
  case unclear

  @inline(__always)
  init(_ cell: FlatCell, _ bytes: TextBytes, _ markers: FlatMarkers) {
    switch cell.kind {
    case .absent, .null: self = .null
    case .yes, .no: self = .kind(.bool)
    case .integer:
      guard let value = NumberText.integer(bytes, cell.range) else {
        self = .unclear
        return
      }
      self = .kind(value.magnitude > 1 << 53 ? .long : .integer)
    case .number: self = .kind(.double)
    case .string: self = markers.contains(bytes, cell.range) ? .null : .kind(.string)
    case .text:
      self = cell.start == cell.end || markers.contains(bytes, cell.range) ? .null : Self.ofText(bytes, cell.range)
    }
  }

  private static let zero = UInt8(ascii: "0")
  private static let minus = UInt8(ascii: "-")
  static let yes = ContiguousArray("true".utf8)
  static let no = ContiguousArray("false".utf8)

  /// As `FieldShape` tells what a text without a type is.
  private static func ofText(_ bytes: TextBytes, _ range: Range<Int>) -> CellShape {
    let first = bytes[range.lowerBound]
    if first == UInt8(ascii: "t"), bytes.equals(yes, range) { return .kind(.bool) }
    if first == UInt8(ascii: "f"), bytes.equals(no, range) { return .kind(.bool) }
    guard first == minus || first &- zero < 10 || first == UInt8(ascii: ".") else { return .kind(.string) }
    let digits = first == minus ? range.lowerBound &+ 1..<range.upperBound : range
    guard digits.count > 0, bytes[digits.lowerBound] &- zero < 10 else { return .unclear }
    if digits.count == 1 || bytes[digits.lowerBound] != zero, let value = NumberText.integer(bytes, range) {
      return .kind(value.magnitude > 1 << 53 ? .long : .integer)
    }
    if digits.count > 1, bytes[digits.lowerBound] == zero, bytes[digits.lowerBound &+ 1] != UInt8(ascii: ".") {
      // A code such as 007: no number.
      return DateText.parse(bytes, range) == nil ? .kind(.string) : .kind(.date)
    }
    if range.count < 30, NumberText.decimal(bytes, range).map({ !$0.isWhole && abs($0.exponent) < 200 }) == true {
      return .kind(.double)
    }
    return range.count >= 10 && bytes[range.lowerBound &+ 4] == minus && DateText.parse(bytes, range) != nil
      ? .kind(.date) : .unclear
  }
}

/// Texts that mean "no value", compared in place.
struct FlatMarkers {
  private let texts: [ContiguousArray<UInt8>]

  /// Nil where not all can be compared byte by byte: equal texts may have other bytes.
  init?(_ markers: Set<String>) {
    texts = markers.map { ContiguousArray($0.utf8) }
    guard texts.allSatisfy({ $0.allSatisfy { $0 < 0x80 } }) else { return nil }
  }

  @inline(__always)
  func contains(_ bytes: TextBytes, _ range: Range<Int>) -> Bool {
    texts.isEmpty ? false : search(bytes, range)
  }

  @inline(never)
  private func search(_ bytes: TextBytes, _ range: Range<Int>) -> Bool { texts.contains { bytes.equals($0, range) } }
}
