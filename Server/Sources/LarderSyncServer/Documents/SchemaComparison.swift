import LarderSyncProtocol

/// The changes from a schema that devices already use to the next one.
///
/// Only additions are possible: programs with the older schema go on, and their data must stay what they are.
public struct SchemaComparison: Hashable, Sendable {
  /// The additions, in words.
  public private(set) var additions: [String] = []
  /// The changes that programs with the older schema would not survive, each with what to do instead.
  public private(set) var breaks: [String] = []

  /// Compares a schema with the one before.
  public init(from old: SyncSchema, to new: SyncSchema) {
    let before = Dictionary(uniqueKeysWithValues: old.classes.map { ($0.name, $0) })
    for schemaClass in new.classes {
      if let earlier = before[schemaClass.name] {
        compare(earlier, schemaClass)
      } else {
        additions.append("class '\(schemaClass.name)'")
      }
    }
    let names = Set(new.classes.map(\.name))
    for name in old.classes.map(\.name) where !names.contains(name) {
      breaks.append("class '\(name)' is removed; leave it in the schema")
    }
  }

  private mutating func compare(_ old: SchemaClass, _ new: SchemaClass) {
    if old.kind != new.kind { breaks.append("class '\(new.name)' becomes another kind of class; make a new class") }
    if old.kind == new.kind, old.primaryKey != new.primaryKey {
      breaks.append("class '\(new.name)' gets another primary key; make a new class")
    }
    let before = Dictionary(uniqueKeysWithValues: old.properties.map { ($0.name, $0) })
    for property in new.properties {
      let name = "'\(new.name).\(property.name)'"
      if let earlier = before[property.name] {
        compare(earlier, property, name)
      } else {
        additions.append("property \(name)")
      }
    }
    let names = Set(new.properties.map(\.name))
    for name in old.properties.map(\.name) where !names.contains(name) {
      breaks.append("property '\(new.name).\(name)' is removed; leave it in the schema, programs need not have it")
    }
  }

  private mutating func compare(_ old: SchemaProperty, _ new: SchemaProperty, _ name: String) {
    if !old.isAlike(new) {
      breaks.append(
        "property \(name) changes from \(SchemaDocument.text(old.plain)) to \(SchemaDocument.text(new.plain)); make a new property"
      )
    }
    // What was added to a value is kept beside what it was set to, whether or not the schema says that it counts.
    if old.merge != new.merge {
      additions.append("property \(name) \(new.merge == .counter ? "counts" : "counts no more")")
    }
    if new.isQueryable, !old.isQueryable { additions.append("property \(name) is queryable") }
    if old.isQueryable, !new.isQueryable {
      breaks.append("property \(name) is queryable no more, and subscriptions and roles may ask for it; leave it so")
    }
  }
}

extension SchemaProperty {
  /// The property without what does not matter to those who store it.
  fileprivate var plain: SchemaProperty {
    SchemaProperty(name, type, collection: collection, isOptional: isOptional, target: target)
  }
}
