/// The name of a type with the types around it: `Shop.Item`.
package struct TypePath: Sendable, Hashable, CustomStringConvertible {
  package var names: [String]

  package init(_ names: [String]) { self.names = names }

  package var description: String { names.joined(separator: ".") }
  package var last: String { names.last ?? "" }
  package var isEmpty: Bool { names.isEmpty }
  package var outer: TypePath { TypePath(names.dropLast()) }

  package static func + (left: TypePath, right: TypePath) -> TypePath { TypePath(left.names + right.names) }
}

/// Names of the library that a program leaves, and of the one that it comes to.
enum Library {
  static let oldModule = "RealmSwift"
  static let oldObjectiveCModule = "Realm"
  static let newModule = "Larder"
  static let modules: Set<String> = [oldModule, newModule]

  static let objectRoots: Set<String> = ["Object", "RealmSwiftObject", "AsymmetricObject"]
  static let embeddedRoots: Set<String> = ["EmbeddedObject", "RealmSwiftEmbeddedObject"]
  static let roots = objectRoots.union(embeddedRoots)
  static let collections: Set<String> = ["List", "MutableSet", "Map"]
  static let inverse = "LinkingObjects"
  static let holders: Set<String> = ["RealmOptional", "RealmProperty"]
  static let oldEnum = "RealmEnum"
  static let newEnum = "PersistableEnum"
  static let wrapper = "Persisted"

  /// A type's text under the new module's name.
  static func renamed(_ text: String) -> String {
    text.replacing("\(oldModule).", with: "\(newModule).")
  }
}
