import SwiftSyntax

/// Lists calls that have no counterpart: key-value observing, publishers of Combine.
final class UnsupportedCallRule: RuleVisitor {
  private static let publishers: Set<String> = [
    "collectionPublisher", "changesetPublisher", "objectPublisher", "valuePublisher", "dictionaryPublisher",
    "objectWillChange",
    "collectionChangeSetPublisher", "sectionedResultsPublisher",
  ]
  private static let changes: Set<String> = ["willChangeValue", "didChangeValue"]

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    guard let name = node.calledName else { return .visitChildren }
    let labels = node.arguments.map { $0.label?.text ?? "" }
    if ["addObserver", "removeObserver"].contains(name), labels.contains("forKeyPath") {
      observing(node, "use 'observe', which gives a token that ends it")
    } else if name == "observe", let first = node.arguments.first, first.label == nil,
      first.expression.is(KeyPathExprSyntax.self)
    {
      observing(node, "write observe(keyPaths:) { change in … }, and read the new values from the change")
    } else if Self.changes.contains(name), labels.first == "forKey" {
      observing(node, "remove it: observers hear of every change of a stored property")
    }
    return .visitChildren
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    if node.name.text == "observeValue", node.modifiers.has("override") {
      observing(node.name, "delete the method: it overrides nothing on Linux; 'observe' tells of changes")
    }
    return .visitChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    if Self.publishers.contains(node.baseName.text) {
      report(
        .combine, node,
        "on Linux, 'import OpenCombine' and the trait 'OpenCombine' of Larder; 'for await change in results.changes' does without"
      )
    }
    return .visitChildren
  }

  private func observing(_ node: some SyntaxProtocol, _ advice: String) {
    report(.keyValueObserving, node, "there is no key-value observing: " + advice)
  }
}

extension FunctionCallExprSyntax {
  /// The last name of what is called.
  var calledName: String? {
    if let access = calledExpression.as(MemberAccessExprSyntax.self) { return access.declName.baseName.plainText }
    return calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.plainText
  }
}
