import SwiftSyntax

/// One concern of the rewriting: walks a file, and collects what it changes and what it cannot do.
class RuleVisitor: SyntaxVisitor {
  let file: FileContext
  var edits: [Edit] = []
  var findings: [Finding] = []

  required init(_ file: FileContext) {
    self.file = file
    super.init(viewMode: .sourceAccurate)
  }

  /// The class of the program that a member belongs to, if it is a model.
  func model(around node: some SyntaxProtocol) -> TypePath? {
    guard let path = file.scope.enclosingType(Syntax(node)), file.program.isModel(path) else { return nil }
    return path
  }

  func path(of node: some SyntaxProtocol, named name: TokenSyntax) -> TypePath {
    TypePath(Scope.enclosingPath(Syntax(node)).names + [name.plainText])
  }

  func report(_ kind: Finding.Kind, _ node: some SyntaxProtocol, _ advice: String, suggestion: [Edit] = []) {
    findings.append(Finding(kind, node.textRange, advice, suggestion: suggestion))
  }
}
