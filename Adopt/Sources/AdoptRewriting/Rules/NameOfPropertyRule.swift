import SwiftSyntax

/// `#keyPath(Dog.owner.name)` becomes `"owner.name"`, which is what it means.
final class NameOfPropertyRule: RuleVisitor {
  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
    switch node.macroName.text {
    case "keyPath": rewrite(node)
    case "selector": report(.selector, node, "there are no selectors on Linux: take a closure, or a method by its name")
    default: break
    }
    return .visitChildren
  }

  private func rewrite(_ node: MacroExpansionExprSyntax) {
    let names = node.arguments.first.flatMap { PropertyNameReading.components($0.expression) } ?? []
    if let path = path(names, at: Syntax(node)) {
      edits.append(file.edits.replace(node, by: "\"\(path)\""))
    } else {
      report(
        .keyPath, node,
        "there is no #keyPath on Linux: write the names of the properties as text, with dots between them")
    }
  }

  /// The names after the type they begin with, or in the type around them.
  private func path(_ names: [String], at place: Syntax) -> String? {
    guard let first = names.first else { return nil }
    if !first.isTypeName {
      return file.scope.enclosingType(place).flatMap { file.program.member(first, of: $0) } == nil
        ? nil : names.joined(separator: ".")
    }
    let properties = names.drop { $0.isTypeName || $0 == "self" }
    return properties.isEmpty ? nil : properties.joined(separator: ".")
  }
}
