/// A value read from an input file, with the byte offset in its record where it starts.
package struct InputNode: Sendable {
  package var value: InputValue
  package var offset: Int

  package init(_ value: InputValue, at offset: Int) {
    self.value = value
    self.offset = offset
  }
}

/// A value at one place of a file.
package indirect enum InputValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A number that is no 64-bit integer, and its text, which decimals need.
  case number(Double, text: String)
  case string(String)
  /// A field of a format without types (CSV): may mean any scalar.
  case text(String)
  case array([InputNode])
  /// Fields in the order of the file.
  case object([InputField])

  /// The kind in words, for messages.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer, .number: "a number"
    case .string, .text: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// A named value.
package struct InputField: Sendable {
  package var name: String
  package var node: InputNode
}
