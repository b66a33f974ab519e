import SwiftSyntax

/// Lists `RealmOptional` and `RealmProperty` as types of anything else than properties of models.
final class HolderTypeRule: RuleVisitor {
  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    check(node.name, at: Syntax(node))
    return .visitChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    check(node.baseName, at: Syntax(node))
    return .visitChildren
  }

  override func visit(_ node: MemberTypeSyntax) -> SyntaxVisitorContinueKind {
    check(node.name, at: Syntax(node))
    return .visitChildren
  }

  private func check(_ name: TokenSyntax, at node: Syntax) {
    guard Library.holders.contains(name.text), !isPropertyOfModel(node) else { return }
    report(
      .holderType, name, "models have no properties of this type any more: take an optional value instead")
  }

  private func isPropertyOfModel(_ place: Syntax) -> Bool {
    var next = place.parent
    while let node = next {
      if node.is(ClosureExprSyntax.self) || node.is(CodeBlockSyntax.self) || node.is(AccessorBlockSyntax.self) {
        return false
      }
      if let binding = node.as(PatternBindingSyntax.self) {
        guard let variable = binding.parent?.parent?.as(VariableDeclSyntax.self), variable.isInTypeBody else {
          return false
        }
        let isStatic = variable.modifiers.has("static") || variable.modifiers.has("class")
        return !isStatic && !binding.isComputed && PropertyKind(binding).isHolder && model(around: variable) != nil
      }
      next = node.parent
    }
    return false
  }
}
