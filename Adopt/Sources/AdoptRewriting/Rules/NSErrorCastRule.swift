import SwiftSyntax

/// Lists conditional casts of errors to `NSError`, which fail on Linux where they succeed elsewhere.
final class NSErrorCastRule: RuleVisitor {
  override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    let elements = Array(node.elements)
    for (index, element) in elements.enumerated() {
      guard let cast = element.as(UnresolvedAsExprSyntax.self), let mark = cast.questionOrExclamationMark,
        index + 1 < elements.count, elements[index + 1].trimmedDescription == "NSError"
      else { continue }
      report(
        .nsError, node,
        "'as\(mark.text) NSError' fails on Linux: write 'as NSError' for an error that is there, or 'map { $0 as NSError }'",
        suggestion: suggestion(elements, index, mark))
    }
    return .visitChildren
  }

  private func suggestion(_ elements: [ExprSyntax], _ index: Int, _ mark: TokenSyntax) -> [Edit] {
    if mark.text == "!" { return [.delete(mark.textRange)] }
    let range = elements[index].textRange.lowerBound..<elements[index + 1].textRange.upperBound
    let before = elements[index - 1].textRange.upperBound
    return [Edit(before..<range.upperBound, ".map { $0 as NSError }")]
  }
}
