import LarderStorage

/// A form of dates by the letters of Unicode's patterns (UTS 35), such as `dd.MM.yyyy HH:mm`, read without a formatter.
package struct DatePattern: Sendable {
  private enum Part: Sendable {
    case number(Field, least: Int, most: Int)
    /// Years of two digits: 69 to 99 are of the last century.
    case shortYear
    case monthName
    case weekdayName
    case half
    case fraction(Int)
    case offset
    case literal(UInt8)
  }

  private enum Field: Sendable { case year, month, day, hour, hour12, minute, second }

  private let parts: [Part]
  package let text: String

  /// - Throws: `DatePatternError` that names the letter that means nothing here.
  package init(_ text: String) throws {
    self.text = text
    var parts: [Part] = []
    var rest = text[...]
    while let letter = rest.first {
      if letter == "'" {
        rest.removeFirst()
        let quoted = rest.prefix { $0 != "'" }
        guard rest.count > quoted.count else {
          throw DatePatternError("the date format '\(text)' has a quote that is not closed")
        }
        parts += (quoted.isEmpty ? "'" : quoted).utf8.map { .literal($0) }
        rest = rest.dropFirst(quoted.count + 1)
        continue
      }
      let run = rest.prefix { $0 == letter }
      rest = rest.dropFirst(run.count)
      if letter.isASCII, letter.isLetter {
        parts.append(try Self.part(letter, run.count, text))
      } else {
        parts += run.utf8.map { .literal($0) }
      }
    }
    guard parts.contains(where: { if case .number(.day, _, _) = $0 { true } else { false } }) else {
      throw DatePatternError("the date format '\(text)' has no day (d)")
    }
    self.parts = parts
  }

  private static func part(_ letter: Character, _ count: Int, _ text: String) throws -> Part {
    func number(_ field: Field) -> Part { .number(field, least: count, most: max(2, count)) }
    switch letter {
    case "y" where count == 2: return .shortYear
    case "y": return .number(.year, least: count == 1 ? 1 : 4, most: 4)
    case "M" where count >= 3: return .monthName
    case "M": return number(.month)
    case "d": return number(.day)
    case "H": return number(.hour)
    case "h": return number(.hour12)
    case "m": return number(.minute)
    case "s": return number(.second)
    case "S": return .fraction(count)
    case "a": return .half
    case "E": return .weekdayName
    case "Z", "X", "x": return .offset
    default:
      throw DatePatternError(
        "the letter '\(letter)' of the date format '\(text)' is not known; known are y, M, d, H, h, m, s, S, a, E, Z, X and x, and texts "
          + "in '…'")
    }
  }

  /// The instant of a text; nil when it is not of this form. Without an offset the time is taken as UTC.
  func parse(_ text: String) -> Timestamp? { TextBytes.with(text) { parse($0, 0..<$0.count) } }

  /// The same for a text that is read in place.
  func parse(_ bytes: TextBytes, _ range: Range<Int>) -> Timestamp? {
    var reading = Reading(bytes: bytes, index: range.lowerBound, end: range.upperBound)
    for part in parts {
      guard reading.take(part) else { return nil }
    }
    return reading.index == reading.end ? reading.date : nil
  }

  /// A text being read.
  private struct Reading {
    let bytes: TextBytes
    var index: Int
    let end: Int
    private var year = 1970
    private var month = 1
    private var day = 1
    private var hour = 0
    private var minute = 0
    private var second = 0
    private var nanoseconds: UInt32 = 0
    private var offset = 0
    private var isAfternoon: Bool?

    init(bytes: TextBytes, index: Int, end: Int) { (self.bytes, self.index, self.end) = (bytes, index, end) }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    mutating func take(_ part: Part) -> Bool {
      switch part {
      case .literal(let byte):
        guard index < end, bytes[index] == byte else { return false }
        index += 1
      case .number(let field, let least, let most):
        guard let value = digits(least, most) else { return false }
        set(field, value)
      case .shortYear:
        guard let value = digits(2, 2) else { return false }
        year = value < 69 ? 2000 + value : 1900 + value
      case .monthName:
        guard let place = Self.months.firstIndex(of: String(word().prefix(3))) else { return false }
        month = place + 1
      case .weekdayName: return !word().isEmpty
      case .half:
        let word = word()
        guard word == "am" || word == "pm" else { return false }
        isAfternoon = word == "pm"
      case .fraction(let count):
        let start = index
        guard let value = digits(1, max(1, count)) else { return false }
        let width = index - start
        guard width <= 9 else { return false }
        nanoseconds = UInt32(value) * (0..<9 - width).reduce(1) { power, _ in power * 10 }
      case .offset: return takeOffset()
      }
      return true
    }

    private mutating func set(_ field: Field, _ value: Int) {
      switch field {
      case .year: year = value
      case .month: month = value
      case .day: day = value
      case .hour: hour = value
      case .hour12:
        // Noon and midnight are twelve o'clock; thirteen is none.
        hour = 1...12 ~= value ? value % 12 : 24
      case .minute: minute = value
      case .second: second = value
      }
    }

    private mutating func digits(_ least: Int, _ most: Int) -> Int? {
      let start = index
      var value = 0
      while index < end, index - start < most, bytes[index] &- UInt8(ascii: "0") < 10 {
        value = value * 10 + Int(bytes[index] - UInt8(ascii: "0"))
        index += 1
      }
      return index - start >= least ? value : nil
    }

    private mutating func word() -> String {
      let start = index
      while index < end, 0x61...0x7A ~= bytes[index] | 0x20 { index += 1 }
      return bytes.string(start..<index).lowercased()
    }

    private mutating func takeOffset() -> Bool {
      guard index < end else { return false }
      let first = bytes[index]
      index += 1
      if first | 0x20 == UInt8(ascii: "z") { return true }
      guard first == UInt8(ascii: "+") || first == UInt8(ascii: "-"), let hours = digits(2, 2), hours < 24 else {
        return false
      }
      if index < end, bytes[index] == UInt8(ascii: ":") { index += 1 }
      let minutes = digits(2, 2) ?? 0
      guard minutes < 60 else { return false }
      offset = (hours * 3600 + minutes * 60) * (first == UInt8(ascii: "-") ? -1 : 1)
      return true
    }

    /// Nil where there is no such day or time.
    var date: Timestamp? {
      guard hour < 24, minute < 60, second < 60 else { return nil }
      let hour = isAfternoon == true ? hour % 12 + 12 : hour
      return DateText.instant(year, month, day, second: hour * 3600 + minute * 60 + second - offset, nanoseconds)
    }
  }
}

/// A form of dates that means nothing.
package struct DatePatternError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String
  init(_ description: String) { self.description = description }
}
