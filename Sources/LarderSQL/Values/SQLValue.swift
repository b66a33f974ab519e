import Foundation
import LarderExchange
import LarderStorage

/// A value as SQLite has it.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)
}

extension SQLValue {
  /// A stored value as its column shows it: booleans as 0 and 1, dates as `SQLDate` writes them, links of columns that show object keys
  /// as these, NaN as NULL as everywhere in SQLite, identifiers and decimals as text, collections within a value of any type as JSON.
  ///
  /// - Parameter name: Gives the text of a link in a value of any type; nil where there is no such object.
  init(_ value: StoredValue, _ name: (ObjectLink) throws -> String?) rethrows {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .integer(value ? 1 : 0)
    case .int(let value): self = .integer(value)
    case .float(let value): self = .init(real: Double(value))
    case .double(let value): self = .init(real: value)
    case .string(let value): self = .text(value)
    case .data(let value): self = .blob(value)
    case .date(let value): self = .text(SQLDate.text(value))
    case .link(let key): self = .integer(Int64(bitPattern: key.rawValue))
    case .object(let link): self = try name(link).map { SQLValue.text($0) } ?? .null
    case .uuid, .objectId, .decimal128: self = .text(ValueText.plain(value) ?? "")
    case .list, .dictionary: self = .text(JSONText.value(try Self.named(value, name)))
    }
  }

  /// A value of any type with the texts of links in place of these.
  private static func named(_ value: StoredValue, _ name: (ObjectLink) throws -> String?) rethrows -> StoredValue {
    switch value {
    case .object(let link): try name(link).map { StoredValue.string($0) } ?? .null
    case .list(let elements): .list(StoredList(try elements.map { try named($0, name) }))
    case .dictionary(let entries):
      .dictionary(StoredDictionary(try entries.map { (key: $0.key, value: try named($0.value, name)) }))
    default: value
    }
  }

  /// SQLite's own tables keep no sign of zero.
  private init(real value: Double) { self = value.isNaN ? .null : .real(value == 0 ? 0 : value) }

  /// The value as a cell of a table or of a CSV file; nil for NULL.
  package var plain: String? {
    switch self {
    case .null: nil
    case .integer(let value): String(value)
    case .real(let value): String(describing: value)
    case .text(let value): value
    case .blob(let value): value.base64EncodedString()
    }
  }

  /// The value as JSON: numbers that JSON cannot hold as texts, bytes in base64.
  package var json: String {
    switch self {
    case .null: "null"
    case .integer(let value): String(value)
    case .real(let value): JSONText.value(.double(value))
    case .text(let value): JSONText.quote(value)
    case .blob(let value): JSONText.quote(value.base64EncodedString())
    }
  }
}
