import LarderExchange
import LarderStorage

/// The differences between two stores, object by object.
///
/// Objects of a class with a primary key in both stores are the same when their primary keys are; others when their object
/// keys are. Links are compared by the primary key of the object that they lead to.
package struct StoreDifference {
  /// One object that is in one store alone, or has other values in the other.
  package struct Change: Sendable {
    package enum Kind: String, Sendable {
      case inserted, deleted, modified
    }

    package var kind: Kind
    package var name: ObjectName
    /// Properties with the old and the new value as JSON; nil where the store or class does not have it.
    package var values: [(property: String, old: String?, new: String?)]
    /// True if the log tells of the change; new values are nil then where they changed again since.
    package var isFromLog = false
    /// True if old values could be looked up.
    package var knowsOld = true
  }

  private let old: Side
  private let new: Side

  package init(from old: any StoreReader, to new: any StoreReader) {
    self.old = Side(old)
    self.new = Side(new)
  }

  /// Names of the classes of either store, embedded ones aside, those of the old store first.
  package var classNames: [String] {
    var names = old.reader.schema.classes.filter { !$0.isEmbedded }.map(\.name)
    for entry in new.reader.schema.classes where !entry.isEmbedded && !names.contains(entry.name) {
      names.append(entry.name)
    }
    return names
  }

  /// Counts the objects of a class in both stores together.
  package func count(className: String) throws -> Int {
    try StoreAccess.objectCount(in: old.reader, className: className)
      + StoreAccess.objectCount(in: new.reader, className: className)
  }

  /// Finds the differences of a class: what was deleted or modified in the order of the old store, then what was inserted in
  /// that of the new one. O(objects of the class), with one look-up in the other store for each.
  ///
  /// - Parameter seen: Called with the number of objects looked at.
  /// - Throws: `StorageError` when a store cannot be read, or neither has the class; what `body` throws.
  package func run(className: String, seen: (Int) -> Void = { _ in }, _ body: (Change) throws -> Void) throws {
    var count = 0
    let (before, after) = (old.reader.schema[className], new.reader.schema[className])
    if before == nil, after == nil { _ = try StoreAccess.entry(named: className, in: old.reader.schema) }
    let byPrimaryKey = before?.primaryKey?.type == after?.primaryKey?.type && before?.primaryKey != nil
    if let before {
      try old.reader.forEachKey(of: before.id) { key in
        let other = try after.flatMap { try new.find(old, before, key, in: $0, byPrimaryKey) }
        if let change = try compare(before, key, after, other) { try body(change) }
        count += 1
        seen(count)
        return true
      }
    }
    if let after {
      try new.reader.forEachKey(of: after.id) { key in
        if try before.flatMap({ try old.find(new, after, key, in: $0, byPrimaryKey) }) == nil {
          try body(try change(.inserted, className, nil, nil, after, key))
        }
        count += 1
        seen(count)
        return true
      }
    }
  }

  private func compare(
    _ before: ClassDescriptor, _ key: ObjectKey, _ after: ClassDescriptor?, _ other: ObjectKey?
  ) throws -> Change? {
    guard let after, let other else { return try change(.deleted, before.name, before, key, nil, nil) }
    let change = try change(.modified, before.name, before, key, after, other)
    return change.values.isEmpty ? nil : change
  }

  private func change(
    _ kind: Change.Kind, _ className: String, _ before: ClassDescriptor?, _ oldKey: ObjectKey?,
    _ after: ClassDescriptor?, _ newKey: ObjectKey?
  ) throws -> Change {
    let names =
      (before?.columns.map(\.name) ?? [])
      + (after?.columns.map(\.name).filter { before?.column(named: $0) == nil } ?? [])
    var values: [(property: String, old: String?, new: String?)] = []
    for name in names {
      let first = try old.exact(name, before, oldKey)
      let second = try new.exact(name, after, newKey)
      guard kind != .modified || first != second else { continue }
      let shown = (try old.shown(name, before, oldKey), try new.shown(name, after, newKey))
      // Values of any type may differ in their types alone, numbers in bits that are not shown.
      values.append(kind == .modified && shown.0 == shown.1 ? (name, first, second) : (name, shown.0, shown.1))
    }
    let name =
      try before.flatMap { entry in try oldKey.map { try old.name(entry, $0) } }
      ?? after.flatMap { entry in try newKey.map { try new.name(entry, $0) } }
    return Change(
      kind: kind, name: name ?? ObjectName(className: className, key: ObjectKey(rawValue: 0)), values: values)
  }
}

/// One of two stores that are compared.
private struct Side {
  let reader: any StoreReader
  private let tree: ObjectTree

  init(_ reader: any StoreReader) {
    self.reader = reader
    tree = ObjectTree(reader)
  }

  func name(_ entry: ClassDescriptor, _ key: ObjectKey) throws -> ObjectName { try tree.name(entry, key) }

  /// The object here that is the one of another store.
  func find(
    _ other: Side, _ otherEntry: ClassDescriptor, _ key: ObjectKey, in entry: ClassDescriptor, _ byPrimaryKey: Bool
  ) throws -> ObjectKey? {
    guard byPrimaryKey, let primary = otherEntry.primaryKey else {
      return try reader.contains(entry.id, key) ? key : nil
    }
    return try reader.object(entry.id, primaryKey: try other.reader.value(otherEntry.id, primary.id, key))
  }

  /// A property with every bit of its values, for comparing; nil when there is no such object or property.
  func exact(_ property: String, _ entry: ClassDescriptor?, _ key: ObjectKey?) throws -> String? {
    guard let entry, let key, let column = entry.column(named: property) else { return nil }
    var line = ObjectLine(reader) { entry, key in try tree.name(entry, key).json }
    return try line.property(column, entry, key)
  }

  /// The same as it is shown.
  func shown(_ property: String, _ entry: ClassDescriptor?, _ key: ObjectKey?) throws -> String? {
    guard let entry, let key, let column = entry.column(named: property) else { return nil }
    return JSONText.value(try tree.value(entry, column, key, depth: 0))
  }
}
