/// The longest line that a file may have: a line is held in memory as a whole, with a multiple of its size while it is read.
package enum LineLimit {
  /// For files of other programs.
  package static let usual = 16 << 20
  /// For what `dump` and `export` wrote: a value of 1 GiB, in base64, is a line.
  package static let ofDumps = 2 << 30

  private static let units: [(letter: Character, bytes: Int)] = [("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30)]

  /// A number of bytes, with `K`, `M` or `G` after it for units of 1024; nil when the text is none.
  package static func parse(_ text: String) -> Int? {
    let unit = units.first { $0.letter == text.last?.uppercased().first }
    guard let number = Int(unit == nil ? text : String(text.dropLast())), number > 0 else { return nil }
    let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit?.bytes ?? 1)
    return isTooLarge ? nil : bytes
  }

  /// The limit in the form that `parse` takes.
  static func text(_ bytes: Int) -> String {
    guard let unit = units.last(where: { bytes.isMultiple(of: $0.bytes) }) else { return "\(bytes) bytes" }
    return "\(bytes / unit.bytes)\(unit.letter)"
  }
}
