import LarderExchange
import LarderStorage

/// Dates as SQLite's own functions write and read them: `2013-01-31 22:00:00` in UTC, with a fraction where there is one.
///
/// The order of these texts is that of the dates in the years 0 to 9999.
enum SQLDate {
  /// The text of a date.
  static func text(_ date: Timestamp) -> String {
    var text = DateText.format(date)
    if text.last == "Z" { text.removeLast() }
    guard let place = text.firstIndex(of: "T") else { return text }
    text.replaceSubrange(place...place, with: " ")
    return text
  }

  /// The first date whose text may come after a text that is a beginning of a date: a day, or a day and a time.
  ///
  /// - Returns: nil for other texts.
  static func instant(_ text: String) -> Timestamp? {
    let bytes = text.utf8
    switch bytes.count {
    case 10: return DateText.parse(text + "T00:00:00Z")
    case 16: return parse(text, ":00")
    case 19: return parse(text, "")
    case 21...29 where text.contains("."): return parse(text, "")
    default: return nil
    }
  }

  private static func parse(_ text: String, _ rest: String) -> Timestamp? {
    let place = text.utf8.index(text.startIndex, offsetBy: 10)
    guard text.utf8[place] == UInt8(ascii: " ") else { return nil }
    return DateText.parse(text.prefix(upTo: place) + "T" + text[place...].dropFirst() + rest + "Z")
  }
}
