import Foundation
import LarderStorage

extension PredicateParser {
  mutating func comparison() throws(PredicateError) -> ComparisonNode {
    let quantifierRange = tokens.current.range
    let quantifier = try takeQuantifier()
    let left = try operand()
    let operatorRange = tokens.current.range
    let operation = try takeOperator()
    let options = try takeOptions()
    let rightQuantifier = tokens.dialect == .query ? try takeQuantifier() : nil
    let right = try operation == .in || operation == .between ? group(for: operation) : operand()
    return ComparisonNode(
      quantifier: quantifier, left: left, operation: operation, options: options, rightQuantifier: rightQuantifier,
      right: right, quantifierRange: quantifierRange, operatorRange: operatorRange)
  }

  private mutating func takeQuantifier() throws(PredicateError) -> Quantifier? {
    if tokens.isKeyword("ALL"), tokens.dialect == .format {
      if case .comparison? = tokens.following { throw tokens.keywordAsProperty(tokens.current) }
      throw tokens.fail(
        "ALL is not supported", .unsupportedOperator, expected: "ANY or NONE", suggestion: "NOT ANY … !=")
    }
    if try tokens.take(keyword: "ALL") { return .all }
    if try tokens.take(keyword: "ANY") { return .any }
    if try tokens.take(keyword: "SOME") { return .any }
    if try tokens.take(keyword: "NONE") { return Quantifier.none }
    return nil
  }

  private mutating func takeOperator() throws(PredicateError) -> ComparisonOperator {
    switch tokens.current.kind {
    case .comparison(let operation):
      try tokens.advance()
      return operation
    case .word(let word, false):
      let upper = word.uppercased()
      if let operation = ComparisonOperator(rawValue: upper) {
        // A property may be called text, and a minus after it would subtract; here it begins a number.
        tokens.lexer.beginValue()
        try tokens.advance()
        return operation
      }
      if tokens.dialect == .query, upper == "GEOWITHIN" {
        try tokens.advance()
        return .in
      }
      throw tokens.unknownOperator(upper)
    case .end, .and, .or, .rightParenthesis:
      throw tokens.fail("A comparison operator is missing", expected: "==, !=, <, >, BEGINSWITH, CONTAINS, IN, …")
    default: throw tokens.unexpected(expected: "a comparison operator")
    }
  }

  /// `[cd]`; `n` and `l` are read and have no effect.
  private mutating func takeOptions() throws(PredicateError) -> TextOptions {
    guard tokens.current.kind == .leftBracket else { return [] }
    try tokens.advance()
    guard case .word(let letters, _) = tokens.current.kind else {
      throw tokens.unexpected(expected: "the options c and d")
    }
    var options: TextOptions = []
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d" where tokens.dialect == .format: options.insert(.diacriticInsensitive)
      case "n" where tokens.dialect == .format, "l" where tokens.dialect == .format: break
      default:
        throw tokens.fail(
          "'\(letter)' is not an option of an operator", expected: tokens.dialect == .format ? "c or d" : "c")
      }
    }
    try tokens.advance()
    // A minus after the options begins a number.
    tokens.lexer.beginValue()
    try tokens.expect(.rightBracket, "']'")
    return options
  }

  // MARK: - Operands

  /// One side of a comparison.
  mutating func operand() throws(PredicateError) -> OperandNode { try ExpressionParser.sum(&self) }

  mutating func simpleOperand() throws(PredicateError) -> OperandNode {
    let range = tokens.current.range
    switch tokens.current.kind {
    case .word(let word, let isEscaped):
      if !isEscaped, let operand = try keywordOperand(word.uppercased(), range) { return operand }
      if !isEscaped, tokens.dialect == .query, let constant = try queryConstant(word, range) {
        return .constant(constant)
      }
      if !isEscaped, tokens.lexer.opensParenthesis { return .function(try ExpressionParser.call(word, range, &self)) }
      return .keyPath(try keyPath())
    case .variable(let name):
      if tokens.dialect == .query, !variables.contains(name) { return try indexedArgument(name) }
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
      try tokens.advance()
      if tokens.current.kind == .dot {
        try tokens.advance()
        return .keyPath(try keyPath())
      }
      return .keyPath(KeyPathNode([], range: range))
    case "SUBQUERY" where tokens.lexer.opensParenthesis: return .subquery(try subquery())
    case "CAST" where tokens.lexer.opensParenthesis, "FUNCTION" where tokens.lexer.opensParenthesis:
      throw tokens.fail("\(word) is not supported", .unsupportedOperator)
    default: throw tokens.keywordAsProperty(tokens.propertyLikeKeyword ?? tokens.current)
    }
  }

  mutating func constant() throws(PredicateError) -> ConstantNode {
    let range = tokens.current.range
    let value: PredicateArgument
    switch tokens.current.kind {
    case .integer(let number): value = .value(.int(number))
    case .real(let number): value = .value(.double(number))
    case .single(let number): value = .value(.float(number))
    case .timestamp(let seconds, let nanoseconds): value = .value(.date(Timestamp(literal: seconds, nanoseconds)))
    case .data(let bytes): value = .value(.data(Data(bytes)))
    case .string(let text): value = .value(.string(text))
    case .argument where tokens.dialect == .format:
      value = try arguments.next(tokens)
      slots.append(range)
    case .integerArgument where tokens.dialect == .format: value = try arguments.nextNumber(isInteger: true, tokens)
    case .realArgument where tokens.dialect == .format: value = try arguments.nextNumber(isInteger: false, tokens)
    case .variable(let name) where tokens.dialect == .query && !variables.contains(name):
      value = try arguments.argument(indexed: name, tokens)
    case .word(let word, false):
      switch word.uppercased() {
      case "NIL", "NULL": value = .null
      case "TRUE": value = .value(.bool(true))
      case "FALSE": value = .value(.bool(false))
      case "YES" where tokens.dialect == .format: value = .value(.bool(true))
      case "NO" where tokens.dialect == .format: value = .value(.bool(false))
      default:
        if tokens.dialect == .query, let literal = try queryConstant(word, range) { return literal }
        throw tokens.unexpected(expected: "a value")
      }
    default:
      if let keyword = tokens.propertyLikeKeyword { throw tokens.keywordAsProperty(keyword) }
      throw tokens.unexpected(expected: "a property or a value")
    }
    try tokens.advance()
    return ConstantNode(value, range)
  }

  /// The right side of IN and BETWEEN: braces, a list argument, or a key path (`x IN list`).
  private mutating func group(for operation: ComparisonOperator) throws(PredicateError) -> OperandNode {
    if tokens.current.kind == .leftBrace { return try braces() }
    let operand = try operand()
    guard case .constant(let constant) = operand else { return operand }
    if case .area = constant.value, operation == .in { return operand }
    guard case .list(let members) = constant.value else {
      throw tokens.fail(
        operation == .in
          ? "IN needs a collection on its right, not \(constant.value.kind)"
          : "BETWEEN needs two values, not \(constant.value.kind)",
        .typeMismatch, at: constant.range, expected: operation == .in ? "{…} or a list" : "{low, high}")
    }
    return .set(members.map { ConstantNode($0, constant.range) }, constant.range)
  }

  private mutating func braces() throws(PredicateError) -> OperandNode {
    let opening = tokens.current.range
    var members: [ConstantNode] = []
    try tokens.advance()
    while tokens.current.kind != .rightBrace {
      if case .word(let word, let isEscaped) = tokens.current.kind, isEscaped || isProperty(word) {
        throw tokens.fail("A set may hold constants only, not the property '\(word)'", expected: "a value")
      }
      members.append(try constant())
      if tokens.current.kind == .comma {
        try tokens.advance()
        if tokens.current.kind == .rightBrace { throw tokens.unexpected(expected: "a value") }
      } else if tokens.current.kind != .rightBrace {
        throw tokens.current.kind == .end
          ? tokens.fail("The brace is not closed", at: opening, expected: "}")
          : tokens.unexpected(expected: "',' or '}'")
      }
    }
    let range = opening.through(tokens.current.range)
    try tokens.advance()
    return .set(members, range)
  }

  private func isProperty(_ word: String) -> Bool {
    !Keyword.all.contains(word.uppercased()) && (tokens.dialect == .format || !isQueryConstant(word))
  }
}
