import SwiftSyntax

/// `RealmEnum` becomes `PersistableEnum`, and enums lose what Objective-C needed.
final class EnumRule: RuleVisitor {
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    if let attribute = node.attributes.attribute("objc") { edits.append(file.edits.remove(attribute)) }
    // The compiler lists cases only in the file of the enum.
    let path = path(of: node, named: node.name)
    if file.program.isStorableElsewhere(path, than: file.index), let last = node.inheritanceClause?.inheritedTypes.last
    {
      edits.append(.insert(", CaseIterable", at: last.type.textRange.upperBound))
    }
    return .visitChildren
  }

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    rename(node.name, at: Syntax(node))
    return .visitChildren
  }

  override func visit(_ node: MemberTypeSyntax) -> SyntaxVisitorContinueKind {
    if node.baseType.trimmedDescription == Library.oldModule { rename(node.name, at: Syntax(node)) }
    return .visitChildren
  }

  private func rename(_ name: TokenSyntax, at place: Syntax) {
    guard name.text == Library.oldEnum,
      !file.program.declares(TypePath([name.text]), from: Scope.enclosingPath(place))
    else { return }
    edits.append(file.edits.replace(name, by: Library.newEnum))
  }
}
