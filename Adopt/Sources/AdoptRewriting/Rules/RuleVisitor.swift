import SwiftSyntax

/// A file with all that rules need to know.
struct FileContext {
  let index: Int
  let source: SourceText
  let tree: SourceFileSyntax
  let program: Program

  var edits: SyntaxEdits { SyntaxEdits(source: source) }
  var scope: Scope { Scope(program: program) }
}

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

/// All rules, in an order that does not matter: each sees the file as it was read.
enum Rules {
  static let all: [RuleVisitor.Type] = [
    ImportRule.self, ModuleNameRule.self, ModelClassRule.self, PropertyRule.self, NamedMethodRule.self,
    InitializerRule.self,
    StoredNamesRule.self, EnumRule.self, ProtocolRule.self, MemberAttributeRule.self, HolderUseRule.self,
    HolderTypeRule.self,
    NameOfPropertyRule.self, CatchRule.self, NSErrorCastRule.self, UnsupportedCallRule.self, UnsupportedTypeRule.self,
  ]

  static func apply(to file: FileContext) throws(EditConflict) -> (edits: EditList, findings: [Finding]) {
    var edits: [Edit] = []
    var findings: [Finding] = []
    for rule in all {
      let visitor = rule.init(file)
      visitor.walk(file.tree)
      edits += visitor.edits
      findings += visitor.findings
    }
    findings.sort { ($0.range.lowerBound, $0.kind.rawValue) < ($1.range.lowerBound, $1.kind.rawValue) }
    return (try EditList(edits), findings)
  }
}
