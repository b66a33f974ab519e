import SwiftSyntax

/// Names that functions, closures and statements around a place give to values.
struct LocalNames {
  let scope: Scope

  /// Nil where no local name is meant; `.unknown` where one is whose type cannot be followed.
  func type(of name: String, at place: Syntax) -> ValueType? {
    var child = place
    while let node = child.parent {
      if let found = binding(of: name, in: node, before: child) { return found }
      child = node
    }
    return nil
  }

  private func binding(of name: String, in node: Syntax, before child: Syntax) -> ValueType? {
    if let list = node.as(CodeBlockItemListSyntax.self) { return statement(name, list, before: child) }
    if let function = node.as(FunctionDeclSyntax.self) { return parameter(name, function.signature.parameterClause) }
    if let initializer = node.as(InitializerDeclSyntax.self) {
      return parameter(name, initializer.signature.parameterClause)
    }
    if let made = node.as(SubscriptDeclSyntax.self) { return parameter(name, made.parameterClause) }
    if let closure = node.as(ClosureExprSyntax.self) { return ClosureNames(scope: scope).type(of: name, in: closure) }
    if let loop = node.as(ForStmtSyntax.self) { return element(name, loop, before: child) }
    if let conditions = node.as(ConditionElementListSyntax.self) { return condition(name, conditions, before: child) }
    if let choice = node.as(IfExprSyntax.self), child.id != Syntax(choice.conditions).id,
      child.id != choice.elseBody?.id
    {
      return condition(name, choice.conditions, before: nil)
    }
    if let loop = node.as(WhileStmtSyntax.self), child.id != Syntax(loop.conditions).id {
      return condition(name, loop.conditions, before: nil)
    }
    if let choice = node.as(SwitchCaseSyntax.self) { return binds(name, Syntax(choice.label)) ? .unknown : nil }
    if let handler = node.as(CatchClauseSyntax.self) {
      return name == "error" || binds(name, Syntax(handler.catchItems)) ? .unknown : nil
    }
    if let accessor = node.as(AccessorDeclSyntax.self) {
      let given = accessor.parameters?.name.plainText
      return name == given || (given == nil && ["newValue", "oldValue"].contains(name)) ? .unknown : nil
    }
    return nil
  }

  private func statement(_ name: String, _ list: CodeBlockItemListSyntax, before child: Syntax) -> ValueType? {
    // Names outside of functions are the program's.
    if list.parent?.is(SourceFileSyntax.self) ?? true, !child.isStatement { return nil }
    var found: ValueType?
    for item in list {
      if Syntax(item).id == child.id { break }
      if let variable = item.item.as(VariableDeclSyntax.self) {
        for binding in variable.bindings where binds(name, Syntax(binding.pattern)) { found = type(of: binding) }
      } else if let guarded = item.item.as(GuardStmtSyntax.self) {
        found = condition(name, guarded.conditions, before: nil) ?? found
      }
    }
    return found
  }

  private func type(of binding: PatternBindingSyntax) -> ValueType {
    guard binding.pattern.is(IdentifierPatternSyntax.self) else { return .unknown }
    return type(binding.typeAnnotation, binding.initializer?.value, at: Syntax(binding))
  }

  private func type(_ annotation: TypeAnnotationSyntax?, _ value: ExprSyntax?, at place: Syntax) -> ValueType {
    if let annotation { return scope.settled(ValueType(annotation.type), from: Scope.enclosingPath(place)) }
    guard let value else { return .unknown }
    return scope.settled(scope.inference.type(of: value), from: Scope.enclosingPath(place))
  }

  private func parameter(_ name: String, _ clause: FunctionParameterClauseSyntax) -> ValueType? {
    for parameter in clause.parameters where (parameter.secondName ?? parameter.firstName).plainText == name {
      let type = ValueType(parameter.type)
      let place = Scope.enclosingPath(Syntax(parameter))
      return scope.settled(parameter.ellipsis == nil ? type : .collection(type), from: place)
    }
    return nil
  }

  private func element(_ name: String, _ loop: ForStmtSyntax, before child: Syntax) -> ValueType? {
    guard child.id != Syntax(loop.sequence).id, binds(name, Syntax(loop.pattern)) else { return nil }
    guard loop.pattern.is(IdentifierPatternSyntax.self) else { return .unknown }
    if let annotation = loop.typeAnnotation { return type(annotation, nil, at: Syntax(loop)) }
    let inference = scope.inference
    guard case .collection(let element) = inference.type(of: loop.sequence) else { return .unknown }
    return scope.settled(element, from: Scope.enclosingPath(Syntax(loop)))
  }

  private func condition(_ name: String, _ list: ConditionElementListSyntax, before child: Syntax?) -> ValueType? {
    var found: ValueType?
    for element in list {
      if let child, Syntax(element).id == child.id { break }
      switch element.condition {
      case .optionalBinding(let binding):
        guard binds(name, Syntax(binding.pattern)) else { continue }
        if binding.typeAnnotation != nil || binding.initializer != nil {
          found = type(binding.typeAnnotation, binding.initializer?.value, at: Syntax(binding))
        } else {
          found = outer(name, Syntax(list))
        }
      case .matchingPattern(let match):
        if binds(name, Syntax(match.pattern)) { found = .unknown }
      case .expression, .availability: continue
      }
    }
    return found
  }

  /// `if let person`: what the name means around the condition.
  private func outer(_ name: String, _ list: Syntax) -> ValueType {
    guard let statement = list.parent else { return .unknown }
    return scope.inference.lookup(name, statement)
  }

  private func binds(_ name: String, _ node: Syntax?) -> Bool {
    guard let node else { return false }
    return node.tokens(viewMode: .sourceAccurate).contains { token in
      token.plainText == name && (token.parent?.is(IdentifierPatternSyntax.self) ?? false)
    }
  }
}

extension Syntax {
  /// True if it is code that runs, and not a declaration.
  fileprivate var isStatement: Bool {
    guard let item = self.as(CodeBlockItemSyntax.self) else { return false }
    if case .decl = item.item { return false }
    return true
  }
}
