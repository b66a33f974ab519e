import LarderStorage

/// The scope in which names and constants of a predicate are bound, with the errors that name a place in its text.
struct BindingScope {
  let schema: StoreSchema
  let naming: PropertyNaming
  /// The predicate's text, for messages.
  let text: String
  /// The language that decides what the tree means where the languages differ.
  let dialect: PredicateDialect
  /// Reads a text as a value of a type that the language has no literals for; nil when it is none.
  let textReader: Binder.TextReader?

  func descriptor(_ classID: ClassID, _ range: SourceRange) throws(PredicateError) -> ClassDescriptor {
    guard let found = schema[classID] else {
      throw fail(.unknownProperty, "The schema has no class number \(classID.rawValue)", range)
    }
    return found
  }

  func fail(
    _ code: PredicateError.Code, _ message: String, _ range: SourceRange?, expected: String? = nil,
    suggestion: String? = nil
  ) -> PredicateError {
    let found = range.map { piece($0) }
    return PredicateError(
      code, message, text: text, range: text.isEmpty ? nil : range, found: found, expected: expected,
      suggestion: suggestion)
  }

  /// The error of a comparison without a property. A constant that is a keyword may be meant as the name of one (F-127).
  func twoConstants(_ left: SourceRange, _ right: SourceRange) -> PredicateError {
    let keyword = [left, right].map { piece($0) }.first {
      ["NIL", "NULL", "TRUE", "FALSE", "YES", "NO"].contains($0.uppercased())
    }
    let hint = keyword.map { "; a property called '\($0)' is written '#\($0)'" } ?? ""
    return fail(
      .syntax, "Two constants are compared: a property is needed on one side\(hint)", left.through(right),
      expected: "a property", suggestion: keyword.map { "#\($0)" })
  }

  private func piece(_ range: SourceRange) -> String {
    String(decoding: Array(text.utf8).dropFirst(range.lower).prefix(max(0, range.upper - range.lower)), as: UTF8.self)
  }
}
