import SwiftSyntax

/// A type as a program names it: the names, and what is between the angle brackets.
struct NamedType {
  let path: TypePath
  let arguments: [TypeSyntax]

  init(path: TypePath, arguments: [TypeSyntax] = []) {
    self.path = path
    self.arguments = arguments
  }

  /// Nil for tuples, functions and the like. Optionals, parentheses, `any` and `some` are looked through.
  init?(_ type: TypeSyntax) {
    if let named = type.as(IdentifierTypeSyntax.self) {
      self.init(path: TypePath([named.name.plainText]), arguments: Self.arguments(named.genericArgumentClause))
    } else if let member = type.as(MemberTypeSyntax.self), let base = NamedType(member.baseType) {
      self.init(
        path: base.path + TypePath([member.name.plainText]), arguments: Self.arguments(member.genericArgumentClause))
    } else if let inner = type.lookedThrough {
      self.init(inner)
    } else {
      return nil
    }
  }

  /// The type that an expression names: `List<Dog>`, `RealmSwift.List<Dog>`, `Dog`.
  init?(_ expression: ExprSyntax) {
    if let specialized = expression.as(GenericSpecializationExprSyntax.self) {
      guard let base = NamedType(specialized.expression) else { return nil }
      self.init(path: base.path, arguments: Self.arguments(specialized.genericArgumentClause))
    } else if let reference = expression.as(DeclReferenceExprSyntax.self) {
      guard reference.baseName.plainText.isTypeName else { return nil }
      self.init(path: TypePath([reference.baseName.plainText]))
    } else if let access = expression.as(MemberAccessExprSyntax.self), let base = access.base {
      guard access.declName.baseName.plainText.isTypeName, let outer = NamedType(base) else { return nil }
      self.init(path: outer.path + TypePath([access.declName.baseName.plainText]))
    } else if let type = expression.as(TypeExprSyntax.self) {
      self.init(type.type)
    } else {
      return nil
    }
  }

  /// The last name, of the library's types also with the module before it.
  var libraryName: String? {
    switch path.names.count {
    case 1: path.names[0]
    case 2 where Library.modules.contains(path.names[0]): path.names[1]
    default: nil
    }
  }

  private static func arguments(_ clause: GenericArgumentClauseSyntax?) -> [TypeSyntax] {
    clause?.arguments.compactMap {
      if case .type(let type) = $0.argument { type } else { nil }
    } ?? []
  }
}

extension TypeSyntax {
  /// The type within an optional, parentheses, attributes, `any` or `some`.
  var lookedThrough: TypeSyntax? {
    if let type = self.as(OptionalTypeSyntax.self) { return type.wrappedType }
    if let type = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return type.wrappedType }
    if let type = self.as(AttributedTypeSyntax.self) { return type.baseType }
    if let type = self.as(SomeOrAnyTypeSyntax.self) { return type.constraint }
    if let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1 { return tuple.elements.first?.type }
    return nil
  }
}

extension TokenSyntax {
  /// A name without the backticks that a keyword needs.
  var plainText: String {
    text.hasPrefix("`") && text.hasSuffix("`") && text.count > 2 ? String(text.dropFirst().dropLast()) : text
  }
}

extension String {
  /// Types begin with a capital letter, after underscores.
  var isTypeName: Bool { drop { $0 == "_" }.first?.isUppercase ?? false }
}
