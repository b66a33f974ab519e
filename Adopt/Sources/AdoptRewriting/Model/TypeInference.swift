import SwiftSyntax

/// Follows an expression to the type it has, as far as the program's own declarations and the library's calls say it.
struct TypeInference {
  /// The type of a name at a place.
  let lookup: (String, Syntax) -> ValueType
  /// The type of a member of a type of the program.
  let member: (TypePath, String, Syntax) -> ValueType

  /// For the values of properties while files are still read: what they say by themselves.
  static var byItself: TypeInference { TypeInference(lookup: { _, _ in .unknown }, member: { _, _, _ in .unknown }) }

  private static let elementOf: Set<String> = [
    "first", "last", "min", "max", "randomElement", "popLast", "removeFirst", "removeLast", "remove", "element",
  ]
  private static let collectionOf: Set<String> = [
    "filter", "sorted", "where", "distinct", "prefix", "suffix", "reversed", "shuffled", "dropFirst", "dropLast",
    "drop", "freeze",
    "thaw", "lazy", "elements", "detached", "limit", "offset",
  ]
  private static let sameObject: Set<String> = ["freeze", "thaw", "detached", "ifValid", "projectedValue"]
  /// Calls whose first argument says the type of what they return.
  private static let byType: Set<String> = ["objects", "object", "create"]

  func type(of expression: ExprSyntax) -> ValueType {
    if let inner = Self.looked(through: expression) { return type(of: inner) }
    if let sequence = expression.as(SequenceExprSyntax.self) { return type(of: sequence) }
    if let reference = expression.as(DeclReferenceExprSyntax.self) { return type(of: reference) }
    if let access = expression.as(MemberAccessExprSyntax.self) { return type(of: access) }
    if let call = expression.as(FunctionCallExprSyntax.self) { return type(of: call) }
    if let subscripted = expression.as(SubscriptCallExprSyntax.self) {
      return element(type(of: subscripted.calledExpression))
    }
    if let array = expression.as(ArrayExprSyntax.self) {
      return array.elements.first.map { .collection(type(of: $0.expression)) } ?? .unknown
    }
    if expression.is(SuperExprSyntax.self) { return lookup("self", Syntax(expression)) }
    if let specialized = expression.as(GenericSpecializationExprSyntax.self),
      let named = NamedType(ExprSyntax(specialized))
    {
      return .metatype(named.path)
    }
    let isLiteral =
      expression.is(StringLiteralExprSyntax.self) || expression.is(IntegerLiteralExprSyntax.self)
      || expression.is(FloatLiteralExprSyntax.self) || expression.is(BooleanLiteralExprSyntax.self)
      || expression.is(DictionaryExprSyntax.self) || expression.is(ClosureExprSyntax.self)
      || expression.is(KeyPathExprSyntax.self)
    return isLiteral ? .other : .unknown
  }

  /// Optional chaining, unwrapping, parentheses, `try` and `await` change nothing that matters here.
  private static func looked(through expression: ExprSyntax) -> ExprSyntax? {
    if let inner = expression.as(OptionalChainingExprSyntax.self) { return inner.expression }
    if let inner = expression.as(ForceUnwrapExprSyntax.self) { return inner.expression }
    if let inner = expression.as(TryExprSyntax.self) { return inner.expression }
    if let inner = expression.as(AwaitExprSyntax.self) { return inner.expression }
    if let tuple = expression.as(TupleExprSyntax.self), tuple.elements.count == 1 {
      return tuple.elements.first?.expression
    }
    return nil
  }

  private func type(of sequence: SequenceExprSyntax) -> ValueType {
    let elements = Array(sequence.elements)
    if elements.count >= 3, elements[elements.count - 2].is(UnresolvedAsExprSyntax.self),
      let written = elements[elements.count - 1].as(TypeExprSyntax.self)
    {
      return ValueType(written.type)
    }
    let operators = elements.compactMap { $0.as(BinaryOperatorExprSyntax.self)?.operator.text }
    guard elements.count >= 3, operators.count * 2 + 1 == elements.count else { return .unknown }
    return operators.allSatisfy { $0 == "??" } ? type(of: elements[0]) : .other
  }

  private func type(of reference: DeclReferenceExprSyntax) -> ValueType {
    let name = reference.baseName.plainText
    let found = lookup(name, Syntax(reference))
    if found != .unknown { return found }
    return name.isTypeName ? .metatype(TypePath([name])) : .unknown
  }

  private func type(of access: MemberAccessExprSyntax) -> ValueType {
    guard let base = access.base else { return .unknown }
    let name = access.declName.baseName.plainText
    switch type(of: base) {
    case .named(let path):
      return Self.sameObject.contains(name) ? .named(path) : member(path, name, Syntax(access))
    case .metatype(let path):
      if name == "self" { return .metatype(path) }
      return name.isTypeName ? .metatype(TypePath(path.names + [name])) : member(path, name, Syntax(access))
    case .collection(let element):
      if Self.elementOf.contains(name) { return element }
      return Self.collectionOf.contains(name) ? .collection(element) : .unknown
    case .map(let value): return name == "values" ? .collection(value) : .unknown
    case .holder, .other: return .other
    case .unknown: return .unknown
    }
  }

  private func type(of call: FunctionCallExprSyntax) -> ValueType {
    if let named = NamedType(call.calledExpression) {
      let isArray = ["Array", "Set"].contains(named.libraryName) && named.arguments.isEmpty
      if named.libraryName == Library.inverse,
        let first = call.arguments.first?.expression.as(MemberAccessExprSyntax.self),
        let base = first.base, let element = NamedType(base)
      {
        return .collection(ValueType(element))
      }
      if isArray { return call.arguments.first.map { type(of: $0.expression) } ?? .unknown }
      return ValueType(named)
    }
    if let reference = call.calledExpression.as(DeclReferenceExprSyntax.self) {
      let found = lookup(reference.baseName.plainText, Syntax(reference))
      return found
    }
    guard let access = call.calledExpression.as(MemberAccessExprSyntax.self) else { return .unknown }
    let name = access.declName.baseName.plainText
    if Self.byType.contains(name), let first = call.arguments.first?.expression,
      let metatype = first.as(MemberAccessExprSyntax.self), metatype.declName.baseName.text == "self",
      let base = metatype.base, let named = NamedType(base)
    {
      return name == "objects" ? .collection(ValueType(named)) : ValueType(named)
    }
    return type(of: access)
  }

  /// Returns the type of the elements that a loop or a closure gets of a type.
  func element(_ type: ValueType) -> ValueType {
    switch type {
    case .collection(let element): element
    case .map(let value): value
    default: .unknown
    }
  }
}
