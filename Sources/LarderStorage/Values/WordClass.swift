/// The class of a scalar in the breaking of text into words: the classes of UAX #29 that matter between words.
enum WordClass: UInt8 {
  /// Between words.
  case other
  case letter, digit, katakana
  /// A word by itself: ideographs, hiragana, and letters of scripts that are written without spaces.
  case single
  /// Marks and format characters: part of what stands before them.
  case extend
  /// Connector punctuation, as the underscore: joins letters, digits and katakana.
  case connector
  /// Joins two letters: the middle dot.
  case midLetter
  /// Joins two digits: the comma.
  case midNumber
  /// Joins two letters or two digits: the full stop, the apostrophe.
  case midBoth

  init(_ scalar: Unicode.Scalar) {
    self = scalar.isASCII ? Self.ascii(UInt8(truncatingIfNeeded: scalar.value)) : Self.beyondASCII(scalar)
  }

  @inline(__always)
  static func ascii(_ byte: UInt8) -> WordClass {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): .letter
    case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
    case UInt8(ascii: "_"): .connector
    case UInt8(ascii: "."), UInt8(ascii: "'"): .midBoth
    case UInt8(ascii: ","), UInt8(ascii: ";"): .midNumber
    default: .other
    }
  }

  private static func beyondASCII(_ scalar: Unicode.Scalar) -> WordClass {
    if let known = punctuation(scalar.value) { return known }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark, .format: return .extend
    case .decimalNumber: return .digit
    case .connectorPunctuation: return .connector
    default: break
    }
    if isKatakana(scalar.value) { return .katakana }
    guard properties.isAlphabetic || properties.isIdeographic else { return .other }
    return properties.isIdeographic || isWrittenWithoutSpaces(scalar.value) ? .single : .letter
  }

  /// The punctuation that may stand within words and numbers. The colon is left out: more often it ends a word.
  private static func punctuation(_ value: UInt32) -> WordClass? {
    switch value {
    case 0x2018, 0x2019, 0x2024, 0xFE52, 0xFF07, 0xFF0E: .midBoth
    case 0xB7, 0x387, 0x55F, 0x5F4, 0x2027: .midLetter
    case 0x37E, 0x589, 0x60C, 0x60D, 0x66C, 0x7F8, 0x2044, 0xFE10, 0xFE14, 0xFE50, 0xFE54, 0xFF0C, 0xFF1B: .midNumber
    default: nil
    }
  }

  private static func isKatakana(_ value: UInt32) -> Bool {
    switch value {
    case 0x3031...0x3035, 0x309B...0x309C, 0x30A0...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF, 0x32D0...0x32FE,
      0x3300...0x3357, 0xFF66...0xFF9D:
      true
    default: false
    }
  }

  /// Hiragana, Thai, Lao, Myanmar, Khmer, Tai.
  private static func isWrittenWithoutSpaces(_ value: UInt32) -> Bool {
    switch value {
    case 0x3041...0x309F, 0x1B001...0x1B11F, 0xE00...0xEFF, 0x1000...0x109F, 0x1780...0x17FF, 0x1950...0x19FF,
      0x1A20...0x1AAF, 0xA9E0...0xA9FF, 0xAA60...0xAADF:
      true
    default: false
    }
  }
}
