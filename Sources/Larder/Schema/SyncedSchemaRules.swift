import LarderStorage

/// The rules of the classes of a store that is synced, and of changes to them (Y-44 to Y-48, Y-50).
enum SyncedSchemaRules {
  /// Throws one error with everything that is wrong (`schemaMismatch`).
  ///
  /// - Parameter stored: What the file has; nil for a new one.
  static func verify(_ models: [ModelClass], stored: StoreSchema? = nil) throws {
    let found = problems(models) + (stored.map { changes(from: $0, to: models) } ?? [])
    guard let first = found.first else { return }
    throw Realm.Error.make(
      .schemaMismatch,
      "These classes cannot be synchronised so:\n" + found.map { "- " + $0.text }.joined(separator: "\n"),
      className: first.className, propertyName: first.propertyName)
  }

  private static let primaryKeys: [ColumnType] = [.int, .string, .objectId, .uuid]

  /// Returns the faults of the classes by themselves.
  static func problems(_ models: [ModelClass]) -> [SchemaProblem] {
    let byName = Dictionary(models.map { ($0.name, $0) }) { first, _ in first }
    let synced = models.filter(isSynced)
    var found = synced.compactMap(keyProblem)
    for model in synced + owned(by: synced, byName) {
      for property in model.properties where !property.isLocalOnly {
        guard let target = property.objectClassName.flatMap({ byName[$0] }), !target.isEmbedded, !isSynced(target)
        else {
          continue
        }
        found.append(
          SchemaProblem(
            className: model.name, propertyName: property.name,
            (
              "it links to \(target.name), whose objects stay on this device",
              "Let \(target.name) be synced, or declare the property with @Persisted(localOnly: true)"
            )))
      }
    }
    return found
  }

  /// Returns true if objects of a class go to the server.
  private static func isSynced(_ model: ModelClass) -> Bool {
    !model.isEmbedded && model.syncedDeclaration.syncMode ?? .local != .local
  }

  private static func keyProblem(_ model: ModelClass) -> SchemaProblem? {
    let otherwise = model.type.isAsymmetric() ? "" : ", or override syncMode() to return .local"
    let fix = "Declare one with @Persisted(primaryKey: true)\(otherwise)"
    guard let key = model.declaration.columns.first(where: \.isPrimaryKey) else {
      return SchemaProblem(className: model.name, ("it has no primary key, by which devices know its objects", fix))
    }
    guard !key.isOptional, primaryKeys.contains(key.type) else {
      return SchemaProblem(
        className: model.name, propertyName: key.name,
        (
          "a synced primary key is an Int, String, ObjectId or UUID that is never nil",
          "Remove its question mark\(otherwise)"
        ))
    }
    return nil
  }

  /// The embedded classes that objects of some classes may hold, at any depth.
  private static func owned(by owners: [ModelClass], _ byName: [String: ModelClass]) -> [ModelClass] {
    var found: [ModelClass] = []
    var waiting = owners
    while let owner = waiting.popLast() {
      for property in owner.properties where !property.isLocalOnly {
        guard let target = property.objectClassName.flatMap({ byName[$0] }), target.isEmbedded,
          !found.contains(where: { $0 === target })
        else { continue }
        found.append(target)
        waiting.append(target)
      }
    }
    return found
  }

  // MARK: - Changes

  /// Returns the changes that may not be made to classes that are synced already.
  static func changes(from stored: StoreSchema, to models: [ModelClass]) -> [SchemaProblem] {
    models.flatMap { model -> [SchemaProblem] in
      guard let known = stored[model.name], stored.isSynced(known.id) else { return [] }
      if !model.isEmbedded, !known.isEmbedded, !isSynced(model) {
        return [
          SchemaProblem(
            className: model.name,
            (
              "its objects are synced, and would be no longer",
              "Let syncMode() return .synced, and keep what is to stay on this device in another class"
            ))
        ]
      }
      if !model.isEmbedded, !known.isEmbedded, known.syncMode != model.syncedDeclaration.syncMode {
        return [kindChange(of: model)]
      }
      return model.properties.compactMap { change(of: $0, in: model, known, stored) }
    }
  }

  private static func kindChange(of model: ModelClass) -> SchemaProblem {
    let isSent = model.type.isAsymmetric()
    return SchemaProblem(
      className: model.name,
      (
        isSent ? "its objects were kept, and would only be sent" : "its objects were only sent, and would be kept",
        "Let it derive from \(isSent ? "Object" : "AsymmetricObject") as before, and give the new class another name"
      ))
  }

  private static func change(
    of property: ModelProperty, in model: ModelClass, _ known: ClassDescriptor, _ stored: StoreSchema
  ) -> SchemaProblem? {
    let wanted = property.declaration
    guard let column = known.column(named: wanted.name) else {
      guard wanted.isPrimaryKey else { return nil }
      return problem("it is another primary key than before", property, model)
    }
    guard !column.isLocalOnly || !wanted.isLocalOnly else { return nil }
    if column.type != wanted.type || column.collection != wanted.collection
      || column.target.flatMap({ stored[$0]?.name }) != wanted.target
    {
      return problem("its type changed", property, model)
    }
    if column.type != .link, column.isOptional != wanted.isOptional {
      return problem("it became \(wanted.isOptional ? "optional" : "required")", property, model)
    }
    return column.isPrimaryKey == wanted.isPrimaryKey
      ? nil : problem("it is \(wanted.isPrimaryKey ? "now" : "no longer") the primary key", property, model)
  }

  private static func problem(_ text: String, _ property: ModelProperty, _ model: ModelClass) -> SchemaProblem {
    SchemaProblem(
      className: model.name, propertyName: property.name,
      (
        "\(text), and other devices have it as it was",
        "Add a property with another name, and have the server's schema map one to the other"
      ))
  }
}
