import SwiftSyntax

/// `override init()` of a model becomes `required init()`; initialisers that only Realm's Objective-C classes call are removed.
final class InitializerRule: RuleVisitor {
  private static let oldTypes: Set<String> = ["RLMRealm", "RLMObjectSchema", "RLMSchema"]

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    guard model(around: node) != nil else { return .visitChildren }
    let parameters = node.signature.parameterClause.parameters
    let isOld = parameters.contains { NamedType($0.type).map { Self.oldTypes.contains($0.path.last) } ?? false }
    if isOld {
      edits.append(file.edits.removeDeclaration(node))
      return .skipChildren
    }
    guard parameters.isEmpty, let override = node.modifiers.first(where: { $0.name.text == "override" }) else {
      return .visitChildren
    }
    if node.modifiers.has("required") {
      edits.append(file.edits.remove(override))
    } else {
      edits.append(file.edits.replace(override, by: "required"))
    }
    return .visitChildren
  }
}
