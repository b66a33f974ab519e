/// The arguments of a predicate, taken in the order of its placeholders or by their numbers.
struct ArgumentReader {
  let arguments: [PredicateArgument]
  /// The number of arguments that the text has asked for so far.
  private(set) var taken = 0

  init(_ arguments: [PredicateArgument]) { self.arguments = arguments }

  /// Throws when there are more arguments than the text has asked for.
  func finish(_ tokens: TokenStream) throws(PredicateError) {
    guard taken == arguments.count else {
      throw PredicateError(
        .superfluousArgument, "\(arguments.count) arguments were given, but the predicate has \(taken) placeholders",
        text: tokens.lexer.text, expected: "\(taken) arguments")
    }
  }

  /// The next argument, for the placeholder at hand.
  mutating func next(_ tokens: TokenStream) throws(PredicateError) -> PredicateArgument {
    guard taken < arguments.count else {
      throw tokens.fail("Argument \(taken + 1) is missing", .missingArgument, expected: "a value for each placeholder")
    }
    defer { taken += 1 }
    return arguments[taken]
  }

  /// The next argument for `%d` or `%f`.
  mutating func nextNumber(isInteger: Bool, _ tokens: TokenStream) throws(PredicateError) -> PredicateArgument {
    let argument = try next(tokens)
    switch argument {
    case .value(.int), .value(.bool): if isInteger { return argument }
    case .value(.double), .value(.float): if !isInteger { return argument }
    default: break
    }
    if !isInteger, case .value(.int(let number)) = argument { return .value(.double(Double(number))) }
    let wanted = isInteger ? "an integer" : "a number"
    throw tokens.fail(
      "'\(tokens.lexer.piece(tokens.current.range))' takes \(wanted), argument \(taken) is \(argument.kind)",
      .typeMismatch, expected: wanted)
  }

  /// The next argument for `%K`.
  mutating func nextKeyPath(_ tokens: TokenStream) throws(PredicateError) -> String {
    let number = taken + 1
    switch try next(tokens) {
    case .keyPath(let path), .value(.string(let path)): return path
    case let other:
      throw tokens.fail(
        "'%K' takes a key path, argument \(number) is \(other.kind)", .typeMismatch, expected: "a string")
    }
  }

  /// The argument that a variable's name means.
  mutating func argument(indexed name: String, _ tokens: TokenStream) throws(PredicateError) -> PredicateArgument {
    let digits = name.first == "K" ? String(name.dropFirst()) : name
    guard let index = Int(digits) else {
      throw tokens.fail("The variable '$\(name)' is not bound here", expected: "an argument such as $0")
    }
    guard index < arguments.count else {
      throw tokens.fail("Argument \(index) is missing", .missingArgument, expected: "a value for each argument")
    }
    taken = max(taken, index + 1)
    return arguments[index]
  }
}
