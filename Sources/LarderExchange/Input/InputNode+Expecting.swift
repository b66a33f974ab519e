/// The parts of JSON files that a program reads for its own ends: each form, or a fault that says what was expected.
extension InputNode {
  /// The fields of an object, in the order of the file.
  ///
  /// - Parameter known: The names that mean something; nil for any.
  /// - Throws: `RecordFault` for another kind of value and for a name that means nothing.
  package func fields(known: [String]? = nil) throws -> [(String, InputNode)] {
    guard case .object(let fields) = value else { throw unexpected("an object {…}") }
    if let known {
      for field in fields where !known.contains(field.name) {
        let hint = Suggestion.sentence(for: field.name, in: known)
        throw RecordFault(
          offset: field.node.offset,
          message: "'\(field.name)' means nothing here; known are \(known.joined(separator: ", ")).\(hint)")
      }
    }
    return fields.map { ($0.name, $0.node) }
  }

  package func string() throws -> String {
    guard case .string(let text) = value else { throw unexpected("a string") }
    return text
  }

  package func bool() throws -> Bool {
    guard case .bool(let value) = value else { throw unexpected("true or false") }
    return value
  }

  /// The elements of an array of strings.
  package func strings() throws -> [String] {
    guard case .array(let elements) = value else { throw unexpected("an array") }
    return try elements.map { try $0.string() }
  }

  private func unexpected(_ wanted: String) -> RecordFault {
    RecordFault(offset: offset, message: "\(wanted) was expected, not \(value.kind)")
  }
}
