/// One object of an input file: a line of JSON Lines, a row of CSV.
package struct InputRecord: Sendable {
  /// The record as it is in the file, without the line end.
  let bytes: [UInt8]
  let firstLine: Int
  /// The place of its first byte in that line, counted from 1.
  let firstColumn: Int
  /// The byte that ends a line of the file.
  let lineEnd: UInt8
  package let fields: [InputField]

  package init(
    bytes: [UInt8], firstLine: Int, firstColumn: Int = 1, lineEnd: UInt8 = UInt8(ascii: "\n"), fields: [InputField]
  ) {
    self.lineEnd = lineEnd
    self.bytes = bytes
    self.firstLine = firstLine
    self.firstColumn = firstColumn
    self.fields = fields
  }

  /// The value of a field; a name with dots also reaches into nested objects.
  package func node(_ name: String) -> InputNode? {
    Self.find(name[...], in: fields)
  }

  static func find(_ name: Substring, in fields: [InputField]) -> InputNode? {
    for field in fields where ByteName.areSame(field.name, name) { return field.node }
    guard let dot = name.firstIndex(of: ".") else { return nil }
    for field in fields where ByteName.areSame(field.name, name[..<dot]) {
      guard case .object(let inner) = field.node.value else { return nil }
      return find(name[name.index(after: dot)...], in: inner)
    }
    return nil
  }

  /// Line and column of a byte offset, both counted from 1.
  package func position(of offset: Int) -> (line: Int, column: Int) {
    let place = Self.position(of: offset, in: bytes, firstLine: firstLine, lineEnd: lineEnd)
    return place.line == firstLine ? (place.line, place.column + firstColumn - 1) : place
  }

  package static func position(
    of offset: Int, in bytes: [UInt8], firstLine: Int, lineEnd: UInt8 = UInt8(ascii: "\n")
  ) -> (line: Int, column: Int) {
    var line = firstLine
    var column = 1
    for byte in bytes.prefix(max(0, offset)) {
      if byte == lineEnd {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {  // continuation bytes belong to the scalar before them
        column += 1
      }
    }
    return (line, column)
  }
}
