import LarderStorage

/// What names and constants of a predicate are bound in, with the errors that name a place in its text.
struct BindingScope {
  let schema: StoreSchema
  let naming: PropertyNaming
  /// The predicate's text, for messages.
  let text: String
  /// What the tree means where the languages differ.
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
    let found = range.map { range in
      String(decoding: Array(text.utf8).dropFirst(range.lower).prefix(max(0, range.upper - range.lower)), as: UTF8.self)
    }
    return PredicateError(
      code, message, text: text, range: text.isEmpty ? nil : range, found: found, expected: expected,
      suggestion: suggestion)
  }
}
