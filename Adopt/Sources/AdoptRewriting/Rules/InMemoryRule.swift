import SwiftSyntax

/// Lists stores in memory that a test names and does not keep: here they end with their last Realm.
final class InMemoryRule: RuleVisitor {
  private static let tests = ["TestCase", "Tests", "Spec"]

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    guard node.baseName.text == "inMemoryIdentifier", let access = node.parent?.as(MemberAccessExprSyntax.self),
      let elements = access.parent?.as(ExprListSyntax.self).map(Array.init), elements.count > 1,
      elements[0].id == ExprSyntax(access).id, elements[1].is(AssignmentExprSyntax.self)
    else { return .visitChildren }
    check(Syntax(node))
    return .visitChildren
  }

  override func visit(_ node: LabeledExprSyntax) -> SyntaxVisitorContinueKind {
    if node.label?.text == "inMemoryIdentifier", !node.expression.is(NilLiteralExprSyntax.self) { check(Syntax(node)) }
    return .visitChildren
  }

  private func check(_ node: Syntax) {
    guard let path = file.scope.enclosingType(node), file.program.derives(path, fromNameEndingIn: Self.tests),
      !file.program.hasStored("Realm", in: path), let statement = Self.statement(around: node),
      !Self.opens(statement)
    else { return }
    let line = file.source.newline + file.source.indentation(at: statement.textRange.lowerBound)
    report(
      .inMemory, statement,
      "the store ends with its last Realm: add 'private var keeper: Realm?' to \(path.last), and keep one as long as the test",
      suggestion: [
        .insert("\(line)keeper = try! Realm(\(Self.argument(statement)))", at: statement.textRange.upperBound)
      ])
  }

  /// `configuration: name` where the statement declares a configuration of a name; the default one needs no argument.
  private static func argument(_ statement: CodeBlockItemSyntax) -> String {
    if let name = statement.item.as(VariableDeclSyntax.self)?.bindings.first?.name { return "configuration: \(name)" }
    let first = statement.firstToken(viewMode: .sourceAccurate)?.text ?? ""
    return first.isTypeName || first == "return" ? "" : "configuration: \(first)"
  }

  /// True if a statement opens a Realm, which is what it is for then.
  private static func opens(_ statement: CodeBlockItemSyntax) -> Bool {
    statement.tokens(viewMode: .sourceAccurate).contains { token in
      token.text == "Realm" && token.nextToken(viewMode: .sourceAccurate)?.text == "("
    }
  }

  private static func statement(around node: Syntax) -> CodeBlockItemSyntax? {
    var next = node.parent
    while let place = next {
      if let statement = place.as(CodeBlockItemSyntax.self) { return statement }
      next = place.parent
    }
    return nil
  }
}
