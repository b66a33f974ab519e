import SwiftSyntax

/// `super.init()` of a model comes before what uses its properties: `@Persisted` asks the object for them.
final class SuperInitRule: RuleVisitor {
  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let model = model(around: node), let body = node.body, !node.modifiers.has("convenience"),
      !node.signature.parameterClause.parameters.contains(where: { $0.type.trimmedDescription.hasPrefix("RLM") })
    else { return .visitChildren }
    let statements = Array(body.statements)
    // A call within another statement is one that this rule does not move.
    let call = statements.firstIndex { $0.trimmedDescription.filter { !$0.isWhitespace }.hasPrefix("super.init(") }
    let calls = body.tokens(viewMode: .sourceAccurate).filter { token in
      token.text == "init"
        && token.previousToken(viewMode: .sourceAccurate)?.previousToken(viewMode: .sourceAccurate)?.text == "super"
    }.count
    guard calls <= (call == nil ? 0 : 1) else { return .visitChildren }
    let end = call ?? statements.count
    guard let first = statements[..<end].firstIndex(where: { usesProperties(Syntax($0), of: model) }) else {
      return .visitChildren
    }
    rewrite(statements, from: first, call: call, model)
    return .visitChildren
  }

  private func rewrite(_ statements: [CodeBlockItemSyntax], from first: Int, call: Int?, _ model: TypePath) {
    let text = call.map { statements[$0].trimmedDescription } ?? "super.init()"
    let start = statements[first].textRange.lowerBound
    let isAlone = file.source.isBlank(file.source.lineStart(at: start)..<start)
    let separator = isAlone ? file.source.newline + file.source.indentation(at: start) : "; "
    let edits =
      (call.map { [file.edits.remove(statements[$0])] } ?? []) + [Edit.insert(text + separator, at: start)]
    let needsValues = statements[first..<(call ?? statements.count)].contains { statement in
      names(in: Syntax(statement), of: model).contains { file.program.needsValue($0, of: model) }
    }
    if needsValues || text != "super.init()" {
      report(
        .superInit, statements[first],
        "properties with @Persisted cannot be used before '\(text)': give all others their values first, then call it",
        suggestion: needsValues ? [] : edits)
    } else {
      self.edits += edits
    }
  }

  private func usesProperties(_ node: Syntax, of model: TypePath) -> Bool {
    names(in: node, of: model).contains { file.program.isPersisted($0, of: model) }
  }

  /// Names of members of the object that a statement says, with `self.` or without.
  private func names(in node: Syntax, of model: TypePath) -> [String] {
    node.tokens(viewMode: .sourceAccurate).compactMap { token in
      guard let reference = token.parent?.as(DeclReferenceExprSyntax.self), reference.baseName.id == token.id else {
        return nil
      }
      if let access = reference.parent?.as(MemberAccessExprSyntax.self), access.declName.id == reference.id {
        return access.base?.trimmedDescription == "self" ? token.plainText : nil
      }
      guard case .member = file.scope.meaning(of: token.plainText, at: Syntax(reference)) else { return nil }
      return token.plainText
    }
  }
}
