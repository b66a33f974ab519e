import Foundation
import LarderStorage

/// Turns what a file holds into values of a column.
package struct ValueConverter: Sendable {
  var forms: TextForms

  package init(_ forms: TextForms) { self.forms = forms }

  package init(nullMarkers: Set<String>) { self.init(TextForms(nullMarkers: nullMarkers)) }

  /// True if a node means "no value". Empty CSV fields do only where the column cannot hold an empty string.
  package func isNull(_ node: InputNode) -> Bool {
    switch node.value {
    case .null: true
    case .text(let text), .string(let text): forms.nullMarkers.contains(text)
    default: false
    }
  }

  /// The value of a node in a column of the given type.
  ///
  /// - Throws: `RecordFault` that names the property when the value does not fit.
  package func value(_ node: InputNode, as type: ColumnType, isOptional: Bool, property: String) throws -> StoredValue {
    if isNull(node) || isEmptyText(node, type, isOptional) {
      guard isOptional else {
        throw RecordFault(
          offset: node.offset,
          message: "the property '\(property)' (\(TypeName.name(of: type))) needs a value, and this is none")
      }
      return .null
    }
    guard let value = convert(node.value, type) else {
      throw RecordFault(
        offset: node.offset,
        message: "\(Self.describe(node.value)) does not fit the property '\(property)' of type "
          + "\(TypeName.name(of: type))\(isOptional ? "?" : "")\(Self.hint(type))")
    }
    return value
  }

  private func isEmptyText(_ node: InputNode, _ type: ColumnType, _ isOptional: Bool) -> Bool {
    guard case .text(let text) = node.value, text.isEmpty else { return false }
    return isOptional || type != .string
  }

  private static func hint(_ type: ColumnType) -> String {
    switch type {
    case .date: " (ISO 8601, such as 2013-01-31T10:00:00Z)"
    case .data: " (base64)"
    case .objectId: " (24 hexadecimal digits)"
    case .bool: " (true or false, yes or no, on or off, 1 or 0)"
    default: ""
    }
  }

  package static func describe(_ value: InputValue) -> String {
    switch value {
    case .string(let text), .text(let text):
      let short = text.count > 40 ? "\(text.prefix(40))…" : text
      return "\"\(short)\""
    case .integer(let number): return String(number)
    case .number(_, let text): return text
    case .bool(let bool): return String(bool)
    default: return value.kind
    }
  }

  private func convert(_ value: InputValue, _ type: ColumnType) -> StoredValue? {
    switch type {
    case .bool: bool(value).map { .bool($0) }
    case .int: integer(value).map { .int($0) }
    case .float: double(value).flatMap { Float($0).isFinite || !$0.isFinite ? .float(Float($0)) : nil }
    case .double: double(value).map { .double($0) }
    case .decimal128: number(value).flatMap { DecimalNumber(exactly: $0) }.map { .decimal128($0.bits) }
    case .string: text(value).map { .string($0) }
    case .data: text(value).flatMap { Data(base64Encoded: $0) }.map { .data($0) }
    case .date: word(value).flatMap { forms.date($0) }.map { .date($0) }
    case .uuid: word(value).flatMap { UUID(uuidString: $0) }.map { .uuid($0) }
    case .objectId: word(value).flatMap { ObjectIdText.parse($0) }.map { .objectId($0) }
    case .mixed: mixed(value)
    case .link: nil
    }
  }

  /// The value with the type that it has in the file; a whole number of more than 64 bits is a decimal where one holds it, and
  /// else its text.
  private func mixed(_ value: InputValue) -> StoredValue? {
    switch value {
    case .null: return .null
    case .bool(let bool): return .bool(bool)
    case .integer(let integer): return .int(integer)
    case .number(let double, let text):
      let isWhole = text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0 &- UInt8(ascii: "0") < 10 }
      if isWhole { return DecimalNumber(exactly: text).map { .decimal128($0.bits) } ?? .string(text) }
      return double.isFinite ? .double(double) : nil
    case .string(let text), .text(let text): return .string(text)
    case .array(let nodes):
      let elements = nodes.compactMap { isNull($0) ? StoredValue.null : mixed($0.value) }
      return elements.count == nodes.count ? .list(StoredList(elements)) : nil
    case .object(let fields):
      let entries = fields.compactMap { field in
        (isNull(field.node) ? StoredValue.null : mixed(field.node.value)).map { (key: field.name, value: $0) }
      }
      return entries.count == fields.count ? .dictionary(StoredDictionary(entries)) : nil
    }
  }

  private func text(_ value: InputValue) -> String? {
    switch value {
    case .string(let text), .text(let text): text
    default: nil
    }
  }

  /// A text that is no value of a text property: without spaces at its ends where the file gives it no type.
  private func word(_ value: InputValue) -> String? {
    guard case .text(let text) = value else { return text(value) }
    return BareText.of(text)
  }

  private func bool(_ value: InputValue) -> Bool? {
    switch value {
    case .bool(let bool): bool
    case .integer(let number): [0: false, 1: true][number]
    case .text, .string: word(value).flatMap { TruthText.wanted($0) }
    default: nil
    }
  }

  private func integer(_ value: InputValue) -> Int64? {
    switch value {
    case .integer(let integer): integer
    case .number(_, let text): WholeNumber.exactly(text)
    case .text, .string: word(value).flatMap { Int64($0) }
    default: nil
    }
  }

  private func double(_ value: InputValue) -> Double? {
    switch value {
    case .integer(let integer): Double(integer)
    // Too large for a double: infinity would be another value than the file's.
    case .number(let double, _): double.isFinite ? double : nil
    case .text, .string: number(value).flatMap { Self.double($0) }
    default: nil
    }
  }

  private func number(_ value: InputValue) -> String? {
    switch value {
    case .integer(let integer): String(integer)
    case .number(_, let text), .string(let text): text
    case .text(let text): forms.number(BareText.of(text))
    default: nil
    }
  }

  /// The double of a text that says a number, or infinity or NaN by name.
  private static func double(_ text: String) -> Double? {
    guard !isHexadecimal(text), let double = Double(text) else { return nil }
    // Digits that are too large for a double: infinity would be another value than the file's.
    return double.isInfinite && text.utf8.contains { $0 &- UInt8(ascii: "0") < 10 } ? nil : double
  }

  /// True if a text is a number only for Swift, such as `0x10`.
  private static func isHexadecimal(_ text: String) -> Bool { text.utf8.contains { $0 | 0x20 == UInt8(ascii: "x") } }
}
