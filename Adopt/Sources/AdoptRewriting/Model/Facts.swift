/// The declarations of a file, without its syntax tree: enough to know which classes are models, and what their properties are.
package struct FileFacts: Sendable {
  var types: [TypeFacts] = []
  var aliases: [TypePath: TypePath] = [:]
  /// Variables and functions outside of types.
  var globals: [String: MemberFacts] = [:]
  /// True if it imports the library, in Swift or for Objective-C.
  var importsLibrary = false
  /// Names of functions with a parameter `update` that is true or false.
  var updateTakers: Set<String> = []
}

/// One declaration of a type, or an extension of it.
struct TypeFacts: Sendable {
  enum Kind: Sendable { case `class`, `protocol`, `enum`, other, `extension` }

  let kind: Kind
  let path: TypePath
  /// The scope that the names of `inherited` are looked up in.
  let scope: TypePath
  let inherited: [TypePath]
  let isObjectiveC: Bool
  let hasObjectiveCMembers: Bool
  var members: [String: MemberFacts] = [:]
  var named: [NamedMethod: NamedValues] = [:]
  /// True if it declares `_realmObjectName`.
  var declaresStoredName = false
}

/// One property or function of a type.
struct MemberFacts: Sendable {
  enum Sort: Sendable { case stored, computed, function }

  let sort: Sort
  /// Of a function what it returns.
  let type: ValueType
  let isStatic: Bool
  let isDynamic: Bool
  let isHolder: Bool
  /// True if it needs no value from an initialiser.
  var isInitialized = true
  /// True if it is a collection of the library, or links that lead to the object.
  var isCollection = false
}

/// The methods by which models of the old style name properties.
enum NamedMethod: String, Sendable, CaseIterable {
  case primaryKey, indexedProperties, ignoredProperties
}

/// The names that such a method returns.
enum NamedValues: Sendable, Equatable {
  case names([String])
  /// It is computed from other things than literals.
  case unreadable
}
