import LarderQuery
import LarderStorage

/// The program's classes, for resolving conditions on them without a Realm. May be used from any thread.
package struct ModelBinding: Sendable {
  private let models: [ModelClass]
  private let naming: PropertyNaming

  init(_ models: [ModelClass]) {
    self.models = models
    naming = ClassTable(models).naming
  }

  /// The class in the store.
  ///
  /// - Throws: `Realm.Error.invalidInput` for a class that is not among the program's, or not in the store.
  package func classID(of type: ObjectBase.Type, in schema: StoreSchema) throws -> ClassID {
    guard models.contains(where: { $0.type == type }), let entry = schema[type.className()] else {
      throw Realm.Error.invalid(
        "\(type.className()) is not in this Realm's schema; add it to objectTypes.", className: type.className())
    }
    return entry.id
  }

  /// The program's class of a name; nil without one.
  package func type(named name: String) -> ObjectBase.Type? { models.first { $0.name == name }?.type }

  /// A condition with its names resolved.
  ///
  /// - Throws: `PredicateError` for what the class does not have.
  package func bind(_ node: PredicateNode, to classID: ClassID, in schema: StoreSchema) throws -> BoundPredicate {
    try Binder(schema: schema, naming: naming).bind(node, to: classID)
  }
}

extension Realm.Configuration {
  /// A class as the store is to have it: in a local store, classes that were synced stay so.
  func declaration(of model: ModelClass) -> ClassDeclaration {
    syncConfiguration == nil ? model.declaration : model.syncedDeclaration
  }
}
