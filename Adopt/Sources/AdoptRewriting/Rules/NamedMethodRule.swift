import SwiftSyntax

/// Removes `primaryKey()`, `indexedProperties()` and `ignoredProperties()` where the properties say it themselves now.
final class NamedMethodRule: RuleVisitor {
  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let method = NamedMethod(rawValue: node.name.text), node.modifiers.has("override"),
      node.modifiers.has("static") || node.modifiers.has("class"), let model = model(around: node)
    else { return .visitChildren }
    if isRemovable(method, model) {
      edits.append(file.edits.removeDeclaration(node))
      return .skipChildren
    }
    if method == .ignoredProperties {
      report(
        .namedMethod, node,
        "which properties it names cannot be read: remove @Persisted from them, and the method; Larder refuses properties that are both"
      )
    } else if Syntax(node).isInExtension {
      report(
        .namedMethod, node,
        "overrides cannot be in extensions without Objective-C: move it into the class, where Larder honours it")
    }
    return .visitChildren
  }

  private func isRemovable(_ method: NamedMethod, _ model: TypePath) -> Bool {
    guard case .names(let names) = file.program.named(method, of: model) else { return false }
    return method == .ignoredProperties || Set(names) == Set(file.program.wrappedNames(method, of: model))
  }
}

extension Syntax {
  /// True if the nearest declaration of a type around it is an extension.
  var isInExtension: Bool {
    var next = parent
    while let node = next {
      if node.is(ExtensionDeclSyntax.self) { return true }
      if node.typeName != nil { return false }
      next = node.parent
    }
    return false
  }
}
