import SwiftSyntax

/// `_realmColumnNames()` is called `propertiesMapping()`, and its result is no optional.
final class StoredNamesRule: RuleVisitor {
  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    guard node.name.text == "_realmColumnNames", model(around: node) != nil else { return .visitChildren }
    edits.append(file.edits.replace(node.name, by: "propertiesMapping"))
    if let type = node.signature.returnClause?.type.as(OptionalTypeSyntax.self) {
      edits.append(.delete(type.questionMark.textRange))
    }
    return .visitChildren
  }
}
