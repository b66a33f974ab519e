import SwiftSyntax

/// The parameters of closures. Where their types are not written they follow from what the closure is given to.
struct ClosureNames {
  let scope: Scope

  func type(of name: String, in closure: ClosureExprSyntax) -> ValueType? {
    if name.hasPrefix("$"), let number = Int(name.dropFirst()) {
      return closure.signature?.parameterClause == nil ? given(to: closure, number) : nil
    }
    guard let signature = closure.signature else { return nil }
    switch signature.parameterClause {
    case .simpleInput(let names):
      guard let index = Array(names).firstIndex(where: { $0.name.plainText == name }) else {
        return captured(name, closure)
      }
      return given(to: closure, index)
    case .parameterClause(let clause):
      let parameters = Array(clause.parameters)
      guard let index = parameters.firstIndex(where: { ($0.secondName ?? $0.firstName).plainText == name }) else {
        return captured(name, closure)
      }
      guard let type = parameters[index].type else { return given(to: closure, index) }
      return scope.settled(ValueType(type), from: Scope.enclosingPath(Syntax(closure)))
    case nil: return captured(name, closure)
    }
  }

  /// `[name = expression]`; `[name]` means what it means outside.
  private func captured(_ name: String, _ closure: ClosureExprSyntax) -> ValueType? {
    let captures = closure.signature?.capture?.items
    guard let value = captures?.first(where: { $0.name.plainText == name })?.initializer?.value else { return nil }
    return scope.inference.type(of: value)
  }

  private static let ofElements: Set<String> = [
    "filter", "map", "compactMap", "flatMap", "forEach", "first", "last", "contains", "allSatisfy", "sorted", "min",
    "max", "where",
    "firstIndex", "lastIndex", "index", "drop", "prefix", "partition", "removeAll", "count", "sort", "grouped",
    "sectioned", "sum",
  ]

  /// Returns the type that a function hands to a closure, or to a key path in its place, as one of its parameters.
  func given(to closure: some ExprSyntaxProtocol, _ number: Int) -> ValueType {
    guard let access = Self.called(with: Syntax(closure))?.as(MemberAccessExprSyntax.self), let base = access.base
    else {
      return .unknown
    }
    let name = access.declName.baseName.plainText
    let inference = scope.inference
    let type = inference.type(of: base)
    if name == "reduce" { return number == 1 ? settled(inference.element(type), closure) : .unknown }
    switch type {
    case .collection(let element):
      return Self.ofElements.contains(name) ? settled(element, closure) : .unknown
    case .named:
      // `map` of an optional.
      return ["map", "flatMap"].contains(name) ? settled(type, closure) : .unknown
    default: return .unknown
    }
  }

  private func settled(_ type: ValueType, _ closure: some ExprSyntaxProtocol) -> ValueType {
    scope.settled(type, from: Scope.enclosingPath(Syntax(closure)))
  }

  /// The function that a closure is given to, as an argument or after the parentheses.
  private static func called(with closure: Syntax) -> ExprSyntax? {
    if let call = closure.parent?.as(FunctionCallExprSyntax.self) { return call.calledExpression }
    let argument = closure.parent?.as(LabeledExprSyntax.self)
    return argument?.parent?.parent?.as(FunctionCallExprSyntax.self)?.calledExpression
  }
}
