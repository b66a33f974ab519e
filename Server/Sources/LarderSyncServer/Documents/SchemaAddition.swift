import LarderSyncProtocol

/// The reason why a schema cannot follow another one.
public struct SchemaConflict: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
}

extension SyncSchema {
  /// This schema with the classes and properties that another one has more. What both have must be alike, but for being queryable and counting,
  /// which the other one decides.
  ///
  /// Devices with the old schema go on: for them there is nothing to do with what was added.
  ///
  /// - Parameter keepsOptions: Whether this schema's own options stay, as when a device brings what it has.
  /// - Throws: `SchemaConflict`, which names the first difference.
  public func adding(_ other: SyncSchema, keepsOptions: Bool = false) throws(SchemaConflict) -> SyncSchema {
    var merged: [SyncText: SchemaClass] = [:]
    for schemaClass in classes { merged[schemaClass.name] = schemaClass }
    for addition in other.classes {
      guard let present = merged[addition.name] else {
        merged[addition.name] = addition
        continue
      }
      merged[addition.name] = try present.adding(addition, keepsOptions)
    }
    return SyncSchema(version: version, classes: Array(merged.values))
  }
}

extension SchemaClass {
  fileprivate func adding(_ other: SchemaClass, _ keepsOptions: Bool) throws(SchemaConflict) -> SchemaClass {
    guard kind == other.kind, primaryKey == other.primaryKey else {
      throw SchemaConflict(
        description:
          "'\(name)' is another kind of class, or has another primary key, than before; give the new one another name.")
    }
    var merged: [SyncText: SchemaProperty] = [:]
    for property in properties { merged[property.name] = property }
    for addition in other.properties {
      if let present = merged[addition.name] {
        guard present.isAlike(addition) else {
          throw SchemaConflict(
            description:
              "'\(name).\(addition.name)' has another type than before; add a property of another name instead.")
        }
        if keepsOptions { continue }
      }
      merged[addition.name] = addition
    }
    return SchemaClass(name, kind: kind, primaryKey: primaryKey, properties: Array(merged.values))
  }
}

extension SchemaProperty {
  /// Returns true if devices store the same in both.
  func isAlike(_ other: SchemaProperty) -> Bool {
    type == other.type && collection == other.collection && mayBeNil == other.mayBeNil && target == other.target
  }

  /// True if there may be no value: always for links, embedded objects and values of any type, whatever is declared.
  private var mayBeNil: Bool {
    switch type {
    case .link, .embedded: isOptional || collection == .none || collection == .map
    case .mixed: true
    default: isOptional
    }
  }

  /// The property as one that queries may ask for, if values of its type can be.
  func queryable() -> SchemaProperty {
    guard ![.link, .embedded, .mixed].contains(type), collection != .map else { return self }
    return SchemaProperty(
      name, type, collection: collection, isOptional: isOptional, target: target, merge: merge, isQueryable: true)
  }
}
