import SwiftSyntax

/// `@objc` on functions, initialisers and subscripts of models is removed; elsewhere it is listed, because there is no Objective-C on Linux.
final class MemberAttributeRule: RuleVisitor {
  private static let names = ["objc", "nonobjc", "objcMembers"]

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { visit(node, node.modifiers) }
  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind { visit(node, node.modifiers) }
  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind { visit(node, node.modifiers) }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    // Those of models are the concern of the rule for properties.
    if model(around: node) == nil, !isMemberOfModelProtocol(node) { reportAttributes(node, node.modifiers) }
    return .visitChildren
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    let path = path(of: node, named: node.name)
    if !file.program.isModel(path), !mayBeModel(path) { reportAttributes(node, node.modifiers) }
    return .visitChildren
  }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    let extended = NamedType(node.extendedType)?.path ?? TypePath([])
    let path = file.program.resolve(extended, from: TypePath([]))
    if !(path.map(file.program.isModel) ?? false) { reportAttributes(node, node.modifiers) }
    return .visitChildren
  }

  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    if !file.program.isModelProtocol(path(of: node, named: node.name)) { reportAttributes(node, node.modifiers) }
    return .visitChildren
  }

  private func visit(_ node: some WithAttributesSyntax, _ modifiers: DeclModifierListSyntax)
    -> SyntaxVisitorContinueKind
  {
    guard model(around: node) != nil else {
      if !isMemberOfModelProtocol(node) { reportAttributes(node, modifiers) }
      return .visitChildren
    }
    for name in Self.names {
      if let attribute = node.attributes.attribute(name) { edits.append(file.edits.remove(attribute)) }
    }
    for modifier in modifiers where modifier.name.text == "dynamic" { edits.append(file.edits.remove(modifier)) }
    return .visitChildren
  }

  private func isMemberOfModelProtocol(_ node: some SyntaxProtocol) -> Bool {
    file.scope.enclosingType(Syntax(node)).map(file.program.isModelProtocol) ?? false
  }

  private func mayBeModel(_ path: TypePath) -> Bool {
    file.program.derivesFromUnknown(path) || file.program.namesRoot(path)
  }

  private func reportAttributes(_ node: some WithAttributesSyntax, _ modifiers: DeclModifierListSyntax) {
    for name in Self.names {
      guard let attribute = node.attributes.attribute(name) else { continue }
      if name == "objc", modifiers.has("dynamic"), let path = file.scope.enclosingType(Syntax(node)),
        mayBeModel(path)
      {
        // Listed as a property whose superclass is not known: without '@objc' it would be stored nowhere.
        continue
      }
      report(
        .objectiveC, attribute,
        "there is no Objective-C on Linux: remove @\(name), or keep the file for Apple's systems",
        suggestion: [file.edits.remove(attribute)])
    }
  }
}
