import SwiftSyntax

/// `RealmSwift.Realm` becomes `Larder.Realm`, in types and in expressions.
final class ModuleNameRule: RuleVisitor {
  override func visit(_ node: MemberTypeSyntax) -> SyntaxVisitorContinueKind {
    if let base = node.baseType.as(IdentifierTypeSyntax.self) { rename(base.name) }
    return .visitChildren
  }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    if let base = node.base?.as(DeclReferenceExprSyntax.self) { rename(base.baseName) }
    return .visitChildren
  }

  private func rename(_ name: TokenSyntax) {
    guard name.text == Library.oldModule else { return }
    edits.append(file.edits.replace(name, by: Library.newModule))
  }
}
