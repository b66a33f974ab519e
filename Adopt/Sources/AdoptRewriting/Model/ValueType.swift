import SwiftSyntax

/// The type of an expression as far as it is known; optionals count as the type that they hold.
indirect enum ValueType: Sendable, Equatable {
  /// A type as it is named; `Program.resolve` finds the declaration.
  case named(TypePath)
  /// The type itself, as in `Person.self`.
  case metatype(TypePath)
  /// A sequence of elements.
  case collection(ValueType)
  /// Values by key.
  case map(ValueType)
  /// `RealmOptional`, `RealmProperty`.
  case holder
  /// Something that has no properties of the program: literals, tuples, functions.
  case other
  case unknown

  private static let sequences: Set<String> = [
    "Results", "List", "MutableSet", "LinkingObjects", "AnyRealmCollection", "Array", "Set", "ArraySlice", "Slice",
    "LazySequence",
    "Query", "RealmCollectionChange", "FlattenSequence", "ReversedCollection", "ContiguousArray",
  ]

  init(_ type: TypeSyntax) {
    if let array = type.as(ArrayTypeSyntax.self) {
      self = .collection(ValueType(array.element))
    } else if let dictionary = type.as(DictionaryTypeSyntax.self) {
      self = .map(ValueType(dictionary.value))
    } else if let named = NamedType(type) {
      self.init(named)
    } else {
      self = type.lookedThrough.map { ValueType($0) } ?? .other
    }
  }

  init(_ named: NamedType) {
    let name = named.libraryName ?? ""
    if Library.holders.contains(name) {
      self = .holder
    } else if Self.sequences.contains(name) {
      self = named.arguments.first.map { .collection(ValueType($0)) } ?? .unknown
    } else if name == "Map" || name == "Dictionary" {
      self = named.arguments.last.map { .map(ValueType($0)) } ?? .unknown
    } else if name == "Optional" || name == "ThreadSafe" || name == "ThreadSafeReference" {
      self = named.arguments.first.map { ValueType($0) } ?? .unknown
    } else {
      self = .named(named.path)
    }
  }
}
