import SwiftSyntax

/// `import RealmSwift` becomes `import Larder`, and `import Realm` too, or is removed where the file has the other one.
final class ImportRule: RuleVisitor {
  private lazy var hasLibrary = file.tree.statements.contains { item in
    let module = item.item.as(ImportDeclSyntax.self)?.path.first?.name.text ?? ""
    return Library.modules.contains(module)
  }

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let first = node.path.first?.name else { return .skipChildren }
    if first.text == Library.oldModule {
      edits.append(file.edits.replace(first, by: Library.newModule))
    } else if first.text == Library.oldObjectiveCModule {
      replaceObjectiveC(node, first)
    }
    return .skipChildren
  }

  override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
    guard let condition = node.condition else { return .visitChildren }
    for token in condition.tokens(viewMode: .sourceAccurate) where token.text == Library.oldModule {
      edits.append(file.edits.replace(token, by: Library.newModule))
    }
    return .visitChildren
  }

  private func replaceObjectiveC(_ node: ImportDeclSyntax, _ module: TokenSyntax) {
    guard node.path.count == 1, node.importKindSpecifier == nil else {
      report(
        .oldClass, node, "Larder has no parts of Realm's Objective-C module: remove the line",
        suggestion: [file.edits.remove(node)])
      return
    }
    let isTopLevel = node.parent?.parent?.parent?.is(SourceFileSyntax.self) ?? false
    if hasLibrary, isTopLevel, node.attributes.isEmpty {
      edits.append(file.edits.removeDeclaration(node))
    } else {
      edits.append(file.edits.replace(module, by: Library.newModule))
    }
  }
}
