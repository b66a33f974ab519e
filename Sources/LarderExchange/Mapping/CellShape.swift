import LarderStorage

/// The kind of a value that is read in place, in the terms of `FieldShape`.
enum CellShape {
  case null
  case kind(FieldShape.Kind)
  /// Only `FieldShape` can tell.
  case unclear

  @inline(__always)
  init(_ cell: FlatCell, _ bytes: TextBytes, _ forms: FlatForms) {
    switch cell.kind {
    case .absent, .null: self = .null
    case .yes, .no: self = .kind(.bool)
    case .integer:
      guard let value = NumberText.integer(bytes, cell.range) else {
        self = .unclear
        return
      }
      self = .kind(FieldShape.kind(of: value))
    case .number: self = cell.range.count > FieldShape.decimalLength ? .unclear : .kind(.double)
    case .string: self = forms.isNull(bytes, cell.range) ? .null : .kind(.string)
    case .text:
      self = cell.start == cell.end || forms.isNull(bytes, cell.range) ? .null : Self.ofText(bytes, cell.range, forms)
    }
  }

  private static let zero = UInt8(ascii: "0")
  private static let minus = UInt8(ascii: "-")

  /// Returns the shape that `FieldShape` gives a text without a type.
  private static func ofText(_ bytes: TextBytes, _ all: Range<Int>, _ forms: FlatForms) -> CellShape {
    let range = bytes.trimmed(all)
    guard !range.isEmpty else { return .kind(.string) }
    let first = bytes[range.lowerBound]
    switch first | 0x20 {
    case UInt8(ascii: "t"), UInt8(ascii: "f"): if TruthText.inferred(bytes, range) != nil { return .kind(.bool) }
    case UInt8(ascii: "n"), UInt8(ascii: "i"): if SpecialNumberText.isOne(bytes, range) { return .kind(.special) }
    default: break
    }
    guard first == minus || first &- zero < 10 || first == UInt8(ascii: ".") else {
      return .kind(forms.isWordyDate(bytes, range) ? .date : .string)
    }
    let digits = first == minus ? range.lowerBound &+ 1..<range.upperBound : range
    guard digits.count > 0, bytes[digits.lowerBound] &- zero < 10 else { return .unclear }
    if digits.count == 1 || bytes[digits.lowerBound] != zero, let value = NumberText.integer(bytes, range) {
      return .kind(FieldShape.kind(of: value))
    }
    if digits.count > 1, bytes[digits.lowerBound] == zero, bytes[digits.lowerBound &+ 1] != forms.point {
      // A code such as 007: no number.
      return forms.date(bytes, range) == nil ? .kind(.string) : .kind(.date)
    }
    if range.count < 30,
      NumberText.decimal(bytes, range, point: forms.point).map({ !$0.isWhole && abs($0.exponent) < 200 }) == true
    {
      return .kind(.double)
    }
    let mayBeDate = forms.hasPattern || (range.count >= 10 && bytes[range.lowerBound &+ 4] == minus)
    return mayBeDate && forms.date(bytes, range) != nil ? .kind(.date) : .unclear
  }
}

/// The forms of values as bytes, for comparison in place.
struct FlatForms {
  private let markers: [ContiguousArray<UInt8>]
  /// The byte before the decimals of numbers without a type.
  let point: UInt8
  private let pattern: DatePattern?

  /// Nil where not all markers can be compared byte by byte: equal texts may have other bytes.
  init?(_ forms: TextForms) {
    markers = forms.nullMarkers.map { ContiguousArray($0.utf8) }
    point = UInt8(ascii: forms.hasDecimalComma ? "," : ".")
    pattern = forms.datePattern
    guard markers.allSatisfy({ $0.allSatisfy { $0 < 0x80 } }) else { return nil }
  }

  /// True if a text means no value.
  @inline(__always)
  func isNull(_ bytes: TextBytes, _ range: Range<Int>) -> Bool {
    markers.isEmpty ? false : search(bytes, range)
  }

  @inline(never)
  private func search(_ bytes: TextBytes, _ range: Range<Int>) -> Bool { markers.contains { bytes.equals($0, range) } }

  /// The instant that a text means, in the form that was given or the usual one.
  @inline(__always)
  func date(_ bytes: TextBytes, _ range: Range<Int>) -> Timestamp? {
    pattern.flatMap { $0.parse(bytes, range) } ?? DateText.parse(bytes, range)
  }

  /// True if a text that begins with no digit is a date.
  @inline(__always)
  func isWordyDate(_ bytes: TextBytes, _ range: Range<Int>) -> Bool { pattern?.parse(bytes, range) != nil }

  /// True if dates may have another form than the usual one.
  var hasPattern: Bool { pattern != nil }
}
