import Foundation
import LarderStorage

/// Turns cells of a SQLite file into values of a property.
struct SQLiteCell {
  enum Form {
    /// The value as it is, of a type.
    case plain(ColumnType)
    case bool
    case date(SQLiteDateForm)

    var type: ColumnType {
      switch self {
      case .plain(let type): type
      case .bool: .bool
      case .date: .date
      }
    }
  }

  var form: Form
  var isOptional: Bool
  var values: ValueConverter

  /// The value of a cell.
  ///
  /// - Throws: `CellFault` where the cell does not fit.
  func value(_ row: SQLiteStatement, _ place: Int) throws(CellFault) -> StoredValue {
    let kind = row.kind(place)
    if kind == .null { return try null() }
    var text = ""
    if kind == .text, let bytes = row.text(place) {
      guard bytes.isUTF8(0..<bytes.count) else { throw CellFault("the text is not valid UTF-8") }
      text = bytes.string(0..<bytes.count)
      if values.isNull(InputNode(.string(text), at: 0)) { return try null() }
    }
    guard let value = value(row, place, kind, text) else {
      throw CellFault("\(Self.describe(row, place, kind, text)) does not fit, \(wanted)")
    }
    return value
  }

  private func null() throws(CellFault) -> StoredValue {
    guard isOptional || form.type == .mixed else { throw CellFault("a value is needed, and this is null") }
    return .null
  }

  private func value(
    _ row: SQLiteStatement, _ place: Int, _ kind: SQLiteStatement.Kind, _ text: String
  ) -> StoredValue? {
    switch (form, kind) {
    case (.bool, .integer): return [0: .bool(false), 1: .bool(true)][row.integer(place)]
    case (.bool, .text):
      return row.text(place).flatMap { TruthText.wanted($0, $0.trimmed(0..<$0.count)) }.map { .bool($0) }
    case (.date(let form), .integer): return form.date(row.integer(place)).map { .date($0) }
    case (.date(let form), .real): return form.date(row.real(place)).map { .date($0) }
    case (.date(.iso), .text): return DateText.parse(text).map { .date($0) }
    case (.plain(.data), .blob), (.plain(.mixed), .blob): return .data(row.blob(place))
    case (.plain(.uuid), .blob): return Self.uuid(row.blob(place)).map { .uuid($0) }
    case (.plain(let type), .integer): return convert(.integer(row.integer(place)), type)
    case (.plain(let type), .real): return real(row.real(place), type)
    case (.plain(.mixed), .text): return .string(text)
    case (.plain(let type), .text): return convert(.text(text), type)
    default: return nil
    }
  }

  private func convert(_ value: InputValue, _ type: ColumnType) -> StoredValue? {
    try? values.value(InputNode(value, at: 0), as: type, isOptional: false, property: "")
  }

  /// Infinity is a value here, which in texts it is not.
  private func real(_ value: Double, _ type: ColumnType) -> StoredValue? {
    switch type {
    case .double, .mixed: .double(value)
    default: convert(.number(value, text: "\(value)"), type)
    }
  }

  private static func uuid(_ data: Data) -> UUID? {
    guard data.count == 16 else { return nil }
    return data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  private var wanted: String {
    switch form {
    case .plain(let type): "\(TypeName.name(of: type)) is wanted"
    case .bool: "bool is wanted"
    case .date(let form): "a date as '\(form.rawValue)' is wanted"
    }
  }

  private static func describe(
    _ row: SQLiteStatement, _ place: Int, _ kind: SQLiteStatement.Kind, _ text: String
  ) -> String {
    switch kind {
    case .null: "null"
    case .integer: "\(row.integer(place))"
    case .real: "\(row.real(place))"
    case .text: ValueText.short(.string(text))
    case .blob: "a blob of \(row.blob(place).count) bytes"
    }
  }
}

/// A fault of a cell, before its place is known.
struct CellFault: Error {
  var message: String
  init(_ message: String) { self.message = message }
}
