import LarderSyncProtocol

/// The rules of one class by itself (M-10 to M-17, M-20 to M-23); checked when the class is first read.
enum ModelRules {
  static let maximumClassName = SyncLimit.className.most
  static let maximumPropertyName = SyncLimit.propertyName.most

  static func problems(
    _ type: ObjectBase.Type, _ name: String, _ properties: [ModelProperty], _ inverses: [ModelProperty]
  ) -> [SchemaProblem] {
    let all = properties + inverses
    var found = ofClass(type, name, properties, inverses)
    for property in all {
      found += problems(of: property).map { SchemaProblem(className: name, propertyName: property.name, $0) }
    }
    return found + ofNames(all, name) + ofMapping(type, all, name) + ofKeys(type, properties, name)
  }

  private static func ofClass(
    _ type: ObjectBase.Type, _ name: String, _ properties: [ModelProperty], _ inverses: [ModelProperty]
  ) -> [SchemaProblem] {
    var found: [SchemaProblem] = []
    if properties.isEmpty, inverses.isEmpty {
      found.append(SchemaProblem(className: name, ("it has no stored property", "Mark its properties with @Persisted")))
    }
    if name.utf8.count > maximumClassName {
      found.append(
        SchemaProblem(
          className: name,
          ("its name is longer than \(maximumClassName) bytes", "Choose a shorter one, or override _realmObjectName()"))
      )
    }
    return found
  }

  private typealias Problem = (problem: String, fix: String)

  private static func problems(of property: ModelProperty) -> [Problem] {
    var found: [Problem] = []
    let target = property.objectClassName ?? "its class"
    switch property.kind {
    case .none where property.isObject && !property.isOptional && !property.isCustom:
      found.append(("a link must be optional", "Declare it as \(target)?"))
    case .list where property.isObject && property.isOptional, .set where property.isObject && property.isOptional:
      found.append(("a collection of objects cannot hold nil", "Remove the question mark of its elements"))
    case .map where property.isObject && !property.isOptional && !property.isCustom:
      found.append(("values of a map of objects must be optional", "Declare it as Map<String, \(target)?>"))
    default: break
    }
    if property.kind == .set, property.isEmbedded {
      found.append(("a set cannot hold embedded objects", "Declare it as List<\(target)>"))
    }
    if property.type == .linkingObjects, property.originName?.isEmpty ?? true {
      found.append(("it does not say which links it follows", "Declare it with @Persisted(originProperty: \"…\")"))
    }
    if property.isPrimaryKey, ![.int, .string, .objectId, .UUID].contains(property.type) {
      found.append(
        (
          "a primary key must be an integer, String, ObjectId or UUID, not \(property.type)",
          "Choose one of these types"
        ))
    }
    found += ofIndexes(property)
    if property.columnName.utf8.count > maximumPropertyName {
      found.append(
        (
          "its name is longer than \(maximumPropertyName) bytes",
          "Choose a shorter one, or map it in propertiesMapping()"
        ))
    }
    if property.columnName.isEmpty { found.append(("its stored name is empty", "Correct propertiesMapping()")) }
    return found
  }

  private static func ofIndexes(_ property: ModelProperty) -> [Problem] {
    var found: [Problem] = []
    if property.isIndexed, property.kind != .none {
      found.append(("collections cannot be indexed", "Remove it from indexedProperties()"))
    } else if property.isIndexed, ![.int, .bool, .string, .date, .objectId, .UUID, .any].contains(property.type) {
      found.append(("properties of type \(property.type) cannot be indexed", "Remove 'indexed: true'"))
    }
    if property.isFullText, property.type != .string || property.kind != .none {
      found.append(("only a String can have a full-text index", "Remove 'indexed: .fullText'"))
    }
    return found
  }

  /// Names and stored names are different from each other (M-10, M-20).
  private static func ofNames(_ properties: [ModelProperty], _ name: String) -> [SchemaProblem] {
    var found: [SchemaProblem] = []
    for (index, property) in properties.enumerated() {
      let before = properties[..<index]
      if before.contains(where: { $0.name == property.name }) {
        found.append(
          SchemaProblem(
            className: name, propertyName: property.name, ("declared in the class and its superclass", "Rename one")))
      } else if let other = before.first(where: { $0.columnName == property.columnName }) {
        found.append(
          SchemaProblem(
            className: name, propertyName: property.name,
            ("stored as '\(property.columnName)' like \(other.name)", "Give one another name in propertiesMapping()")))
      } else if let other = properties.first(where: { $0.name != property.name && $0.columnName == property.name }) {
        found.append(
          SchemaProblem(
            className: name, propertyName: property.name,
            ("\(other.name) is stored under this name", "Give one another name, so that predicates can tell them apart")
          ))
      }
    }
    return found
  }

  private static func ofMapping(
    _ type: ObjectBase.Type, _ properties: [ModelProperty], _ name: String
  ) -> [SchemaProblem] {
    let names = Set(properties.map(\.name))
    return type.propertiesMapping().keys.filter { !names.contains($0) }.sorted().map {
      SchemaProblem(
        className: name, propertyName: $0,
        ("propertiesMapping() names it, but it is no stored property", "Correct the name there, or remove it"))
    }
  }

  private static func ofKeys(
    _ type: ObjectBase.Type, _ properties: [ModelProperty], _ name: String
  ) -> [SchemaProblem] {
    let keys = properties.filter(\.isPrimaryKey)
    var found: [SchemaProblem] = []
    if keys.count > 1 {
      let names = keys.map(\.name).joined(separator: ", ")
      found.append(SchemaProblem(className: name, ("it has \(keys.count) primary keys: \(names)", "Keep one")))
    }
    if type.isEmbedded() {
      found += keys.map {
        SchemaProblem(
          className: name, propertyName: $0.name,
          ("an embedded class cannot have a primary key", "Remove 'primaryKey: true', or derive the class from Object"))
      }
    }
    return found
  }
}

extension SchemaProblem {
  init(className: String, propertyName: String? = nil, _ text: (problem: String, fix: String)) {
    self.init(className: className, propertyName: propertyName, problem: text.problem, fix: text.fix)
  }
}
