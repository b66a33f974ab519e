/// The declarations of a class about its properties by name, as in models of the old style: primary key, indexes, and what is not stored.
///
/// Honoured beside the wrappers; where the two contradict each other the schema is refused.
struct NamedDeclarations {
  private let primaryKey: String?
  private let indexed: Set<String>
  private let ignored: Set<String>

  init(_ type: ObjectBase.Type) {
    let object = type as? Object.Type
    primaryKey = object?.primaryKey()
    indexed = Set(object?.indexedProperties() ?? [])
    ignored = Set(object?.ignoredProperties() ?? (type as? EmbeddedObject.Type)?.ignoredProperties() ?? [])
  }

  func isPrimaryKey(_ name: String) -> Bool { name == primaryKey }
  func isIndexed(_ name: String) -> Bool { indexed.contains(name) }

  /// Names that are no stored properties, and those whose wrappers say otherwise.
  func problems(_ properties: [ModelProperty], _ inverses: [ModelProperty], _ className: String) -> [SchemaProblem] {
    let names = Set(properties.map(\.name))
    var found: [SchemaProblem] = []
    func add(_ name: String, _ problem: String, _ fix: String) {
      found.append(SchemaProblem(className: className, propertyName: name, (problem, fix)))
    }
    if let primaryKey, !names.contains(primaryKey) {
      add(primaryKey, "primaryKey() names it, but it is no stored property", "Correct the name there, or remove it")
    }
    for name in indexed.sorted() where !names.contains(name) {
      add(name, "indexedProperties() names it, but it is no stored property", "Correct the name there, or remove it")
    }
    for property in properties where property.isFullText && indexed.contains(property.name) {
      add(
        property.name, "indexedProperties() names it, but its wrapper asks for a full-text index",
        "Remove it there, or declare it with 'indexed: true'")
    }
    for property in properties + inverses where ignored.contains(property.name) {
      add(
        property.name, "ignoredProperties() names it, but it is marked with @Persisted",
        "Remove one of the two: what is without @Persisted is not stored")
    }
    return found
  }
}
