/// Words that mean something else where Swift classes are declared.
enum SwiftWords {
  /// The words that the language reserves, everywhere or where a type is expected: written between backticks.
  static let keywords: Set<String> = [
    "actor", "any", "associativity", "async", "borrowing", "consume", "consuming", "convenience", "copy", "didSet",
    "discard", "distributed", "dynamic", "each", "final", "get", "indirect", "infix", "isolated", "lazy", "left",
    "macro",
    "mutating", "none", "nonisolated", "nonmutating", "open", "optional", "override", "package", "postfix",
    "precedence",
    "prefix", "required", "right", "sending", "set", "some", "unowned", "unsafe", "weak", "willSet",
    "Any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer", "deinit",
    "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
    "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
    "public", "repeat", "rethrows", "return", "self", "Self", "static", "struct", "subscript", "super", "switch",
    "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  /// Names that no property can have: the language takes them for something else in a key path, or `Object` has a property of that name.
  static let properties: Set<String> = [
    "self", "Self", "Type", "Protocol", "init", "changes", "debugDescription", "description", "hash", "hashValue",
    "isFrozen", "isInvalidated", "objectSchema", "objectWillChange", "realm",
  ]

  /// Names that a key path within a class would not take for another class: those of what `Object` has.
  static let members: Set<String> = properties.union([
    "_realmObjectName", "className", "compositeIndexes", "copy", "detached", "dynamicList", "dynamicMap",
    "dynamicMutableSet", "freeze",
    "ignoredProperties", "indexedProperties", "isAsymmetric", "isEmbedded", "isEqual", "isKind", "isMember", "isProxy",
    "isSameObject", "mutableCopy", "observe", "perform", "primaryKey", "propertiesMapping", "responds", "setValue",
    "sharedSchema", "shouldIncludeInDefaultSchema", "superclass", "syncMode", "thaw", "uniqueKeys", "value",
  ])

  /// Types that declarations name: a class of that name would be taken for them.
  static let types: Set<String> = [
    "AnyKeyPath", "AnyRealmValue", "Bool", "Data", "Date", "Decimal128", "Double", "EmbeddedObject", "Float", "Int",
    "KeyPath",
    "List", "Map", "MutableSet", "Object", "ObjectId", "Persisted", "String", "UUID",
  ]
}
