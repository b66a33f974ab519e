import Foundation
import LarderStorage

/// Checks which operators a type has, and converts the constants that are compared with a value of it (A.7, Q-36 to Q-41).
struct TypeChecker {
  let scope: BindingScope

  /// Checks that the type has the operator (A.7).
  func check(
    _ operation: ComparisonOperator, _ options: TextOptions, _ resolved: ResolvedPath, _ range: SourceRange
  ) throws(PredicateError) {
    try check(operation, options, resolved.type, range) { "\(resolved.type.displayName) property '\(resolved.name)'" }
    if resolved.source == .mapKeys, scope.dialect == .format, operation == .in || operation == .between {
      throw scope.fail(
        .unsupportedOperator, "\(operation.rawValue) is not available for @allKeys", range, suggestion: "==")
    }
  }

  func check(
    _ operation: ComparisonOperator, _ options: TextOptions, _ type: ColumnType, _ range: SourceRange,
    what: () -> String
  ) throws(PredicateError) {
    let isText = type == .string || type == .data
    let isOrdered =
      isNumeric(type) || type == .date || type == .mixed
      || (scope.dialect == .query && (type == .uuid || type == .objectId))
    let isAllowed =
      switch operation {
      case .equal, .notEqual, .in: true
      case .beginsWith, .endsWith, .contains, .like: isText || type == .mixed
      case .text: type == .string
      case .between: isOrdered
      case .less, .lessOrEqual, .greater, .greaterOrEqual: isOrdered || isText
      }
    guard isAllowed else {
      throw scope.fail(
        .unsupportedOperator, "\(operation.rawValue) is not available for the \(what())", range,
        expected: isText ? "==, !=, <, >, BEGINSWITH, ENDSWITH, CONTAINS, LIKE or IN" : "==, != or IN")
    }
    if isText, operation.isRelational, !options.isEmpty {
      throw scope.fail(
        .unsupportedOperator, "\(operation.rawValue)\(options.text): the order of text is always exact", range,
        suggestion: operation.rawValue)
    }
    if operation == .text, !options.isEmpty {
      throw scope.fail(
        .unsupportedOperator, "TEXT\(options.text): full-text search never looks at case and diacritics", range,
        suggestion: "TEXT")
    }
    if operation == .like, options.contains(.diacriticInsensitive) {
      throw scope.fail(
        .unsupportedOperator, "LIKE\(options.text) is not supported: LIKE cannot ignore diacritics", range,
        suggestion: "LIKE[c]")
    }
  }

  func isNumeric(_ type: ColumnType) -> Bool { Self.isNumeric(type) }

  static func isNumeric(_ type: ColumnType) -> Bool {
    type == .int || type == .float || type == .double || type == .decimal128
  }

  /// Converts a constant to the property's type.
  func convert(_ constant: ConstantNode, _ resolved: ResolvedPath, acceptsNull: Bool = false) throws(PredicateError)
    -> StoredValue
  {
    if resolved.type == .mixed, let value = mixed(constant.value) { return value }
    guard case .value(let value) = constant.value else { throw mismatch(constant, resolved) }
    if value.isNull {
      guard resolved.isOptional || acceptsNull else {
        throw scope.fail(.nullForRequired, "'\(resolved.name)' is required and never nil", constant.range)
      }
      return .null
    }
    guard let converted = Self.convert(value, to: resolved.type) ?? read(value, resolved.type) else {
      throw mismatch(constant, resolved)
    }
    return converted
  }

  /// A text as a value of a type without literals.
  func read(_ value: StoredValue, _ type: ColumnType) -> StoredValue? {
    guard case .string(let text) = value else { return nil }
    return scope.textReader?(text, type)
  }

  /// Returns the value that a value of any type is compared with.
  private func mixed(_ argument: PredicateArgument) -> StoredValue? {
    switch argument {
    case .value(let value): value
    case .object(let link, _): .object(link)
    case .list(let members): Self.all(members.map { mixed($0) }).map { .list(StoredList($0)) }
    case .dictionary(let entries):
      Self.all(entries.map { mixed($0.value) }).map { values in
        .dictionary(StoredDictionary(zip(entries, values).map { (key: $0.name, value: $1) }))
      }
    case .detachedObject: .object(Self.nowhere)
    case .members, .area, .keyPath: nil
    }
  }

  /// A link that no value has: an object that is in no store is equal to nothing.
  private static let nowhere = ObjectLink(classID: ClassID(rawValue: .max), key: ObjectKey(rawValue: .max))

  private static func all(_ values: [StoredValue?]) -> [StoredValue]? {
    let present = values.compactMap { $0 }
    return present.count == values.count ? present : nil
  }

  private func mismatch(_ constant: ConstantNode, _ resolved: ResolvedPath) -> PredicateError {
    let type = resolved.type
    let kind = constant.value.kind
    var hint = ""
    switch (type, constant.value) {
    case (.int, .value(.double)), (.int, .value(.float)): hint = ": an Int property takes whole numbers"
    case (.bool, .value(.int)): hint = ": a Bool property takes TRUE, FALSE, 1 or 0"
    case (.uuid, .value(.string)), (.decimal128, .value(.string)): hint = ": the text is no \(type.displayName)"
    case (.date, .value(.string)) where scope.textReader != nil:
      hint = ": the text is no date of ISO 8601, such as 2013-01-31T10:00:00Z"
    case (.data, .value(.string)) where scope.textReader != nil: hint = ": the text is no base64"
    case (.double, .value(.int(let number))):
      hint = ": no Double is \(number) exactly; write the Double that is meant, such as \(Double(number))"
    case (.float, .value(.double)): hint = ": the number is too large for a Float"
    default: break
    }
    return scope.fail(
      .typeMismatch, "'\(resolved.name)' is \(type.displayName), compared with \(kind)\(hint)", constant.range,
      expected: type.displayName)
  }

  static func convert(_ value: StoredValue, to type: ColumnType) -> StoredValue? {
    switch (type, value) {
    case (.bool, .bool), (.int, .int), (.float, .float), (.double, .double), (.string, .string), (.data, .data),
      (.date, .date), (.uuid, .uuid), (.objectId, .objectId), (.decimal128, .decimal128), (.mixed, _):
      value
    case (.bool, .int(let number)) where number == 0 || number == 1: .bool(number == 1)
    case (.int, .bool(let flag)): .int(flag ? 1 : 0)
    case (.float, .int(let number)): .float(Float(number))
    case (.float, .double(let number)):
      // A finite number beyond the range of Float is an error; infinity is a value.
      number.isFinite && !Float(number).isFinite ? nil : .float(Float(number))
    case (.double, .int(let number)):
      // Beyond 2^53 not every whole number is a Double: another one must not be looked for.
      Int64(exactly: Double(number)) == number ? .double(Double(number)) : nil
    case (.double, .float(let number)): .double(Double(number))
    case (.decimal128, .int), (.decimal128, .float), (.decimal128, .double):
      .decimal128(DecimalNumber(number: value).bits)
    case (.decimal128, .string(let text)): DecimalNumber(text).map { .decimal128($0.bits) }
    case (.uuid, .string(let text)), (.objectId, .string(let text)): StoredValue(identifier: text, type: type)
    default: nil
    }
  }
}
