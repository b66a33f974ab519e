import LarderStorage

/// Lists and dictionaries inside of values of any type.
enum NestedValues {
  /// The values that the selectors lead to; one nil where they lead nowhere, none where a wildcard finds nothing.
  static func reached(from value: StoredValue, _ selectors: [SubscriptNode.Selector]) -> [StoredValue] {
    selectors.reduce([value]) { values, selector in values.flatMap { step($0, selector) } }
  }

  private static func step(_ value: StoredValue, _ selector: SubscriptNode.Selector) -> [StoredValue] {
    switch (value, selector) {
    case (.list(let elements), .any): elements.elements
    case (.dictionary(let entries), .any): entries.values
    case (.dictionary(let entries), .keys): entries.keys.map { .string($0) }
    case (.dictionary(let entries), .values): entries.values
    case (_, .any), (_, .keys), (_, .values): []
    case (.list(let elements), .position(let position)):
      position >= 0 && position < Int64(elements.count) ? [elements[Int(position)]] : [.null]
    case (.list(let elements), .first): [elements.first ?? .null]
    case (.list(let elements), .last): [elements.last ?? .null]
    case (.dictionary(let entries), .key(let key)): [entries[key] ?? .null]
    default: [.null]
    }
  }

  /// Number of elements of the list or dictionary that the selectors lead to, of its keys or of its values; zero for anything else.
  static func count(_ value: StoredValue, _ selectors: [SubscriptNode.Selector] = []) -> Int {
    let reached = reached(from: value, selectors)
    if let last = selectors.last, last == .keys || last == .values { return reached.count }
    return reached.reduce(0) { total, value in
      switch value {
      case .list(let elements): total + elements.count
      case .dictionary(let entries): total + entries.count
      default: total
      }
    }
  }

  static func measure(_ value: StoredValue, _ measure: KeyPathNode.Measure) -> StoredValue {
    switch (measure, value) {
    case (.length, .string(let text)): .int(Int64(text.unicodeScalars.count))
    case (.length, .data(let bytes)): .int(Int64(bytes.count))
    case (.length, _): .null
    case (.type, let value): .string(typeName(value))
    }
  }

  /// The names that `@type` knows.
  private static func typeName(_ value: StoredValue) -> String {
    switch value {
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .float: "float"
    case .double: "double"
    case .string: "string"
    case .data: "binary"
    case .date: "timestamp"
    case .uuid: "uuid"
    case .objectId: "objectid"
    case .decimal128: "decimal"
    case .link, .object: "object"
    case .list: "array"
    case .dictionary: "dictionary"
    }
  }
}
