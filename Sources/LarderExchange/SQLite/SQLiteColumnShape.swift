import LarderStorage

/// The kinds of cells that were seen in a column: any cell of a SQLite file may be of any kind.
final class SQLiteColumnShape {
  /// By kind.
  private let counts = PlaceTable(repeating: 0, count: 5)
  /// The first row with each kind.
  private let rows = PlaceTable(repeating: 0, count: 5)
  @exclusivity(unchecked) private var least = Int64.max
  @exclusivity(unchecked) private var greatest = Int64.min
  @exclusivity(unchecked) private var reals: ClosedRange<Double>?
  /// Texts that are no date, and none of true and false.
  private var otherTexts = (dates: 0, bools: 0)
  private let looksIntoTexts: Bool

  /// - Parameter declared: The type as declared: texts of dates and truths are looked into.
  init(declared: String) {
    looksIntoTexts = Self.isDate(declared) || Self.isBool(declared)
  }

  @inline(__always)
  func note(_ cell: SQLiteStatement, _ place: Int, row: Int) {
    let kind = cell.kind(place)
    if counts[kind.rawValue] == 0 { rows[kind.rawValue] = row }
    counts[kind.rawValue] += 1
    switch kind {
    case .integer:
      let value = cell.integer(place)
      least = min(least, value)
      greatest = max(greatest, value)
    case .real:
      let value = cell.real(place)
      if !value.isNaN { reals = reals.map { min($0.lowerBound, value)...max($0.upperBound, value) } ?? value...value }
    case .text where looksIntoTexts:
      let text = cell.text(place)
      if text.flatMap({ DateText.parse($0, 0..<$0.count) }) == nil { otherTexts.dates += 1 }
      if text.flatMap({ TruthText.wanted($0, $0.trimmed(0..<$0.count)) }) == nil { otherTexts.bools += 1 }
    default: break
    }
  }

  var hasNulls: Bool { has(.null) }

  private var integers: ClosedRange<Int64>? { least <= greatest ? least...greatest : nil }

  private func has(_ kind: SQLiteStatement.Kind) -> Bool { counts[kind.rawValue] > 0 }

  private var kinds: [SQLiteStatement.Kind] {
    [.integer, .real, .text, .blob].filter(has).sorted { rows[$0.rawValue] < rows[$1.rawValue] }
  }

  static func isDate(_ declared: String) -> Bool {
    ["DATE", "DATETIME", "TIMESTAMP"].contains {
      declared == $0 || declared.hasPrefix($0 + "(") || declared.hasPrefix($0 + " ")
    }
  }

  static func isBool(_ declared: String) -> Bool { declared == "BOOLEAN" || declared == "BOOL" }

  /// Returns the form that a column of a declared type gets.
  func form(declared: String) -> SQLiteCell.Form {
    if Self.isBool(declared), isBool { return .bool }
    if Self.isDate(declared), let form = dateForm { return .date(form) }
    return .plain(type(declared: declared))
  }

  private var isBool: Bool {
    switch kinds {
    // SQLite makes numbers of the texts 0 and 1 in such a column.
    case [.integer], [.text], [.integer, .text], [.text, .integer]:
      otherTexts.bools == 0 && integers.map { $0.lowerBound >= 0 && $0.upperBound <= 1 } ?? true
    default: kinds.isEmpty
    }
  }

  /// Years about the present, in each of the forms.
  private var dateForm: SQLiteDateForm? {
    switch kinds {
    case []: .iso
    case [.text]: otherTexts.dates == 0 ? .iso : nil
    case [.integer]:
      integers.map { max($0.lowerBound.magnitude, $0.upperBound.magnitude) > 100_000_000_000 ? .unixms : .unix }
    case [.real]:
      reals.map { 1_721_059.5...5_373_484.5 ~= $0.lowerBound && $0.upperBound < 5_373_484.5 ? .julian : .unix }
    default: nil
    }
  }

  private func type(declared: String) -> ColumnType {
    switch kinds {
    case []: Self.affinity(declared)
    case [.integer]: .int
    case [.real]: .double
    case [.integer, .real], [.real, .integer]:
      integers.map { max($0.lowerBound.magnitude, $0.upperBound.magnitude) <= 1 << 53 } ?? true ? .double : .mixed
    case [.text]: .string
    case [.blob]: .data
    default: .mixed
    }
  }

  /// The type of a column without values, by SQLite's rules for declared types.
  private static func affinity(_ declared: String) -> ColumnType {
    if declared.contains("INT") { return .int }
    if ["CHAR", "CLOB", "TEXT"].contains(where: declared.contains) { return .string }
    if declared.contains("BLOB") { return .data }
    return ["REAL", "FLOA", "DOUB", "NUMERIC", "DECIMAL"].contains(where: declared.contains) ? .double : .string
  }

  /// The text for a notice that values of several kinds make a column of any type.
  var mixture: String {
    kinds.map { kind in
      let name =
        switch kind {
        case .null: "null"
        case .integer: "int"
        case .real: "double"
        case .text: "string"
        case .blob: "data"
        }
      return "\(name) in row \(rows[kind.rawValue])"
    }.joined(separator: ", ")
  }
}
