import SwiftSyntax

/// Edits of tokens and declarations that take the space around them along.
struct SyntaxEdits {
  let source: SourceText

  /// Other text for a node; its comments and spaces stay.
  func replace(_ node: some SyntaxProtocol, by text: String) -> Edit { Edit(node.textRange, text) }

  /// Removes a node of a sequence, as an attribute or a modifier, with the space to the next one; the line with it if nothing else is on it.
  func remove(_ node: some SyntaxProtocol) -> Edit {
    let range = node.textRange
    let lineStart = source.lineStart(at: range.lowerBound)
    let lineEnd = source.lineEnd(at: range.upperBound)
    if source.isBlank(lineStart..<range.lowerBound), source.isBlank(range.upperBound..<lineEnd) {
      return .delete(lineStart..<source.nextLineStart(at: range.upperBound))
    }
    var end = range.upperBound
    while end < source.count, Ascii.isBlank(source.bytes[end]) { end += 1 }
    if end < lineEnd { return .delete(range.lowerBound..<end) }
    var start = range.lowerBound
    while start > lineStart, Ascii.isBlank(source.bytes[start - 1]) { start -= 1 }
    return .delete(start..<range.upperBound)
  }

  /// Removes a declaration with its doc comment, what follows it on its line, and one of the blank lines around it. Other comments
  /// before it stay.
  func removeDeclaration(_ node: some SyntaxProtocol) -> Edit {
    let range = node.textRange
    let first = docCommentStart(node) ?? range.lowerBound
    var start = source.lineStart(at: first)
    if !source.isBlank(start..<first) { return remove(node) }
    let lineEnd = source.lineEnd(at: range.upperBound)
    guard source.isBlank(range.upperBound..<lineEnd) || isComment(after: node) else {
      return .delete(first..<range.upperBound)
    }
    var end = source.nextLineStart(at: max(range.upperBound, lineEnd))
    let isBlankAfter = end < source.count && source.isBlankLine(at: end)
    let isBlankBefore = start > 0 && source.isBlankLine(at: start - 1)
    let isFirst = start > 0 && endsInBrace(lineBefore: start)
    if isBlankAfter, isBlankBefore || isFirst {
      end = source.nextLineStart(at: end)
    } else if isBlankBefore, closesAfter(end) {
      start = source.lineStart(at: start - 1)
    }
    return .delete(start..<end)
  }

  private func docCommentStart(_ node: some SyntaxProtocol) -> Int? {
    guard let token = node.firstToken(viewMode: .sourceAccurate) else { return nil }
    var offset = token.position.utf8Offset
    var found: Int?
    var newlines = 0
    for piece in token.leadingTrivia {
      switch piece {
      case .docLineComment, .docBlockComment:
        found = found ?? offset
        newlines = 0
      case .newlines(let count), .carriageReturnLineFeeds(let count), .carriageReturns(let count):
        newlines += count
        if newlines > 1 { found = nil }
      case .lineComment, .blockComment:
        found = nil
        newlines = 0
      default: break
      }
      offset += piece.sourceLength.utf8Length
    }
    return found
  }

  private func isComment(after node: some SyntaxProtocol) -> Bool {
    node.trailingTrivia.contains { $0.isComment }
  }

  private func endsInBrace(lineBefore start: Int) -> Bool {
    source.text(source.lineStart(at: start - 1)..<source.lineEnd(at: start - 1)).trimmingBlanks().hasSuffix("{")
  }

  private func closesAfter(_ offset: Int) -> Bool {
    offset < source.count
      && source.text(offset..<source.lineEnd(at: offset)).trimmingBlanks().hasPrefix("}")
  }
}

extension SyntaxProtocol {
  /// The bytes from the first token to the last, without comments and spaces around them.
  var textRange: Range<Int> {
    positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
  }
}

extension TriviaPiece {
  var isComment: Bool {
    switch self {
    case .lineComment, .blockComment, .docLineComment, .docBlockComment: true
    default: false
    }
  }
}

extension String {
  func trimmingBlanks() -> String {
    var text = self[...]
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
