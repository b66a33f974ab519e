import LarderStorage

/// The handling of schema changes that another process makes while this Realm is open (N-81).
extension RealmCore {
  /// Throws when a version lacks what this Realm's classes are stored in, or stores it in another way. New classes and properties
  /// are no matter: the Realm goes on with those it knows.
  func verifySchema(of newer: Snapshot) throws {
    let schema = newer.schema
    if schema === knownSchema || schema.fingerprint == knownSchema.fingerprint { return }
    for model in models {
      guard let known = knownSchema[model.name] else { continue }
      guard let now = schema[model.name], now.id == known.id, now.isEmbedded == known.isEmbedded else {
        throw incompatible("class '\(model.name)' was removed")
      }
      for property in model.properties {
        guard let column = known.column(named: property.columnName) else { continue }
        guard let other = now.column(named: property.columnName), other.id == column.id, other.type == column.type,
          other.collection == column.collection, other.isOptional == column.isOptional, other.target == column.target,
          other.isPrimaryKey == column.isPrimaryKey
        else { throw incompatible("property '\(model.name).\(property.name)' was removed or has another type") }
      }
    }
    knownSchema = schema
  }

  private func incompatible(_ what: String) -> Realm.Error {
    .make(
      .schemaMismatch,
      "Another process changed the schema of '\(store.path)' incompatibly: \(what). This Realm stays at its version; open it again "
        + "with the new classes.", path: store.path)
  }

  /// Returns true if a version can be read; else says in the log, once, why not.
  func canFollow(to newer: Snapshot) -> Bool {
    do {
      try verifySchema(of: newer)
      return true
    } catch {
      if refusedSchema != newer.schema.fingerprint { Logger.shared.log(.error, "\(error)") }
      refusedSchema = newer.schema.fingerprint
      return false
    }
  }
}
