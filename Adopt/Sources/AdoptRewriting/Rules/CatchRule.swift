import SwiftSyntax

/// `catch let error as NSError` never matches on Linux; the error is turned into one in the handler instead.
final class CatchRule: RuleVisitor {
  override func visit(_ node: CatchClauseSyntax) -> SyntaxVisitorContinueKind {
    guard node.catchItems.contains(where: { Self.isFoundationError($0) }) else { return .visitChildren }
    guard node.catchItems.count == 1, let item = node.catchItems.first, rewrite(node, item) else {
      report(
        .nsError, node.catchItems,
        "'as NSError' never matches on Linux: catch every error, and ask for its kind in the handler, with 'error as NSError'"
      )
      return .visitChildren
    }
    return .visitChildren
  }

  private static func isFoundationError(_ item: CatchItemSyntax) -> Bool {
    let tokens = item.pattern?.tokens(viewMode: .sourceAccurate).map(\.text) ?? []
    return tokens.count >= 2 && tokens.last == "NSError" && ["as", "is"].contains(tokens[tokens.count - 2])
  }

  private func rewrite(_ node: CatchClauseSyntax, _ item: CatchItemSyntax) -> Bool {
    guard let pattern = item.pattern else { return false }
    let tokens = pattern.tokens(viewMode: .sourceAccurate).map(\.text)
    let isUnnamed = tokens.count == 2 || (tokens.count == 3 && tokens[0] == "_")
    switch tokens.count {
    // `is NSError`, `_ as NSError`
    case _ where isUnnamed:
      if item.whereClause != nil { return false }
      edits.append(.delete(node.catchKeyword.textRange.upperBound..<pattern.textRange.upperBound))
      return true
    // `let error as NSError`
    case 4 where tokens[0] == "let" || tokens[0] == "var":
      bind(tokens[0], tokens[1], node, item, pattern)
      return true
    default: return false
    }
  }

  private func bind(
    _ word: String, _ name: String, _ node: CatchClauseSyntax, _ item: CatchItemSyntax, _ pattern: PatternSyntax
  ) {
    if let condition = item.whereClause?.condition {
      edits.append(Edit(pattern.textRange, "let \(name)"))
      for reference in references(to: name, in: Syntax(condition)) {
        edits.append(file.edits.replace(reference, by: "(\(name) as NSError)"))
      }
    } else if name == "error" {
      edits.append(.delete(node.catchKeyword.textRange.upperBound..<pattern.textRange.upperBound))
    } else {
      edits.append(Edit(pattern.textRange, "let \(name)"))
    }
    guard word == "var" || !references(to: name, in: Syntax(node.body)).isEmpty else { return }
    insert("\(word) \(name) = \(name) as NSError", into: node.body)
  }

  private func references(to name: String, in node: Syntax) -> [DeclReferenceExprSyntax] {
    node.tokens(viewMode: .sourceAccurate).compactMap { token in
      guard token.plainText == name, let reference = token.parent?.as(DeclReferenceExprSyntax.self),
        !Self.isMember(reference)
      else { return nil }
      return reference
    }
  }

  private static func isMember(_ reference: DeclReferenceExprSyntax) -> Bool {
    reference.parent?.as(MemberAccessExprSyntax.self)?.declName.id == reference.id
  }

  /// Inserts the first statement of a block, on a line of its own if the block has lines.
  private func insert(_ statement: String, into body: CodeBlockSyntax) {
    let end = body.leftBrace.textRange.upperBound
    guard let first = body.statements.first else { return }
    let start = first.textRange.lowerBound
    let lineStart = file.source.lineStart(at: start)
    if lineStart > end, file.source.isBlank(lineStart..<start) {
      edits.append(.insert(file.source.newline + file.source.indentation(at: start) + statement, at: end))
    } else {
      edits.append(.insert(" \(statement);", at: end))
    }
  }
}
