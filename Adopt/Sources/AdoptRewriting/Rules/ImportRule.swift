import SwiftSyntax

/// `import RealmSwift` becomes `import Larder`, and `import Realm` too, or is removed where the file has the other one. What they brought is
/// imported, and the library where a file had it from elsewhere.
final class ImportRule: RuleVisitor {
  private lazy var hasLibrary = file.tree.statements.contains { item in
    let module = item.item.as(ImportDeclSyntax.self)?.path.first?.name.text ?? ""
    return Library.modules.contains(module)
  }

  private var imports: [ImportDeclSyntax] = []

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let first = node.path.first?.name else { return .skipChildren }
    imports.append(node)
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

  override func visitPost(_ node: SourceFileSyntax) {
    let names = imports.map { $0.path.first?.name.text ?? "" }
    let library = Library.modules.union([Library.oldObjectiveCModule])
    if let at = names.firstIndex(where: library.contains) {
      guard FoundationNames.modules.isDisjoint(with: names), FoundationNames.areUsed(in: node, of: file.program) else {
        return
      }
      let start = imports[at].textRange.lowerBound
      edits.append(.insert("import Foundation" + file.source.newline + file.source.indentation(at: start), at: start))
    } else if file.program.importsLibrary, usesLibrary(node) {
      // An import that is exported to the whole module makes this one superfluous, not wrong: which files are one module is not known.
      let line = "import \(Library.newModule)" + file.source.newline
      let last = imports.last { $0.parent?.parent?.parent?.is(SourceFileSyntax.self) ?? false }
      let end = last.map { file.source.nextLineStart(at: $0.textRange.upperBound) }
      edits.append(.insert(end == nil ? line + file.source.newline : line, at: end ?? 0))
    }
  }

  private static let types: Set<String> = [
    "AnyRealmCollection", "LinkingObjects", "NotificationToken", "Realm", "RealmCollectionChange", "RealmOptional",
    "RealmProperty",
    "Results", "ThreadSafeReference", Library.oldEnum, Library.newEnum,
  ]

  /// True if a file declares a model, or names a type that only the library has.
  private func usesLibrary(_ node: SourceFileSyntax) -> Bool {
    node.tokens(viewMode: .sourceAccurate).contains { token in
      guard case .identifier(let name) = token.tokenKind else { return false }
      if let type = token.parent?.as(ClassDeclSyntax.self), type.name.id == token.id {
        let isDirect = type.inheritanceClause?.inheritedTypes.contains {
          NamedType($0.type)?.libraryName.map(Library.roots.contains) ?? false
        }
        return isDirect ?? false && file.program.isModel(path(of: type, named: type.name))
      }
      guard Self.types.contains(name), !file.program.declaresSomewhere(name) else { return false }
      if token.parent?.is(IdentifierTypeSyntax.self) ?? false { return true }
      guard let reference = token.parent?.as(DeclReferenceExprSyntax.self) else { return false }
      return reference.parent?.as(MemberAccessExprSyntax.self)?.declName.id != reference.id
    }
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
