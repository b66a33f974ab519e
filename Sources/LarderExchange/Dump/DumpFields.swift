/// The fields of an object of a dump's first line, each to be asked for by name.
struct DumpFields {
  private var rest: [InputField]
  private let offset: Int

  init(_ fields: [InputField], at offset: Int) {
    rest = fields
    self.offset = offset
  }

  /// - Throws: `RecordFault` when the value is no object.
  init(_ node: InputNode) throws {
    guard case .object(let fields) = node.value else {
      throw RecordFault(offset: node.offset, message: "an object {…} was expected, not \(node.value.kind)")
    }
    self.init(fields, at: node.offset)
  }

  private mutating func take(_ name: String) -> InputNode? {
    guard let index = rest.firstIndex(where: { $0.name == name }) else { return nil }
    let node = rest.remove(at: index).node
    if case .null = node.value { return nil }
    return node
  }

  private func unexpected(_ name: String, _ node: InputNode, _ wanted: String) -> RecordFault {
    RecordFault(offset: node.offset, message: "\"\(name)\" is to be \(wanted), not \(node.value.kind)")
  }

  mutating func integer(_ name: String) throws -> Int64? {
    guard let node = take(name) else { return nil }
    guard case .integer(let number) = node.value else { throw unexpected(name, node, "a whole number") }
    return number
  }

  /// A number that may be above the largest of `Int64`, as versions of schemas may.
  mutating func unsigned(_ name: String) throws -> UInt64? {
    guard let node = take(name) else { return nil }
    let number: UInt64? =
      switch node.value {
      case .integer(let number): UInt64(exactly: number)
      case .number(_, let text): UInt64(text)
      default: nil
      }
    guard let number else { throw unexpected(name, node, "a whole number from 0 on") }
    return number
  }

  mutating func text(_ name: String) throws -> String? {
    guard let node = take(name) else { return nil }
    guard case .string(let text) = node.value else { throw unexpected(name, node, "a string") }
    return text
  }

  mutating func string(_ name: String) throws -> String {
    guard let text = try text(name) else { throw RecordFault(offset: offset, message: "\"\(name)\" is missing here") }
    return text
  }

  mutating func flag(_ name: String) throws -> Bool {
    guard let node = take(name) else { return false }
    guard case .bool(let value) = node.value else { throw unexpected(name, node, "true or false") }
    return value
  }

  mutating func array(_ name: String, isNeeded: Bool = true) throws -> [InputNode] {
    guard let node = take(name) else {
      guard isNeeded else { return [] }
      throw RecordFault(offset: offset, message: "\"\(name)\" is missing here")
    }
    guard case .array(let nodes) = node.value else { throw unexpected(name, node, "an array") }
    return nodes
  }

  /// Throws when there are fields that nothing asked for: what they say would be lost.
  func end() throws {
    guard let field = rest.first else { return }
    throw RecordFault(offset: field.node.offset, message: "the field \"\(field.name)\" is not known here")
  }
}
