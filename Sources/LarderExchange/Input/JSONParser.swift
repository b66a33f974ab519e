/// Reads one JSON text (RFC 8259) and remembers where each value starts.
///
/// Foundation's parser keeps no positions, which messages about a value deep in a line need.
package struct JSONParser {
  private let bytes: [UInt8]
  private var index = 0
  private var depth = 0
  private let maximumDepth: Int
  /// The deepest nesting in files of other programs: each level takes stack.
  static let usualDepth = 200

  init(_ bytes: [UInt8], maximumDepth: Int = usualDepth) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
  }

  /// - Throws: `RecordFault` at the first byte that cannot continue a JSON text.
  package static func parse(_ bytes: [UInt8], maximumDepth: Int = usualDepth) throws -> InputNode {
    var parser = JSONParser(bytes, maximumDepth: maximumDepth)
    let node = try parser.value()
    parser.skipSpace()
    guard parser.index == bytes.count else { throw parser.fault("nothing more was expected after the value") }
    return node
  }

  private func fault(_ message: String, at offset: Int? = nil) -> RecordFault {
    RecordFault(offset: offset ?? index, message: message)
  }

  private mutating func skipSpace() {
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): index += 1
      default: return
      }
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  private mutating func value() throws -> InputNode {
    skipSpace()
    let start = index
    guard index < bytes.count else { throw fault("the line ends where a value was expected") }
    switch bytes[index] {
    case UInt8(ascii: "\""): return InputNode(.string(try string()), at: start)
    case UInt8(ascii: "{"): return InputNode(.object(try nested { try $0.fields() }), at: start)
    case UInt8(ascii: "["): return InputNode(.array(try nested { try $0.elements() }), at: start)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return InputNode(try number(), at: start)
    case UInt8(ascii: "t"): return InputNode(try word("true", .bool(true)), at: start)
    case UInt8(ascii: "f"): return InputNode(try word("false", .bool(false)), at: start)
    case UInt8(ascii: "n"): return InputNode(try word("null", .null), at: start)
    default: throw fault("a JSON value was expected here")
    }
  }

  private mutating func word(_ text: StaticString, _ value: InputValue) throws -> InputValue {
    let expected = text.withUTF8Buffer { Array($0) }
    guard bytes[index...].starts(with: expected) else { throw fault("a JSON value was expected here") }
    index += expected.count
    return value
  }

  private mutating func nested<T>(_ body: (inout JSONParser) throws -> T) throws -> T {
    depth += 1
    guard depth <= maximumDepth else { throw fault("nested more than \(maximumDepth) levels deep") }
    index += 1
    let result = try body(&self)
    depth -= 1
    return result
  }

  private mutating func fields() throws -> [InputField] {
    var fields: [InputField] = []
    var names: Set<ByteName> = []
    skipSpace()
    if take(UInt8(ascii: "}")) { return fields }
    while true {
      skipSpace()
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
        throw fault("a field name in double quotes was expected")
      }
      let start = index
      let name = try string()
      // One of the values would be lost without a word.
      guard names.insert(ByteName(name)).inserted else {
        throw fault("the field \"\(name)\" is given twice", at: start)
      }
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw fault("':' was expected after the field name \"\(name)\"") }
      fields.append(InputField(name: name, node: try value()))
      skipSpace()
      if take(UInt8(ascii: "}")) { return fields }
      guard take(UInt8(ascii: ",")) else { throw fault("',' or '}' was expected after the value of \"\(name)\"") }
    }
  }

  private mutating func elements() throws -> [InputNode] {
    var elements: [InputNode] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return elements }
    while true {
      elements.append(try value())
      skipSpace()
      if take(UInt8(ascii: "]")) { return elements }
      guard take(UInt8(ascii: ",")) else { throw fault("',' or ']' was expected in the array") }
    }
  }
}

extension JSONParser {
  private mutating func digits() -> Int {
    let start = index
    while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index += 1 }
    return index - start
  }

  private mutating func number() throws -> InputValue {
    let start = index
    _ = take(UInt8(ascii: "-"))
    let firstDigit = index
    let whole = digits()
    guard whole > 0 else { throw fault("a digit was expected") }
    guard whole == 1 || bytes[firstDigit] != UInt8(ascii: "0") else {
      throw fault("a number may not start with 0", at: start)
    }
    var isInteger = true
    if take(UInt8(ascii: ".")) {
      isInteger = false
      guard digits() > 0 else { throw fault("a digit was expected after the point") }
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isInteger = false
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      guard digits() > 0 else { throw fault("a digit was expected in the exponent") }
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isInteger, let integer = Int64(text) { return .integer(integer) }
    guard let double = Double(text) else { throw fault("this is no number", at: start) }
    return .number(double, text: text)
  }

  private mutating func string() throws -> String {
    let quote = index
    index += 1
    let start = index
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        defer { index += 1 }
        return try text(bytes[start..<index])
      case UInt8(ascii: "\\"): return try escapedString(from: start, quote: quote)
      case 0..<0x20: throw fault("a control character must be written as an escape")
      default: index += 1
      }
    }
    throw fault("the string that starts here is not closed", at: quote)
  }

  private func text(_ slice: ArraySlice<UInt8>) throws -> String {
    guard let text = String(validating: slice, as: UTF8.self) else {
      throw fault("the bytes are not valid UTF-8", at: invalidOffset(in: slice))
    }
    return text
  }

  private func invalidOffset(in slice: ArraySlice<UInt8>) -> Int {
    TextEncoding.firstInvalidOffset(in: slice) ?? slice.startIndex
  }

  private mutating func escapedString(from start: Int, quote: Int) throws -> String {
    var unescaped = Array(bytes[start..<index])
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\""):
        guard String(validating: bytes[start..<index], as: UTF8.self) != nil else {
          throw fault("the bytes are not valid UTF-8", at: invalidOffset(in: bytes[start..<index]))
        }
        index += 1
        return String(decoding: unescaped, as: UTF8.self)
      case UInt8(ascii: "\\"): unescaped.append(contentsOf: try escape())
      case 0..<0x20: throw fault("a control character must be written as an escape")
      default:
        unescaped.append(byte)
        index += 1
      }
    }
    throw fault("the string that starts here is not closed", at: quote)
  }

  private mutating func escape() throws -> [UInt8] {
    let start = index
    index += 1
    guard index < bytes.count else { throw fault("the line ends in an escape", at: start) }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [8]
    case UInt8(ascii: "f"): return [12]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "u"): return Array(String(try unicodeEscape(start)).utf8)
    default: throw fault("this escape is not known in JSON", at: start)
    }
  }

  private mutating func unicodeEscape(_ start: Int) throws -> Character {
    let first = try hexUnit(start)
    if let scalar = Unicode.Scalar(first) { return Character(scalar) }
    guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
      throw fault("half of a surrogate pair", at: start)
    }
    let second = try hexUnit(start)
    guard 0xDC00...0xDFFF ~= second,
      let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
    else { throw fault("half of a surrogate pair", at: start) }
    return Character(scalar)
  }

  private mutating func hexUnit(_ start: Int) throws -> UInt16 {
    guard index + 4 <= bytes.count else { throw fault("four hexadecimal digits were expected after \\u", at: start) }
    var unit: UInt16 = 0
    for byte in bytes[index..<index + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw fault("four hexadecimal digits were expected after \\u", at: start)
      }
      unit = unit << 4 | UInt16(digit)
    }
    index += 4
    return unit
  }
}
