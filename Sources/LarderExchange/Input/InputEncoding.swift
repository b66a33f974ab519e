/// The encoding of a file's characters as bytes.
package enum InputEncoding: String, CaseIterable, Sendable {
  case utf8 = "utf-8"
  case latin1 = "latin-1"
  case windows1252 = "windows-1252"
  /// By the mark at the beginning, and without one with the lower byte first.
  case utf16 = "utf-16"
  case utf16le = "utf-16le"
  case utf16be = "utf-16be"

  /// By its name, in any of the usual spellings.
  package init?(name: String) {
    let key = name.lowercased().filter { $0.isLetter || $0.isNumber }
    switch key {
    case "utf8": self = .utf8
    case "latin1", "iso88591": self = .latin1
    case "windows1252", "cp1252": self = .windows1252
    case "utf16": self = .utf16
    case "utf16le": self = .utf16le
    case "utf16be": self = .utf16be
    default: return nil
    }
  }
}

/// Turns the bytes of a file into UTF-8, piece by piece.
struct Transcoder {
  private enum Form { case undecided, plain, table, units(isBigEndian: Bool) }

  private var form: Form
  private let isWindows: Bool
  /// Bytes of a unit, and the first of two units, that the last piece ended in.
  private var rest: [UInt8] = []
  private var lead: UInt16?
  private var isFirst = true
  /// Written for what is no character: no text in UTF-8 has it, so that readers report its place.
  private static let invalid: UInt8 = 0xFF
  private static let mark: UInt16 = 0xFEFF

  /// - Parameter encoding: Nil: UTF-16 where a mark says so, else UTF-8.
  init(_ encoding: InputEncoding?) {
    isWindows = encoding == .windows1252
    form =
      switch encoding {
      case nil, .utf16: .undecided
      case .utf8: .plain
      case .latin1, .windows1252: .table
      case .utf16le: .units(isBigEndian: false)
      case .utf16be: .units(isBigEndian: true)
      }
    expectsUnits = encoding == .utf16
  }

  private let expectsUnits: Bool

  /// The text of the next bytes; of an empty piece, which ends the file, what is left.
  mutating func text(of piece: [UInt8]) -> [UInt8] {
    if case .undecided = form { form = Self.decide(piece, expectsUnits) }
    switch form {
    case .undecided, .plain: return piece
    case .table: return table(piece)
    case .units(let isBigEndian): return units(piece, isBigEndian)
    }
  }

  private static func decide(_ piece: [UInt8], _ expectsUnits: Bool) -> Form {
    if piece.starts(with: [0xFF, 0xFE]) { return .units(isBigEndian: false) }
    if piece.starts(with: [0xFE, 0xFF]) { return .units(isBigEndian: true) }
    return expectsUnits ? .units(isBigEndian: false) : .plain
  }

  private func table(_ piece: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(piece.count + piece.count / 8)
    for byte in piece {
      if byte < 0x80 {
        result.append(byte)
      } else {
        let scalar = isWindows && byte < 0xA0 ? Self.windows[Int(byte) - 0x80] : UInt16(byte)
        Self.append(UInt32(scalar), to: &result)
      }
    }
    return result
  }

  private mutating func units(_ piece: [UInt8], _ isBigEndian: Bool) -> [UInt8] {
    let bytes = rest + piece
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for index in stride(from: 0, to: bytes.count - 1, by: 2) {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      append(isBigEndian ? first << 8 | second : second << 8 | first, to: &result)
    }
    rest = Array(bytes.suffix(bytes.count % 2))
    if piece.isEmpty, lead != nil || !rest.isEmpty {
      result.append(Self.invalid)
      (lead, rest) = (nil, [])
    }
    return result
  }

  private mutating func append(_ unit: UInt16, to result: inout [UInt8]) {
    defer { isFirst = false }
    if isFirst, unit == Self.mark { return }
    if let high = lead {
      lead = nil
      if 0xDC00...0xDFFF ~= unit {
        return Self.append(0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00), to: &result)
      }
      result.append(Self.invalid)
    }
    switch unit {
    case 0xD800...0xDBFF: lead = unit
    case 0xDC00...0xDFFF: result.append(Self.invalid)
    default: Self.append(UInt32(unit), to: &result)
    }
  }

  private static func append(_ scalar: UInt32, to result: inout [UInt8]) {
    guard let scalar = Unicode.Scalar(scalar) else { return result.append(invalid) }
    result.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [invalid])
  }

  /// The characters of the bytes 0x80 to 0x9F.
  private static let windows: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D, 0x17D, 0x8F,
    0x90,
    0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E, 0x178,
  ]
}
