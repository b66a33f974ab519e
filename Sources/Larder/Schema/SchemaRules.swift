/// Collects the classes of a configuration and checks them together (M-1 to M-5, M-20 to M-27).
struct SchemaRules {
  /// True if the configuration lists its classes.
  private let isExplicit: Bool
  /// True if the store is to be synced: only then it has classes of objects that are only sent (Y-46).
  private let isSynced: Bool
  private var models: [ModelClass] = []
  private var byName: [String: ModelClass] = [:]
  private var problems: [SchemaProblem] = []

  /// The classes a Realm is opened with. Throws one error with everything that is wrong with them, before a file is touched
  /// (E-18 to E-20).
  static func models(_ configuration: Realm.Configuration) throws -> [ModelClass] {
    let rules = SchemaRules(configuration)
    if let error = SchemaProblem.error(rules.problems) { throw error }
    return rules.models
  }

  private init(_ configuration: Realm.Configuration) {
    isExplicit = configuration.objectTypes != nil
    isSynced = configuration.syncConfiguration != nil
    for type in configuration.objectTypes ?? ModelDiscovery.modelClasses(isSynced: isSynced) { add(type) }
    for model in models { problems += model.problems }
    for model in models {
      checkLinks(model)
      problems += model.declaredIndexes.compactMap(\.problem)
    }
    // A cycle would show up in a schema with other problems too, but only the others can be distinguished from it.
    if problems.isEmpty { checkEmbeddedCycles() }
  }

  private mutating func add(_ type: ObjectBase.Type) {
    guard !ModelDiscovery.isBaseClass(type) else {
      let name = String(describing: type)
      return problems.append(
        SchemaProblem(className: name, ("it is no model class", "List classes derived from it in objectTypes")))
    }
    guard isSynced || !type.isAsymmetric() else {
      return problems.append(
        SchemaProblem(
          className: type.className(),
          ("it is asymmetric, which needs a sync service", "Leave it out of objectTypes")))
    }
    let model = ModelClass.of(type)
    if let other = byName[model.name] {
      guard other.type != model.type else { return }
      return problems.append(
        SchemaProblem(
          className: model.name,
          (
            "\(String(reflecting: other.type)) and \(String(reflecting: model.type)) are stored under the same name",
            "Rename one, override _realmObjectName() in one, or list the classes of this Realm in objectTypes"
          )))
    }
    byName[model.name] = model
    models.append(model)
  }

  private mutating func checkLinks(_ model: ModelClass) {
    for property in model.properties + model.inverses {
      guard let target = property.objectClass, let problem = problem(of: property, of: model, to: target) else {
        continue
      }
      problems.append(SchemaProblem(className: model.name, propertyName: property.name, problem))
    }
  }

  private func problem(
    of property: ModelProperty, of model: ModelClass, to target: ObjectBase.Type
  ) -> (String, String)? {
    let name = target.className()
    guard !ModelDiscovery.isBaseClass(target) else {
      return ("\(name) is no model class", "Link to a class derived from it")
    }
    guard !target.isAsymmetric() else {
      return ("\(name) is asymmetric: its objects are only sent, and nothing can link to them", "Remove the property")
    }
    guard let known = byName[name] else {
      return (
        property.type == .linkingObjects ? "it follows links of \(name) back" : "it links to \(name)",
        isExplicit ? "Add \(name) to objectTypes" : "Let \(name) be in the default schema, or list objectTypes"
      )
    }
    guard known.type == target else {
      return ("it links to \(String(reflecting: target)), which is not the class \(name) of the schema", "Rename one")
    }
    guard property.type == .linkingObjects, let originName = property.originName, !originName.isEmpty else {
      return nil
    }
    guard let origin = known.property(named: originName) else {
      return (
        "it follows \(name).\(originName) back, which does not exist", known.unknownProperty(originName).withoutStop
      )
    }
    guard origin.isObject, origin.objectClass == model.type else {
      return (
        "it follows \(name).\(originName) back, which is no link to \(model.name)", "Name a link to \(model.name)"
      )
    }
    return nil
  }

  /// An embedded class may not lead to itself through embedded classes only (M-26).
  private mutating func checkEmbeddedCycles() {
    for model in models where model.isEmbedded {
      var visited: Set<String> = []
      guard let path = path(from: model, to: model, &visited) else { continue }
      let names = path.map(\.name)
      // Each cycle is reported once, at its first class by name.
      guard names.min() == model.name else { continue }
      problems.append(
        SchemaProblem(
          className: model.name,
          (
            "embedded classes form a cycle: \((names + [model.name]).joined(separator: " > "))",
            "Derive one of them from Object"
          )))
    }
  }

  /// Embedded classes that lead from one to another, the first included; nil when there is no way.
  private func path(from model: ModelClass, to goal: ModelClass, _ visited: inout Set<String>) -> [ModelClass]? {
    for property in model.properties where property.isEmbedded {
      guard let next = property.objectClass.flatMap({ byName[$0.className()] }) else { continue }
      if next === goal { return [model] }
      guard visited.insert(next.name).inserted else { continue }
      if let rest = path(from: next, to: goal, &visited) { return [model] + rest }
    }
    return nil
  }
}

extension String {
  fileprivate var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }
}

extension ModelClass {
  /// E-66.
  func readOnlyInverse(_ name: String) -> String {
    "\(self.name).\(name) is an inverse property and read-only; change the links it follows back instead."
  }
}
