import Foundation
import LarderStorage

/// Stored values as text.
package enum ValueText {
  /// The value as a table or CSV cell shows it; nil for null.
  package static func plain(_ value: StoredValue) -> String? {
    switch value {
    case .null: nil
    case .bool(let bool): bool ? "true" : "false"
    case .int(let int): String(int)
    case .float(let float): String(describing: float)
    case .double(let double): String(describing: double)
    case .string(let string): string
    case .data(let data): data.base64EncodedString()
    case .date(let date): DateText.format(date)
    case .uuid(let uuid): uuid.uuidString.lowercased()
    case .objectId(let id): ObjectIdText.format(id)
    case .decimal128(let bits): DecimalNumber(bits).description
    case .link(let key): "#\(key.rawValue)"
    case .object(let link): "#\(link.classID.rawValue):\(link.key.rawValue)"
    case .list(let elements): "[" + elements.map { short($0) }.joined(separator: ", ") + "]"
    case .dictionary(let entries):
      "{" + entries.map { "\(short(.string($0.key))): \(short($0.value))" }.joined(separator: ", ") + "}"
    }
  }

  /// The value for a sentence: strings in quotes, long ones cut.
  package static func short(_ value: StoredValue) -> String {
    guard case .string(let text) = value else { return plain(value) ?? "null" }
    return text.count > 40 ? "\"\(text.prefix(40))…\"" : "\"\(text)\""
  }
}
