import Foundation
import LarderStorage

extension PredicateParser {
  mutating func comparison() throws(PredicateError) -> ComparisonNode {
    let quantifierRange = token.range
    let quantifier = try takeQuantifier()
    let left = try operand()
    let operatorRange = token.range
    let operation = try takeOperator()
    let options = try takeOptions()
    let rightQuantifier = dialect == .query ? try takeQuantifier() : nil
    let right = try operation == .in || operation == .between ? group(for: operation) : operand()
    return ComparisonNode(
      quantifier: quantifier, left: left, operation: operation, options: options, rightQuantifier: rightQuantifier,
      right: right, quantifierRange: quantifierRange, operatorRange: operatorRange)
  }

  private mutating func takeQuantifier() throws(PredicateError) -> Quantifier? {
    if isKeyword("ALL"), dialect == .format {
      throw fail("ALL is not supported", .unsupportedOperator, expected: "ANY or NONE", suggestion: "NOT ANY … !=")
    }
    if try take(keyword: "ALL") { return .all }
    if try take(keyword: "ANY") { return .any }
    if try take(keyword: "SOME") { return .any }
    if try take(keyword: "NONE") { return Quantifier.none }
    return nil
  }

  private mutating func takeOperator() throws(PredicateError) -> ComparisonOperator {
    switch token.kind {
    case .comparison(let operation):
      try advance()
      return operation
    case .word(let word, false):
      let upper = word.uppercased()
      if let operation = ComparisonOperator(rawValue: upper) {
        // A property may be called text, and a minus after it would subtract; here it begins a number.
        lexer.followsValue = false
        try advance()
        return operation
      }
      if dialect == .query, upper == "GEOWITHIN" {
        try advance()
        return .in
      }
      throw unknownOperator(upper)
    case .end, .and, .or, .rightParenthesis:
      throw fail("A comparison operator is missing", expected: "==, !=, <, >, BEGINSWITH, CONTAINS, IN, …")
    default: throw unexpected(expected: "a comparison operator")
    }
  }

  private func unknownOperator(_ word: String) -> PredicateError {
    if word == "MATCHES" {
      return fail("MATCHES is not supported", .unsupportedOperator, suggestion: "LIKE")
    }
    let aliases = [
      "STARTSWITH": "BEGINSWITH", "HASPREFIX": "BEGINSWITH", "BEGINS": "BEGINSWITH", "HASSUFFIX": "ENDSWITH",
      "ENDS": "ENDSWITH", "ILIKE": "LIKE[c]", "IS": "==", "EQ": "==", "EQUALS": "==", "NE": "!=", "LT": "<",
      "GT": ">", "HAS": "CONTAINS", "INCLUDES": "CONTAINS",
    ]
    let names = ComparisonOperator.allCases.map(\.rawValue).filter { $0.count > 1 && $0.first?.isLetter == true }
    let isLogic = word == "AND" || word == "OR"
    return fail(
      isLogic ? "A comparison operator is missing before \(word)" : "'\(lexer.piece(token.range))' is not an operator",
      isLogic ? .syntax : .unknownOperator, expected: "a comparison operator",
      suggestion: isLogic ? nil : aliases[word] ?? Nearest.name(to: word, among: names))
  }

  /// `[cd]`; `n` and `l` are read and have no effect (Q-33).
  private mutating func takeOptions() throws(PredicateError) -> TextOptions {
    guard token.kind == .leftBracket else { return [] }
    try advance()
    guard case .word(let letters, _) = token.kind else { throw unexpected(expected: "the options c and d") }
    var options: TextOptions = []
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d" where dialect == .format: options.insert(.diacriticInsensitive)
      case "n" where dialect == .format, "l" where dialect == .format: break
      default:
        throw fail(
          "'\(letter)' is not an option of an operator", expected: dialect == .format ? "c or d" : "c")
      }
    }
    try advance()
    // A minus after the options begins a number.
    lexer.followsValue = false
    try expect(.rightBracket, "']'")
    return options
  }

  // MARK: - Operands

  /// One side of a comparison; in RQL with arithmetic.
  mutating func operand() throws(PredicateError) -> OperandNode {
    dialect == .query ? try sum() : try simpleOperand()
  }

  mutating func simpleOperand() throws(PredicateError) -> OperandNode {
    let range = token.range
    switch token.kind {
    case .word(let word, let isEscaped):
      if !isEscaped, let operand = try keywordOperand(word.uppercased(), range) { return operand }
      if !isEscaped, dialect == .query, let constant = try queryConstant(word, range) { return .constant(constant) }
      return .keyPath(try keyPath())
    case .variable(let name):
      if dialect == .query, !variables.contains(name) { return try indexedArgument(name) }
      return .keyPath(try keyPath())
    case .keyPathArgument, .collectionOperator:
      return .keyPath(try keyPath())
    case .leftBrace:
      return try braces()
    default:
      return .constant(try constant())
    }
  }

  private mutating func keywordOperand(_ word: String, _ range: SourceRange) throws(PredicateError) -> OperandNode? {
    guard Keyword.all.contains(word) else { return nil }
    switch word {
    case "NIL", "NULL", "TRUE", "YES", "FALSE", "NO": return .constant(try constant())
    case "SELF":
      try advance()
      if token.kind == .dot {
        try advance()
        return .keyPath(try keyPath())
      }
      return .keyPath(KeyPathNode([], range: range))
    case "SUBQUERY": return .subquery(try subquery())
    case "CAST", "FUNCTION": throw fail("\(word) is not supported", .unsupportedOperator)
    default:
      throw fail(
        "Expected a property or a value, found the keyword \(word); a property of this name is written '#\(lexer.piece(range))'",
        expected: "a property or a value")
    }
  }

  mutating func constant() throws(PredicateError) -> ConstantNode {
    let range = token.range
    let value: PredicateArgument
    switch token.kind {
    case .integer(let number): value = .value(.int(number))
    case .real(let number): value = .value(.double(number))
    case .single(let number): value = .value(.float(number))
    case .timestamp(let seconds, let nanoseconds): value = .value(.date(Self.timestamp(seconds, nanoseconds)))
    case .data(let bytes): value = .value(.data(Data(bytes)))
    case .string(let text): value = .value(.string(text))
    case .argument where dialect == .format:
      value = try takeArgument()
      slots.append(range)
    case .integerArgument where dialect == .format: value = try takeNumber(isInteger: true)
    case .realArgument where dialect == .format: value = try takeNumber(isInteger: false)
    case .variable(let name) where dialect == .query && !variables.contains(name): value = try argument(indexed: name)
    case .word(let word, false):
      switch word.uppercased() {
      case "NIL", "NULL": value = .null
      case "TRUE": value = .value(.bool(true))
      case "FALSE": value = .value(.bool(false))
      case "YES" where dialect == .format: value = .value(.bool(true))
      case "NO" where dialect == .format: value = .value(.bool(false))
      default:
        if dialect == .query, let literal = try queryConstant(word, range) { return literal }
        throw unexpected(expected: "a value")
      }
    default: throw unexpected(expected: "a property or a value")
    }
    try advance()
    return ConstantNode(value, range)
  }

  /// The right side of IN and BETWEEN: braces, a list argument, or a key path (`x IN list`).
  private mutating func group(for operation: ComparisonOperator) throws(PredicateError) -> OperandNode {
    if token.kind == .leftBrace { return try braces() }
    let operand = try operand()
    guard case .constant(let constant) = operand else { return operand }
    if case .area = constant.value, operation == .in { return operand }
    guard case .list(let members) = constant.value else {
      throw fail(
        operation == .in
          ? "IN needs a collection on its right, not \(constant.value.kind)"
          : "BETWEEN needs two values, not \(constant.value.kind)",
        .typeMismatch, at: constant.range, expected: operation == .in ? "{…} or a list" : "{low, high}")
    }
    return .set(members.map { ConstantNode($0, constant.range) }, constant.range)
  }

  private mutating func braces() throws(PredicateError) -> OperandNode {
    let opening = token.range
    var members: [ConstantNode] = []
    try advance()
    while token.kind != .rightBrace {
      if case .word(let word, let isEscaped) = token.kind, isEscaped || isProperty(word) {
        throw fail("A set may hold constants only, not the property '\(word)'", expected: "a value")
      }
      members.append(try constant())
      if token.kind == .comma {
        try advance()
        if token.kind == .rightBrace { throw unexpected(expected: "a value") }
      } else if token.kind != .rightBrace {
        throw token.kind == .end
          ? fail("The brace is not closed", at: opening, expected: "}") : unexpected(expected: "',' or '}'")
      }
    }
    let range = opening.through(token.range)
    try advance()
    return .set(members, range)
  }

  private func isProperty(_ word: String) -> Bool {
    !Keyword.all.contains(word.uppercased()) && (dialect == .format || !isQueryConstant(word))
  }

  // MARK: - Arguments

  private mutating func takeArgument() throws(PredicateError) -> PredicateArgument {
    guard nextArgument < arguments.count else {
      throw fail("Argument \(nextArgument + 1) is missing", .missingArgument, expected: "a value for each placeholder")
    }
    defer { nextArgument += 1 }
    return arguments[nextArgument]
  }

  private mutating func takeNumber(isInteger: Bool) throws(PredicateError) -> PredicateArgument {
    let argument = try takeArgument()
    switch argument {
    case .value(.int), .value(.bool): if isInteger { return argument }
    case .value(.double), .value(.float): if !isInteger { return argument }
    default: break
    }
    if !isInteger, case .value(.int(let number)) = argument { return .value(.double(Double(number))) }
    throw fail(
      "'\(lexer.piece(token.range))' takes \(isInteger ? "an integer" : "a number"), argument \(nextArgument) is \(argument.kind)",
      .typeMismatch, expected: isInteger ? "an integer" : "a number")
  }

  mutating func takeKeyPathArgument() throws(PredicateError) -> String {
    let number = nextArgument + 1
    switch try takeArgument() {
    case .keyPath(let path), .value(.string(let path)): return path
    case let other:
      throw fail("'%K' takes a key path, argument \(number) is \(other.kind)", .typeMismatch, expected: "a string")
    }
  }

  /// The argument in brackets: `map[%@]`.
  mutating func takeSubscriptArgument() throws(PredicateError) -> PredicateArgument { try takeArgument() }
}
