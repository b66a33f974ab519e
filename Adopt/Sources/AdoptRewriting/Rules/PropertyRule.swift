import SwiftSyntax

/// Stored properties of models of the old style become `@Persisted` ones.
final class PropertyRule: RuleVisitor {
  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    if node.isInTypeBody {
      if let model = model(around: node) { rewrite(node, in: model) } else { reportOutside(node) }
    }
    return .visitChildren
  }

  private func rewrite(_ node: VariableDeclSyntax, in model: TypePath) {
    let isStatic = node.modifiers.has("static") || node.modifiers.has("class")
    if node.attributes.has(Library.wrapper) { return }
    let isStored = !isStatic && !node.modifiers.has("lazy") && !node.bindings.contains { $0.isComputed }
    guard isStored else { return strip(node) }
    let ignored = file.program.ignoredNames(of: model)
    let kinds = node.bindings.map { binding -> PropertyKind? in
      guard let name = binding.name else { return nil }
      return ignored.contains(name) ? nil : storedKind(binding, of: node)
    }
    if kinds.allSatisfy({ $0 == nil }) {
      strip(node)
      if !node.bindings.contains(where: { $0.name.map(ignored.contains) ?? false }) { reportUndecided(node, in: model) }
      return
    }
    let writer = PropertyWriter(file: file, node: node, model: model)
    writer.write(kinds)
    edits += writer.edits
    findings += writer.findings
    reportName(node)
  }

  /// Returns the kind of a binding in the store; nil for what RealmSwift does not store.
  private func storedKind(_ binding: PatternBindingSyntax, of node: VariableDeclSyntax) -> PropertyKind? {
    let kind = PropertyKind(binding)
    switch kind {
    case .plain: return node.modifiers.has("dynamic") && node.bindingSpecifier.text == "var" ? .plain : nil
    default: return kind
    }
  }

  /// Removes the words of Objective-C from a property that is not stored, which keeps its form otherwise.
  private func strip(_ node: VariableDeclSyntax) {
    for name in ["objc", "nonobjc"] {
      if let attribute = node.attributes.attribute(name) { edits.append(file.edits.remove(attribute)) }
    }
    for modifier in node.modifiers where modifier.name.text == "dynamic" { edits.append(file.edits.remove(modifier)) }
  }

  /// A variable that Objective-C sees without being `dynamic`: RealmSwift has a column for it, which assignments in Swift do not reach.
  private func reportUndecided(_ node: VariableDeclSyntax, in model: TypePath) {
    guard node.bindingSpecifier.text == "var", !node.attributes.has("nonobjc") else { return }
    let isSeen = node.attributes.has("objc") || file.program.hasObjectiveCMembers(model)
    let isPrivate = node.modifiers.has("private") || node.modifiers.has("fileprivate")
    guard node.attributes.has("objc") || (isSeen && !isPrivate), node.attributes.hasOnlyObjectiveC else { return }
    report(
      .undecidedProperty, node,
      "RealmSwift makes a column for it, and without 'dynamic' does not write it: mark it with @Persisted if it is to be stored",
      suggestion: [.insert("@Persisted ", at: node.firstModifier.textRange.lowerBound)])
  }

  private func reportName(_ node: VariableDeclSyntax) {
    guard let name = node.attributes.attribute("objc")?.objectiveCName, let property = node.bindings.first?.name,
      name != property
    else { return }
    report(
      .objectiveCName, node,
      "stored and found as '\(property)'; where predicates or key paths in text say '\(name)', say '\(property)'")
  }

  private func reportOutside(_ node: VariableDeclSyntax) {
    guard node.attributes.has("objc"), node.modifiers.has("dynamic"), let path = file.scope.enclosingType(Syntax(node))
    else { return }
    let isUnknown = file.program.derivesFromUnknown(path)
    guard isUnknown || file.program.namesRoot(path) else { return }
    report(
      .unknownSuperclass, node,
      isUnknown
        ? "the superclass of \(path) is not among the files: give its file too, or write this by hand if it is a model"
        : "\(path) derives from a class of the program that has the name of the library's: write this by hand if it is a model",
      suggestion: [
        file.edits.replace(node.attributes.attribute("objc").map { Syntax($0) } ?? Syntax(node), by: "@Persisted")
      ] + node.modifiers.filter { $0.name.text == "dynamic" }.map { file.edits.remove($0) })
  }
}

extension VariableDeclSyntax {
  /// True if it is a member of a class, and not a variable of a function.
  var isInTypeBody: Bool { parent?.is(MemberBlockItemSyntax.self) ?? false }

  /// The first word that is no attribute.
  var firstModifier: Syntax { modifiers.first.map { Syntax($0) } ?? Syntax(bindingSpecifier) }
}

extension PatternBindingSyntax {
  var name: String? { pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText }
}

extension AttributeListSyntax {
  /// True if no attribute is a property wrapper or means anything else than how Objective-C sees the declaration.
  var hasOnlyObjectiveC: Bool {
    allSatisfy { element in
      let name = element.as(AttributeSyntax.self).flatMap { NamedType($0.attributeName)?.libraryName } ?? ""
      return ["objc", "nonobjc", "available"].contains(name)
    }
  }
}
