import SwiftSyntax

/// `person.age.value` becomes `person.age` where `age` is known to be a property that was a `RealmOptional` or `RealmProperty`.
final class HolderUseRule: RuleVisitor {
  private enum Verdict { case property, other, unknown }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    guard node.declName.baseName.text == "value", let base = node.base else { return .visitChildren }
    switch verdict(base.unwrapped) {
    case .property: edits.append(removal(of: node, after: base))
    case .unknown:
      report(
        .holderUse, node, "if this is a property of a model that was a RealmOptional or RealmProperty, remove '.value'",
        suggestion: [removal(of: node, after: base)])
    case .other: break
    }
    return .visitChildren
  }

  override func visit(_ node: KeyPathExprSyntax) -> SyntaxVisitorContinueKind {
    let components = Array(node.components)
    guard let last = components.last, Self.name(last) == "value", components.count > 1,
      let holder = Self.name(components[components.count - 2]), file.program.holderNames.contains(holder)
    else { return .visitChildren }
    let removal = Edit.delete(components[components.count - 2].textRange.upperBound..<last.textRange.upperBound)
    var type =
      node.root.map { file.scope.settled(ValueType($0), from: Scope.enclosingPath(Syntax(node))) }
      ?? ClosureNames(scope: file.scope).given(to: node, 0)
    for component in components.dropLast(2) {
      guard case .named(let path) = type, let name = Self.name(component),
        let (facts, owner) = file.program.member(name, of: path)
      else {
        type = .unknown
        break
      }
      type = file.scope.settled(facts.type, from: owner)
    }
    switch verdict(of: holder, in: type) {
    case .property: edits.append(removal)
    case .unknown: report(.holderUse, node, "if this is a property of a model, remove '.value'", suggestion: [removal])
    case .other: break
    }
    return .visitChildren
  }

  private static func name(_ component: KeyPathComponentSyntax) -> String? {
    component.component.as(KeyPathPropertyComponentSyntax.self)?.declName.baseName.plainText
  }

  private func removal(of node: MemberAccessExprSyntax, after base: ExprSyntax) -> Edit {
    .delete(base.textRange.upperBound..<node.declName.textRange.upperBound)
  }

  /// Judges the expression before `.value`.
  private func verdict(_ base: ExprSyntax) -> Verdict {
    if let access = base.as(MemberAccessExprSyntax.self), let outer = access.base {
      let name = access.declName.baseName.plainText
      guard file.program.holderNames.contains(name) else { return .other }
      let place = Scope.enclosingPath(Syntax(access))
      return verdict(of: name, in: file.scope.settled(file.scope.inference.type(of: outer), from: place))
    }
    guard let reference = base.as(DeclReferenceExprSyntax.self) else { return .other }
    let name = reference.baseName.plainText
    switch file.scope.meaning(of: name, at: Syntax(reference)) {
    case .member(let facts, let owner): return facts.isHolder && file.program.isModel(owner) ? .property : .other
    // A variable that was given such a property holds a copy now; assigning to it does not reach the object.
    case .local(.holder): return Self.isWrittenHolder(name, Syntax(reference)) ? .other : .unknown
    case .local, .global: return .other
    case nil: return file.program.holderNames.contains(name) ? .unknown : .other
    }
  }

  private func verdict(of name: String, in type: ValueType) -> Verdict {
    switch type {
    case .named(let path):
      // A type that is not in the program may be a generic parameter, which any type may take the place of.
      guard let (facts, owner) = file.program.member(name, of: path) else { return .unknown }
      return facts.isHolder && file.program.isModel(owner) ? .property : .other
    case .metatype, .map, .holder, .other: return .other
    // An element of a query, or a property of each element, by the name that only holders have.
    case .collection, .unknown: return .unknown
    }
  }

  /// True if a function around the place has the name as a parameter, whose type is written.
  private static func isWrittenHolder(_ name: String, _ place: Syntax) -> Bool {
    var next = place.parent
    while let node = next {
      if let function = node.as(FunctionDeclSyntax.self) {
        let parameters = function.signature.parameterClause.parameters
        return parameters.contains { ($0.secondName ?? $0.firstName).plainText == name }
      }
      next = node.parent
    }
    return false
  }
}

extension ExprSyntax {
  /// Without `?` and `!` after it.
  var unwrapped: ExprSyntax {
    if let inner = self.as(OptionalChainingExprSyntax.self) { return inner.expression.unwrapped }
    if let inner = self.as(ForceUnwrapExprSyntax.self) { return inner.expression.unwrapped }
    return self
  }
}
