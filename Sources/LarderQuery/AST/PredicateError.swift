/// A predicate, sort or aggregate that cannot be: what, where, and the nearest thing that would do.
package struct PredicateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error; new kinds may be added.
  package enum Code: Hashable, Sendable {
    case syntax, tooDeep, missingArgument, superfluousArgument
    case unknownProperty, unknownOperator, notALink, quantifier
    case unsupportedOperator, typeMismatch, nullForRequired, wrongObject
    case unsupportedSort, unsupportedAggregate, notSupportedYet
  }

  package var code: Code
  /// One sentence, without position.
  package var message: String
  /// The predicate or key path that was read.
  package var text: String
  /// Offset in characters of the fault in `text`.
  package var position: Int?
  /// Length in characters of the fault.
  package var length: Int
  package var found: String?
  package var expected: String?
  /// The nearest name or operator that exists.
  package var suggestion: String?

  package init(
    _ code: Code, _ message: String, text: String = "", range: SourceRange? = nil, found: String? = nil,
    expected: String? = nil, suggestion: String? = nil
  ) {
    self.code = code
    self.message = message
    self.text = text
    self.length = 1
    self.found = found
    self.expected = expected
    self.suggestion = suggestion
    if let range { locate(range, in: text) }
  }

  /// Turns UTF-8 offsets into character positions of the text.
  private mutating func locate(_ range: SourceRange, in text: String) {
    let utf8 = text.utf8
    let lower = utf8.index(utf8.startIndex, offsetBy: min(max(0, range.lower), utf8.count))
    let upper = utf8.index(utf8.startIndex, offsetBy: min(max(range.lower, range.upper), utf8.count))
    position = text.distance(from: text.startIndex, to: lower)
    length = max(1, text.distance(from: lower, to: upper))
  }

  /// The sentence with the suggestion and, in a second paragraph, the line of text with carets under the fault.
  package var description: String {
    var lines = [sentence]
    if let position { lines.append(contentsOf: excerpt(at: position)) }
    return lines.joined(separator: "\n")
  }

  /// The message with position and suggestion, on one line.
  package var sentence: String {
    var sentence = message
    if let position { sentence += " (at position \(position))" }
    sentence += "."
    if let suggestion { sentence += " Did you mean '\(suggestion)'?" }
    return sentence
  }

  /// The surroundings of the fault: at most 60 characters of its line, and the carets.
  private func excerpt(at position: Int) -> [String] {
    let isLineBreak: (Character) -> Bool = { $0.isNewline }
    let fault = text.index(text.startIndex, offsetBy: position)
    let before = text[..<fault].suffix(40)
    let clippedStart = before.lastIndex(where: isLineBreak).map { before.index(after: $0) } ?? before.startIndex
    let head = before[clippedStart...]
    let after = text[fault...].prefix(60).prefix { !isLineBreak($0) }
    let leading = clippedStart > text.startIndex && clippedStart == before.startIndex ? "…" : ""
    let trailing = after.endIndex < text.endIndex && !text[after.endIndex].isNewline ? "…" : ""
    let indent = String(repeating: " ", count: head.count + leading.count)
    let carets = String(repeating: "^", count: max(1, min(length, max(1, after.count))))
    return ["  \(leading)\(head)\(after)\(trailing)", "  \(indent)\(carets)"]
  }
}
