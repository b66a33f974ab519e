/// Cuts predicate text into tokens (Q-6 to Q-12). Works on UTF-8, in one pass.
struct Lexer {
  let text: String
  let bytes: [UInt8]
  let dialect: PredicateDialect
  var position = 0
  /// The kind of token that ended before the position; nil at the beginning.
  private var previous: Token.Kind?

  /// True if a value ended before the position: then a minus is an operator, and a percent sign the remainder.
  var followsValue: Bool { previous?.endsValue ?? false }

  init(_ text: String, dialect: PredicateDialect = .format) {
    self.text = text
    self.bytes = Array(text.utf8)
    self.dialect = dialect
  }

  func error(_ message: String, _ range: SourceRange, expected: String? = nil, suggestion: String? = nil)
    -> PredicateError
  {
    PredicateError(
      .syntax, message, text: text, range: range, found: piece(range), expected: expected, suggestion: suggestion)
  }

  func piece(_ range: SourceRange) -> String {
    String(decoding: bytes[min(range.lower, bytes.count)..<min(range.upper, bytes.count)], as: UTF8.self)
  }

  func peek(_ offset: Int = 0) -> UInt8 {
    position + offset < bytes.count ? bytes[position + offset] : 0
  }

  mutating func next() throws(PredicateError) -> Token {
    let token = try scan()
    previous = token.kind
    return token
  }

  private mutating func scan() throws(PredicateError) -> Token {
    skipBlanks()
    let start = position
    guard start < bytes.count else { return Token(kind: .end, range: SourceRange(start, start)) }
    let byte = bytes[start]
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return try string(quote: byte)
    case UInt8(ascii: "%"): return isRemainder ? remainder() : try placeholder()
    case UInt8(ascii: "$"): return try variable()
    case UInt8(ascii: "@"):
      position += 1
      return Token(kind: .collectionOperator("@" + word()), range: SourceRange(start, position))
    case UInt8(ascii: "#"):
      position += 1
      let name = word()
      guard !name.isEmpty else { throw error("A name must follow '#'", SourceRange(start, position)) }
      return Token(kind: .word(name, escaped: true), range: SourceRange(start, position))
    default: break
    }
    if dialect == .query, let literal = try queryLiteral() { return literal }
    if Self.isDigit(byte) || (byte == UInt8(ascii: "-") && isNumberStart(1) && !followsValue)
      || (byte == UInt8(ascii: ".") && Self.isDigit(peek(1)))
    {
      return try number()
    }
    if Self.isWordStart(byte) {
      let name = word()
      return Token(kind: .word(name, escaped: false), range: SourceRange(start, position))
    }
    return try symbol(byte)
  }

  private mutating func skipBlanks() {
    while position < bytes.count {
      let byte = bytes[position]
      if byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) {
        position += 1
      } else if byte == 0xC2, peek(1) == 0xA0 {
        position += 2
      } else {
        return
      }
    }
  }

  private func isNumberStart(_ offset: Int) -> Bool {
    Self.isDigit(peek(offset)) || (peek(offset) == UInt8(ascii: ".") && Self.isDigit(peek(offset + 1)))
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  static func isWordStart(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || byte >= 0x80
  }

  mutating func word() -> String {
    let start = position
    while position < bytes.count, Self.isWordStart(bytes[position]) || Self.isDigit(bytes[position]) {
      if bytes[position] == 0xC2, peek(1) == 0xA0 { break }
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  // MARK: - Literals

  private mutating func number() throws(PredicateError) -> Token {
    let start = position
    if peek() == UInt8(ascii: "-") { position += 1 }
    if peek() == 0x30, peek(1) | 0x20 == UInt8(ascii: "x") { return try hexadecimal(from: start) }
    var isReal = false
    scan: while position < bytes.count {
      switch bytes[position] {
      case 0x30...0x39: break
      case UInt8(ascii: "."):
        guard Self.isDigit(peek(1)) || !isReal else { break scan }
        isReal = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        let sign = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
        guard Self.isDigit(peek(sign ? 2 : 1)) else { break scan }
        isReal = true
        position += sign ? 1 : 0
      default: break scan
      }
      position += 1
    }
    let range = SourceRange(start, position)
    let hasSuffix = dialect == .query && peek() == UInt8(ascii: "f") && !Self.isWordStart(peek(1))
    guard !Self.isWordStart(peek()) || hasSuffix else {
      _ = word()
      throw error("'\(piece(SourceRange(start, position)))' is not a number", SourceRange(start, position))
    }
    let digits = piece(range)
    if dialect == .query, peek() == UInt8(ascii: "f"), let value = Float(digits) {
      position += 1
      return Token(kind: .single(value), range: SourceRange(start, position))
    }
    if !isReal, let value = Int64(digits) { return Token(kind: .integer(value), range: range) }
    guard isReal else { throw error("The number \(digits) does not fit 64 bits", range) }
    guard let value = Double(digits.hasSuffix(".") ? digits + "0" : digits) else {
      throw error("'\(digits)' is not a number", range)
    }
    return Token(kind: .real(value), range: range)
  }

  private mutating func hexadecimal(from start: Int) throws(PredicateError) -> Token {
    position += 2
    let digitsStart = position
    _ = word()
    let range = SourceRange(start, position)
    let digits = piece(SourceRange(digitsStart, position))
    let sign = bytes[start] == UInt8(ascii: "-") ? "-" : ""
    guard let value = Int64(sign + digits, radix: 16) else {
      throw error("'\(piece(range))' is not a 64-bit hexadecimal number", range)
    }
    return Token(kind: .integer(value), range: range)
  }

  private mutating func string(quote: UInt8) throws(PredicateError) -> Token {
    let start = position
    var content: [UInt8] = []
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      if byte == quote {
        position += 1
        return Token(
          kind: .string(String(decoding: content, as: UTF8.self)), range: SourceRange(start, position))
      }
      if byte == UInt8(ascii: "\\") {
        try escape(into: &content)
      } else {
        content.append(byte)
        position += 1
      }
    }
    throw error(
      "The string is not closed", SourceRange(start, start + 1), expected: String(UnicodeScalar(quote)))
  }

  private mutating func escape(into content: inout [UInt8]) throws(PredicateError) {
    let start = position
    let letter = peek(1)
    position += 2
    switch letter {
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "\\"): content.append(letter)
    case UInt8(ascii: "u"): content.append(contentsOf: String(try unicodeEscape(from: start)).utf8)
    default:
      position = min(position, bytes.count)
      throw error(
        "'\(piece(SourceRange(start, position)))' is not an escape", SourceRange(start, position),
        expected: "\\\\ for a backslash")
    }
  }

  private mutating func unicodeEscape(from start: Int) throws(PredicateError) -> Unicode.Scalar {
    let first = try fourDigits(from: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    if first < 0xDC00, peek() == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u") {
      position += 2
      let second = try fourDigits(from: start)
      if second >= 0xDC00, second <= 0xDFFF,
        let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
      {
        return scalar
      }
    }
    throw error("The escape is half a surrogate pair", SourceRange(start, position))
  }

  private mutating func fourDigits(from start: Int) throws(PredicateError) -> UInt32 {
    let range = SourceRange(position, min(position + 4, bytes.count))
    position = range.upper
    let digits = piece(range)
    guard digits.utf8.count == 4, !digits.hasPrefix("+"), !digits.hasPrefix("-"), let value = UInt32(digits, radix: 16)
    else {
      throw error("'\\u' needs four hexadecimal digits", SourceRange(start, range.upper))
    }
    return value
  }

  // MARK: - Placeholders and symbols

  /// Forgets the token before the position: what comes is no value that goes on, and a minus begins a number.
  mutating func beginValue() { previous = nil }

  /// A value ended without a token of its own: a minus subtracts.
  mutating func endValue() { previous = .rightParenthesis }

  /// True if a parenthesis comes, after blanks.
  var opensParenthesis: Bool {
    var rest = self
    rest.skipBlanks()
    return rest.peek() == UInt8(ascii: "(")
  }

  /// True if a percent sign is an operator: `%%`, as formats write it, or what cannot begin a placeholder after a value.
  private var isRemainder: Bool {
    let next = peek(1)
    if next == UInt8(ascii: "%") { return true }
    guard followsValue else { return false }
    return dialect == .query ? next != UInt8(ascii: "@") : next != UInt8(ascii: "@") && !Self.isWordStart(next)
  }

  private mutating func remainder() -> Token {
    let start = position
    position += peek(1) == UInt8(ascii: "%") ? 2 : 1
    return Token(kind: .arithmetic(.remainder), range: SourceRange(start, position))
  }

  private mutating func variable() throws(PredicateError) -> Token {
    let start = position
    position += 1
    let name = word()
    guard !name.isEmpty else {
      throw error("A variable's name must follow '$'", SourceRange(start, position + 1))
    }
    return Token(kind: .variable(name), range: SourceRange(start, position))
  }

  private mutating func placeholder() throws(PredicateError) -> Token {
    let start = position
    let candidates: [(String, Token.Kind)] = [
      ("%@", .argument), ("%K", .keyPathArgument),
      ("%lld", .integerArgument), ("%llu", .integerArgument), ("%lli", .integerArgument), ("%llx", .integerArgument),
      ("%ld", .integerArgument), ("%lu", .integerArgument), ("%li", .integerArgument), ("%lx", .integerArgument),
      ("%qi", .integerArgument), ("%qd", .integerArgument), ("%qu", .integerArgument), ("%zd", .integerArgument),
      ("%d", .integerArgument), ("%i", .integerArgument), ("%u", .integerArgument), ("%x", .integerArgument),
      ("%lf", .realArgument), ("%f", .realArgument), ("%e", .realArgument), ("%g", .realArgument),
    ]
    for (spelling, kind) in candidates where bytes[start...].starts(with: spelling.utf8) {
      position += spelling.utf8.count
      return Token(kind: kind, range: SourceRange(start, position))
    }
    position += 1
    _ = word()
    throw error(
      "'\(piece(SourceRange(start, position)))' is not a placeholder", SourceRange(start, position),
      expected: "%@, %K, %d, %lld, %f")
  }

  private mutating func symbol(_ byte: UInt8) throws(PredicateError) -> Token {
    let start = position
    if Self.isOperatorSign(byte) { return try operatorSymbol() }
    position += 1
    let kind: Token.Kind? =
      switch byte {
      case UInt8(ascii: "("): .leftParenthesis
      case UInt8(ascii: ")"): .rightParenthesis
      case UInt8(ascii: "{"): .leftBrace
      case UInt8(ascii: "}"): .rightBrace
      case UInt8(ascii: "["): .leftBracket
      case UInt8(ascii: "]"): .rightBracket
      case UInt8(ascii: ","): .comma
      case UInt8(ascii: "."): .dot
      case UInt8(ascii: "+"): .arithmetic(.add)
      case UInt8(ascii: "-"): .arithmetic(.subtract)
      case UInt8(ascii: "*"): .arithmetic(.multiply)
      case UInt8(ascii: "/"): .arithmetic(.divide)
      default: nil
      }
    guard let kind else {
      throw error("'\(piece(SourceRange(start, position)))' has no meaning here", SourceRange(start, position))
    }
    return Token(kind: kind, range: SourceRange(start, position))
  }

  private static func isOperatorSign(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "="), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "!"), UInt8(ascii: "&"),
      UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static let operators: [String: Token.Kind] = [
    "=": .comparison(.equal), "==": .comparison(.equal), "!=": .comparison(.notEqual),
    "<>": .comparison(.notEqual), "<": .comparison(.less), "<=": .comparison(.lessOrEqual),
    "=<": .comparison(.lessOrEqual), ">": .comparison(.greater), ">=": .comparison(.greaterOrEqual),
    "=>": .comparison(.greaterOrEqual), "&&": .and, "||": .or, "!": .not,
  ]

  private mutating func operatorSymbol() throws(PredicateError) -> Token {
    let start = position
    // No operator has more than two signs: the rest of a long run is looked at once, for the error. A run of negations that was
    // followed to its end at each of its signs would take quadratic time.
    var run = start
    while run < min(bytes.count, start + 3), Self.isOperatorSign(bytes[run]) { run += 1 }
    if run - start < 3, let kind = Self.operators[piece(SourceRange(start, run))] {
      position = run
      return Token(kind: kind, range: SourceRange(start, run))
    }
    // `!!a`, `&&!a`: one sign at a time where the run starts with signs that may stand side by side.
    if bytes[start] == UInt8(ascii: "!") {
      position = start + 1
      return Token(kind: .not, range: SourceRange(start, start + 1))
    }
    let pair = piece(SourceRange(start, min(start + 2, run)))
    if pair == "&&" || pair == "||", run == start + 3, bytes[start + 2] == UInt8(ascii: "!"),
      let kind = Self.operators[pair]
    {
      position = start + 2
      return Token(kind: kind, range: SourceRange(start, start + 2))
    }
    while run < bytes.count, Self.isOperatorSign(bytes[run]) { run += 1 }
    position = run
    let spelling = piece(SourceRange(start, run))
    let suggestions = ["===": "==", "!==": "!=", "~=": "==", "&": "&&", "|": "||", "><": "<>"]
    throw PredicateError(
      .unknownOperator, "'\(spelling)' is not an operator", text: text, range: SourceRange(start, run),
      found: spelling, suggestion: suggestions[spelling])
  }
}
