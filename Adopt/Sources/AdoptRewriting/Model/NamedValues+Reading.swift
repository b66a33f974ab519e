import SwiftSyntax

extension NamedValues {
  /// Reads a body that is one expression of literals.
  init(_ function: FunctionDeclSyntax) {
    guard let expression = Self.result(of: function), let names = Self.names(expression) else {
      self = .unreadable
      return
    }
    self = .names(names)
  }

  private static func result(of function: FunctionDeclSyntax) -> ExprSyntax? {
    guard let statements = function.body?.statements, statements.count == 1, let only = statements.first else {
      return nil
    }
    switch only.item {
    case .expr(let expression): return expression
    case .stmt(let statement): return statement.as(ReturnStmtSyntax.self)?.expression
    case .decl: return nil
    }
  }

  private static func names(_ expression: ExprSyntax) -> [String]? {
    if expression.is(NilLiteralExprSyntax.self) { return [] }
    if let name = PropertyNameReading.name(expression) { return [name] }
    if let array = expression.as(ArrayExprSyntax.self) {
      var result: [String] = []
      for element in array.elements {
        guard let name = PropertyNameReading.name(element.expression) else { return nil }
        result.append(name)
      }
      return result
    }
    if let sequence = expression.as(SequenceExprSyntax.self) { return sum(sequence) }
    return nil
  }

  /// `super.indexedProperties() + ["name"]`: the superclass names its own.
  private static func sum(_ sequence: SequenceExprSyntax) -> [String]? {
    var result: [String] = []
    for (index, element) in sequence.elements.enumerated() {
      if index % 2 == 1 {
        guard element.as(BinaryOperatorExprSyntax.self)?.operator.text == "+" else { return nil }
      } else if let call = element.as(FunctionCallExprSyntax.self) {
        let base = call.calledExpression.as(MemberAccessExprSyntax.self)?.base
        guard base?.is(SuperExprSyntax.self) ?? false else { return nil }
      } else {
        guard let names = names(element) else { return nil }
        result += names
      }
    }
    return result
  }
}

/// Names of properties in expressions: literals and `#keyPath`.
enum PropertyNameReading {
  static func name(_ expression: ExprSyntax) -> String? {
    if let literal = expression.as(StringLiteralExprSyntax.self) { return literal.representedLiteralValue }
    guard let macro = expression.as(MacroExpansionExprSyntax.self), macro.macroName.text == "keyPath",
      macro.arguments.count == 1, let path = macro.arguments.first?.expression
    else { return nil }
    return components(path)?.last
  }

  /// The names of `Dog.owner.name`; nil for anything but names with dots between them.
  static func components(_ expression: ExprSyntax) -> [String]? {
    if let reference = expression.as(DeclReferenceExprSyntax.self) { return [reference.baseName.plainText] }
    guard let access = expression.as(MemberAccessExprSyntax.self), let base = access.base, let before = components(base)
    else { return nil }
    return before + [access.declName.baseName.plainText]
  }
}
