import SwiftSyntax

/// `@objc protocol` that models conform to becomes a plain one of classes.
final class ProtocolRule: RuleVisitor {
  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    let path = path(of: node, named: node.name)
    guard file.program.isModelProtocol(path), let attribute = node.attributes.attribute("objc") else {
      return .visitChildren
    }
    edits.append(file.edits.remove(attribute))
    for member in node.memberBlock.members { rewrite(member.decl) }
    restrictToClasses(node, path)
    return .visitChildren
  }

  private func rewrite(_ member: DeclSyntax) {
    guard let attributed = member.asProtocol((any WithAttributesSyntax).self),
      let modified = member.asProtocol((any WithModifiersSyntax).self)
    else { return }
    let attribute = attributed.attributes.attribute("objc")
    if let optional = modified.modifiers.first(where: { $0.name.text == "optional" }) {
      report(
        .optionalRequirement, member,
        "an optional requirement needs Objective-C: remove '@objc optional', give it a default in an extension, and call it without '?'",
        suggestion: (attribute.map { [file.edits.remove($0)] } ?? []) + [file.edits.remove(optional)])
    } else if let attribute {
      edits.append(file.edits.remove(attribute))
    }
  }

  private func restrictToClasses(_ node: ProtocolDeclSyntax, _ path: TypePath) {
    guard let clause = node.inheritanceClause, let first = clause.inheritedTypes.first else {
      let end = node.primaryAssociatedTypeClause?.textRange.upperBound ?? node.name.textRange.upperBound
      edits.append(.insert(": AnyObject", at: end))
      return
    }
    let isRestricted = clause.inheritedTypes.contains { type in
      guard let name = NamedType(type.type)?.path else { return true }
      if ["AnyObject", "NSObjectProtocol"].contains(name.last) { return true }
      return file.program.resolve(name, from: path.outer).map(file.program.isObjectiveCProtocol) ?? false
    }
    if !isRestricted { edits.append(.insert("AnyObject, ", at: first.textRange.lowerBound)) }
  }
}
