import SwiftSyntax

/// The meaning of names at a place of a file.
struct Scope {
  let program: Program

  /// The meaning that a name was found to have.
  enum Meaning {
    /// A variable, parameter or the like.
    case local(ValueType)
    /// A member of a type around the place.
    case member(MemberFacts, owner: TypePath)
    case global(MemberFacts)
  }

  var inference: TypeInference {
    TypeInference(
      lookup: { name, place in type(of: name, at: place) },
      member: { path, name, place in memberType(name, of: path, at: place) })
  }

  /// The type that surrounds a place, as the program knows it.
  static func enclosingPath(_ place: Syntax) -> TypePath {
    var names: [String] = []
    var next = place.parent
    while let node = next {
      if let named = node.typeName { names.insert(named, at: 0) }
      if let extended = node.as(ExtensionDeclSyntax.self) {
        names = (NamedType(extended.extendedType)?.path.names ?? []) + names
      }
      next = node.parent
    }
    return TypePath(names)
  }

  func enclosingType(_ place: Syntax) -> TypePath? {
    let path = Self.enclosingPath(place)
    return path.isEmpty ? nil : program.resolve(path, from: TypePath([]))
  }

  func meaning(of name: String, at place: Syntax) -> Meaning? {
    if let local = LocalNames(scope: self).type(of: name, at: place) { return .local(local) }
    var path = Self.enclosingPath(place)
    while !path.isEmpty {
      if let type = program.resolve(path, from: TypePath([])), let (facts, owner) = program.member(name, of: type) {
        return .member(facts, owner: owner)
      }
      path = path.outer
    }
    return program.global(name).map { .global($0) }
  }

  private func type(of name: String, at place: Syntax) -> ValueType {
    if name == "self" || name == "Self" { return selfType(at: place) }
    switch meaning(of: name, at: place) {
    case .local(let type): return type
    case .member(let facts, let owner): return settled(facts.type, from: owner)
    case .global(let facts): return settled(facts.type, from: TypePath([]))
    case nil: return .unknown
    }
  }

  private func selfType(at place: Syntax) -> ValueType {
    guard let path = enclosingType(place) else { return .unknown }
    return .named(path)
  }

  private func memberType(_ name: String, of path: TypePath, at place: Syntax) -> ValueType {
    guard let type = program.resolve(path, from: Self.enclosingPath(place)) else { return .unknown }
    guard let (facts, owner) = program.member(name, of: type) else { return .unknown }
    return settled(facts.type, from: owner)
  }

  /// A type as it is named in another place, by the name it has everywhere.
  func settled(_ type: ValueType, from scope: TypePath) -> ValueType {
    switch type {
    case .named(let path): .named(program.resolve(path, from: scope) ?? path)
    case .metatype(let path): .metatype(program.resolve(path, from: scope) ?? path)
    case .collection(let element): .collection(settled(element, from: scope))
    case .map(let value): .map(settled(value, from: scope))
    case .holder, .other, .unknown: type
    }
  }
}

extension Syntax {
  /// The name of a declaration of a type.
  var typeName: String? {
    if let node = self.as(ClassDeclSyntax.self) { return node.name.plainText }
    if let node = self.as(StructDeclSyntax.self) { return node.name.plainText }
    if let node = self.as(EnumDeclSyntax.self) { return node.name.plainText }
    if let node = self.as(ActorDeclSyntax.self) { return node.name.plainText }
    if let node = self.as(ProtocolDeclSyntax.self) { return node.name.plainText }
    return nil
  }
}
