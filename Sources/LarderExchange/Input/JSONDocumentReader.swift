/// Reads objects of JSON that are no lines: the elements of an array, the values of an object, or objects one after another, on any number
/// of lines.
///
/// One object at a time is in memory.
final class JSONDocumentReader: InputReader {
  let source: ByteSource
  private let limit: Int
  private(set) var isBroken = false
  private var buffer: [UInt8] = []
  private var position = 0
  private var isFinished = false
  /// Of the next byte, counted from 1.
  private var line = 1
  private var column = 1
  private var state = State.beginning
  /// The fields that lead to the records.
  private let path: [String]
  /// The field that gets the keys of records that are the values of an object.
  private let keyField: String?
  private(set) var hasFrame = false
  /// The key of the record that comes next.
  private var entryKey: String?
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private enum State {
    case beginning
    /// In an array: before its first element, after one, and after a comma.
    case opened, element, comma
    /// In an object of records: before its first one, and after one.
    case openedObject, entry
    case objects
    /// Before and after the one record at the end of the path.
    case single, singleRead
    case ended
  }

  init(_ source: ByteSource, path: [String] = [], keyField: String? = nil, lineLimit: Int) {
    self.source = source
    self.path = path
    self.keyField = keyField
    limit = lineLimit
  }

  /// True if bytes begin with a line that holds an object, as JSON Lines do.
  static func isLines(_ bytes: [UInt8]) -> Bool {
    let text = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
    guard let first = text.split(separator: UInt8(ascii: "\n")).first(where: { $0.contains { !isSpace($0) } }),
      case .object? = try? JSONParser.parse(Array(first)).value
    else { return false }
    return true
  }

  func next() throws -> InputRecord? {
    guard !isBroken else { return nil }
    if case .beginning = state { try begin() }
    guard try skipToValue() else { return nil }
    let key = entryKey
    let (firstLine, firstColumn) = (line, column)
    let bytes = try value()
    // A bracket or comma that nothing opened: going on would find it again.
    guard !bytes.isEmpty else { throw broken("a JSON value was expected here") }
    do {
      let node = try JSONParser.parse(bytes)
      guard case .object(var fields) = node.value else {
        throw RecordFault(offset: node.offset, message: "an object {…} was expected, not \(node.value.kind)")
      }
      if let key, let keyField {
        guard !fields.contains(where: { ByteName.areSame($0.name, keyField) }) else {
          throw RecordFault(
            offset: node.offset, message: "the object has a field '\(keyField)' of its own; --keys takes another name")
        }
        fields.insert(InputField(name: keyField, node: InputNode(.string(key), at: node.offset)), at: 0)
      }
      return InputRecord(bytes: bytes, firstLine: firstLine, firstColumn: firstColumn, fields: fields)
    } catch let fault as RecordFault {
      let record = InputRecord(bytes: bytes, firstLine: firstLine, firstColumn: firstColumn, fields: [])
      let place = record.position(of: fault.offset)
      throw InputFault(file: source.path, line: place.line, column: place.column, message: fault.message)
    }
  }

  private func begin() throws {
    state = .objects
    if try byte() == Self.byteOrderMark[0], try peek(1) == Self.byteOrderMark[1], try peek(2) == Self.byteOrderMark[2] {
      position += 3
    }
    for name in path { try descend(to: name) }
    try skipSpace()
    if keyField != nil {
      guard try byte() == UInt8(ascii: "{") else {
        throw broken("an object whose values are the records was expected, as --keys says")
      }
      advance()
      (state, hasFrame) = (.openedObject, true)
    } else if try byte() == UInt8(ascii: "[") {
      advance()
      (state, hasFrame) = (.opened, true)
    } else if !path.isEmpty {
      state = .single
    }
  }

  // MARK: - Paths

  /// Goes into an object, to the value of a field.
  private func descend(to name: String) throws {
    try skipSpace()
    guard try byte() == UInt8(ascii: "{") else {
      throw broken("an object with the field '\(name)' was expected, as --path says")
    }
    advance()
    var isFirst = true
    while let key = try nextKey(isFirst: isFirst) {
      if ByteName.areSame(key, name) { return }
      try skipValue()
      isFirst = false
    }
    throw broken("the object that ends here has no field '\(name)', which --path names")
  }

  /// Passes over what comes after the records, up to the end of the file.
  private func endPath() throws {
    for _ in path {
      while try nextKey(isFirst: false) != nil { try skipValue() }
    }
    state = .ended
  }

  /// The key of the next entry of an object, with the reader before its value; nil after the end of the object.
  private func nextKey(isFirst: Bool) throws -> String? {
    try skipSpace()
    if try byte() == UInt8(ascii: "}") {
      advance()
      return nil
    }
    if !isFirst {
      guard try byte() == UInt8(ascii: ",") else { throw broken("',' or '}' was expected in the object") }
      advance()
      try skipSpace()
    }
    let key = try quotedName()
    try skipSpace()
    guard try byte() == UInt8(ascii: ":") else { throw broken("':' was expected after the field name \"\(key)\"") }
    advance()
    try skipSpace()
    return key
  }

  private func quotedName() throws -> String {
    let (firstLine, firstColumn) = (line, column)
    guard try byte() == UInt8(ascii: "\"") else { throw broken("a field name in double quotes was expected") }
    var bytes: [UInt8] = []
    var isEscaped = false
    while let byte = try byte(), bytes.count <= limit {
      take(byte, &bytes)
      if byte == UInt8(ascii: "\""), !isEscaped, bytes.count > 1 { break }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    guard case .string(let name)? = try? JSONParser.parse(bytes).value else {
      throw broken("the name that starts here is no text of JSON", firstLine, firstColumn)
    }
    return name
  }

  /// Passes over a value without holding it.
  private func skipValue() throws {
    let (firstLine, firstColumn) = (line, column)
    var (depth, isString, isEscaped) = (0, false, false)
    while let byte = try byte() {
      if isString {
        if byte == UInt8(ascii: "\""), !isEscaped { isString = false }
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      } else {
        switch byte {
        case UInt8(ascii: "\""): isString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          if depth == 0 { return }
          depth -= 1
        default: if depth == 0, Self.isSpace(byte) || byte == UInt8(ascii: ",") { return }
        }
      }
      advance()
    }
    throw broken("the value that starts here is not closed", firstLine, firstColumn)
  }

  /// Goes to the next value; false at the end.
  private func skipToValue() throws -> Bool {
    try skipSpace()
    let next = try byte()
    switch state {
    case .beginning, .objects: return next != nil
    case .single:
      state = .singleRead
      return true
    case .singleRead:
      try endPath()
      return try skipToValue()
    case .openedObject, .entry:
      entryKey = try nextKey(isFirst: state == .openedObject)
      state = .entry
      if entryKey != nil { return true }
      try endPath()
      return try skipToValue()
    case .ended:
      guard next == nil else {
        throw broken(path.isEmpty ? "nothing more was expected after the array" : "nothing more was expected")
      }
      return false
    case .opened, .comma, .element:
      if next == UInt8(ascii: "]"), state != .comma {
        advance()
        try endPath()
        return try skipToValue()
      }
      if state == .element {
        guard next == UInt8(ascii: ",") else { throw broken("',' or ']' was expected in the array") }
        advance()
        state = .comma
        return try skipToValue()
      }
      guard next != nil else { throw broken("the array ends where a value was expected") }
      state = .element
      return true
    }
  }

  /// A fault after which what follows cannot be found.
  private func broken(_ message: String, _ line: Int? = nil, _ column: Int? = nil) -> InputFault {
    isBroken = true
    return InputFault(file: source.path, line: line ?? self.line, column: column ?? self.column, message: message)
  }

  /// The bytes of the value that begins here, as far as brackets and quotes tell.
  private func value() throws -> [UInt8] {
    let (firstLine, firstColumn) = (line, column)
    var bytes: [UInt8] = []
    var depth = 0
    var isString = false
    while let byte = try byte() {
      if isString {
        if byte == UInt8(ascii: "\\") {
          take(byte, &bytes)
          guard let escaped = try self.byte() else { break }
          take(escaped, &bytes)
          continue
        }
        if byte == UInt8(ascii: "\"") { isString = false }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          // Of the array around it.
          guard depth > 0 else { return bytes }
          depth -= 1
        default:
          if depth == 0, Self.isSpace(byte) || byte == UInt8(ascii: ",") { return bytes }
        }
      }
      take(byte, &bytes)
      guard bytes.count <= limit else {
        throw broken(
          "the object has more than \(LineLimit.text(limit)); --max-line sets how long objects may be", firstLine,
          firstColumn)
      }
      if depth == 0, !isString, bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "[") { return bytes }
    }
    guard depth == 0, !isString else {
      throw broken("the value that starts here is not closed", firstLine, firstColumn)
    }
    return bytes
  }

  private func take(_ byte: UInt8, _ bytes: inout [UInt8]) {
    bytes.append(byte)
    advance()
  }

  // MARK: - Bytes

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  private func skipSpace() throws {
    while let byte = try byte(), Self.isSpace(byte) { advance() }
  }

  private func byte() throws -> UInt8? { try peek(0) }

  private func peek(_ distance: Int) throws -> UInt8? {
    while position + distance >= buffer.count {
      guard !isFinished, let piece = try source.next() else {
        isFinished = true
        return nil
      }
      buffer.removeFirst(position)
      position = 0
      buffer.append(contentsOf: piece)
    }
    return buffer[position + distance]
  }

  private func advance() {
    let byte = buffer[position]
    position += 1
    if byte == UInt8(ascii: "\n") {
      line += 1
      column = 1
    } else if byte & 0xC0 != 0x80 {
      column += 1
    }
  }
}
