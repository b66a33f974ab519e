import SwiftSyntax

/// Reads a file's declarations.
final class DeclarationCollector: SyntaxVisitor {
  private(set) var facts = FileFacts()
  /// Indices in `facts.types` of the types around the place.
  private var open: [Int] = []
  private var path = TypePath([])
  /// The number of functions around the place, within the innermost type; what they declare are no members.
  private var functions = [0]

  static func facts(of tree: SourceFileSyntax) -> FileFacts {
    let collector = DeclarationCollector(viewMode: .sourceAccurate)
    collector.walk(tree)
    return collector.facts
  }

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    let module = node.path.first?.name.text ?? ""
    if Library.modules.contains(module) || module == Library.oldObjectiveCModule { facts.importsLibrary = true }
    return .skipChildren
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.class, node.name.plainText, node.inheritanceClause, node.attributes)
  }
  override func visitPost(_ node: ClassDeclSyntax) { leave() }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.other, node.name.plainText, node.inheritanceClause, node.attributes)
  }
  override func visitPost(_ node: StructDeclSyntax) { leave() }

  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.other, node.name.plainText, node.inheritanceClause, node.attributes)
  }
  override func visitPost(_ node: ActorDeclSyntax) { leave() }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.enum, node.name.plainText, node.inheritanceClause, node.attributes)
  }
  override func visitPost(_ node: EnumDeclSyntax) { leave() }

  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.protocol, node.name.plainText, node.inheritanceClause, node.attributes)
  }
  override func visitPost(_ node: ProtocolDeclSyntax) { leave() }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    let extended = NamedType(node.extendedType)?.path ?? TypePath([])
    facts.types.append(
      TypeFacts(
        kind: .extension, path: extended, scope: TypePath([]), inherited: Self.inherited(node.inheritanceClause),
        isObjectiveC: node.attributes.has("objc"), hasObjectiveCMembers: node.attributes.has("objcMembers")))
    open.append(facts.types.count - 1)
    functions.append(0)
    path = extended
    return .visitChildren
  }
  override func visitPost(_ node: ExtensionDeclSyntax) {
    open.removeLast()
    functions.removeLast()
    path = TypePath([])
  }

  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    if let target = NamedType(node.initializer.value) {
      facts.aliases[TypePath(path.names + [node.name.plainText])] = target.path
    }
    return .skipChildren
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    guard functions.last == 0 else { return .visitChildren }
    for binding in node.bindings { add(binding, of: node) }
    return .skipChildren
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    defer { functions[functions.count - 1] += 1 }
    guard functions.last == 0 else { return .visitChildren }
    let returned = node.signature.returnClause.map { ValueType($0.type) } ?? .other
    let isStatic = node.modifiers.has("static") || node.modifiers.has("class")
    let takesUpdate = node.signature.parameterClause.parameters.contains {
      $0.firstName.text == "update" && NamedType($0.type)?.path.names == ["Bool"]
    }
    if takesUpdate { self.facts.updateTakers.insert(node.name.plainText) }
    let facts = MemberFacts(sort: .function, type: returned, isStatic: isStatic, isDynamic: false, isHolder: false)
    add(node.name.plainText, facts)
    if isStatic, let type = open.last {
      if let method = NamedMethod(rawValue: node.name.text) { self.facts.types[type].named[method] = NamedValues(node) }
      if node.name.text == "_realmObjectName" { self.facts.types[type].declaresStoredName = true }
    }
    return .visitChildren
  }
  override func visitPost(_ node: FunctionDeclSyntax) { functions[functions.count - 1] -= 1 }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind { enterFunction() }
  override func visitPost(_ node: InitializerDeclSyntax) { functions[functions.count - 1] -= 1 }

  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind { enterFunction() }
  override func visitPost(_ node: SubscriptDeclSyntax) { functions[functions.count - 1] -= 1 }

  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { enterFunction() }
  override func visitPost(_ node: ClosureExprSyntax) { functions[functions.count - 1] -= 1 }

  private func enterFunction() -> SyntaxVisitorContinueKind {
    functions[functions.count - 1] += 1
    return .visitChildren
  }

  private func enter(
    _ kind: TypeFacts.Kind, _ name: String, _ clause: InheritanceClauseSyntax?, _ attributes: AttributeListSyntax
  ) -> SyntaxVisitorContinueKind {
    let outer = path
    path.names.append(name)
    facts.types.append(
      TypeFacts(
        kind: kind, path: path, scope: outer, inherited: Self.inherited(clause), isObjectiveC: attributes.has("objc"),
        hasObjectiveCMembers: attributes.has("objcMembers")))
    open.append(facts.types.count - 1)
    functions.append(0)
    return .visitChildren
  }

  private func leave() {
    open.removeLast()
    functions.removeLast()
    path.names.removeLast()
  }

  private static func inherited(_ clause: InheritanceClauseSyntax?) -> [TypePath] {
    clause?.inheritedTypes.flatMap { type -> [TypePath] in
      if let composition = type.type.as(CompositionTypeSyntax.self) {
        return composition.elements.compactMap { NamedType($0.type)?.path }
      }
      return NamedType(type.type).map { [$0.path] } ?? []
    } ?? []
  }

  private func add(_ binding: PatternBindingSyntax, of node: VariableDeclSyntax) {
    guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText else { return }
    let type =
      binding.typeAnnotation.map { ValueType($0.type) }
      ?? binding.initializer.map { TypeInference.byItself.type(of: $0.value) } ?? .unknown
    let isStatic = node.modifiers.has("static") || node.modifiers.has("class")
    let kind = PropertyKind(binding)
    add(
      name,
      MemberFacts(
        sort: binding.isComputed ? .computed : .stored, type: type, isStatic: isStatic,
        isDynamic: node.modifiers.has("dynamic"),
        isHolder: !isStatic && kind.isHolder, isInitialized: binding.isInitialized(in: node),
        isCollection: !isStatic && kind.isCollection))
  }

  private func add(_ name: String, _ member: MemberFacts) {
    if let type = open.last {
      // A property is what a name without parentheses means, whatever functions share it.
      if member.sort == .function, facts.types[type].members[name] != nil { return }
      facts.types[type].members[name] = member
    } else {
      facts.globals[name] = member
    }
  }
}

extension AttributeListSyntax {
  func has(_ name: String) -> Bool { attribute(name) != nil }

  /// The attribute of a name, those within `#if` left out.
  func attribute(_ name: String) -> AttributeSyntax? {
    lazy.compactMap { $0.as(AttributeSyntax.self) }.first { NamedType($0.attributeName)?.libraryName == name }
  }
}

extension DeclModifierListSyntax {
  func has(_ name: String) -> Bool { contains { $0.name.text == name } }
}

extension PatternBindingSyntax {
  /// True if a property has a value before any initialiser gives it one.
  func isInitialized(in node: VariableDeclSyntax) -> Bool {
    let type = typeAnnotation?.type
    let isOptional =
      type?.is(OptionalTypeSyntax.self) ?? false || type?.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) ?? false
    return initializer != nil || (isOptional && node.bindingSpecifier.text == "var") || node.modifiers.has("lazy")
  }

  /// True if it has a getter; observers alone leave it stored.
  var isComputed: Bool {
    guard let block = accessorBlock else { return false }
    guard case .accessors(let accessors) = block.accessors else { return true }
    return !accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
  }
}
