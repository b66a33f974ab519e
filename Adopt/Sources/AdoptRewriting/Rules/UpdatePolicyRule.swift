import SwiftSyntax

/// `update: true` of `add` and `create`, which were the policies `.all` and `.error`.
final class UpdatePolicyRule: RuleVisitor {
  private static let calls: Set<String> = ["add", "create"]
  private static let comparisons: Set<String> = ["==", "!=", "<", ">", "<=", ">=", "===", "!==", "&&", "||"]

  private enum Receiver { case library, program, unknown }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    guard let name = node.calledName, Self.calls.contains(name), node.arguments.first?.label == nil,
      let value = node.arguments.first(where: { $0.label?.text == "update" })?.expression,
      let (policy, isSure) = policy(value)
    else { return .visitChildren }
    let receiver = receiver(of: node, name)
    if receiver == .program { return .visitChildren }
    let edit = file.edits.replace(value, by: policy)
    if receiver == .library, isSure {
      edits.append(edit)
    } else {
      report(
        .updatePolicy, node, "if this is of a Realm and 'update' was true or false, it is a policy now",
        suggestion: [edit])
    }
    return .visitChildren
  }

  /// Returns the text to write instead, and whether the value is surely true or false; nil for a policy.
  private func policy(_ value: ExprSyntax) -> (text: String, isSure: Bool)? {
    if let literal = value.as(BooleanLiteralExprSyntax.self) {
      return (literal.literal.text == "true" ? ".all" : ".error", true)
    }
    let text = "\(value.trimmedDescription) ? .all : .error"
    if let prefix = value.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "!" { return (text, true) }
    if let sequence = value.as(SequenceExprSyntax.self) {
      let operators = sequence.elements.compactMap { $0.as(BinaryOperatorExprSyntax.self)?.operator.text }
      return operators.contains { Self.comparisons.contains($0) } ? (text, true) : nil
    }
    guard value.is(DeclReferenceExprSyntax.self) || value.as(MemberAccessExprSyntax.self)?.base != nil else {
      return nil
    }
    switch file.scope.inference.type(of: value) {
    case .named(let type): return type.names == ["Bool"] ? (text, true) : nil
    case .other: return (text, false)
    case .unknown: return value.is(DeclReferenceExprSyntax.self) ? (text, false) : nil
    default: return nil
    }
  }

  private func receiver(of node: FunctionCallExprSyntax, _ name: String) -> Receiver {
    guard let base = node.calledExpression.as(MemberAccessExprSyntax.self)?.base else {
      let path = Scope.enclosingPath(Syntax(node))
      return path.last == "Realm" && file.program.member(name, of: path) == nil ? .library : .program
    }
    switch file.scope.inference.type(of: base) {
    case .named(let type):
      if file.program.declares(type, from: TypePath([])) { return .program }
      // An extension of the program may be what is meant.
      return file.program.member(name, of: type) == nil ? .library : .unknown
    case .unknown: return file.program.updateTakers.contains(name) ? .unknown : .library
    default: return .program
    }
  }
}
