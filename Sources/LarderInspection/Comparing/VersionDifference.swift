import LarderExchange
import LarderLocks
import LarderStorage

/// The changes between two versions of a store, as its log tells them.
///
/// The log holds which objects came, went and changed in which properties, but no values. New values are those of the newest
/// version, where the property was not changed again; old ones are known while the older version is still in the file
/// (`RetainedVersion`). Without it deleted objects are named by their object keys, or their primary keys where a consumer of the log lets it keep
/// them. Objects are those of the file, embedded ones included.
package struct VersionDifference {
  private let snapshot: Snapshot
  private let changes: ChangeSummary
  /// The changes between the last version asked for and the newest.
  private let later: ChangeSummary
  private let tree: ObjectTree
  /// The older version, where it is still in the file.
  private let before: (reader: Snapshot, tree: ObjectTree)?
  private let retained: RetainedVersion?

  /// True if old values can be reported.
  package var knowsOld: Bool { before != nil }

  /// - Parameters:
  ///   - from: The version as it was.
  ///   - to: The version as it is; nil: the newest.
  ///   - scratch: Beside which the older version is copied, for its values; nil: they are not told.
  /// - Throws: `StorageError` with code `notFound`, which says how far the log reaches back, for versions that are not there.
  package init(_ snapshot: Snapshot, from: UInt64, to: UInt64? = nil, scratch: String? = nil) throws {
    let (newest, path, log) = (snapshot.version, snapshot.store.path, snapshot.store.log)
    let to = to ?? newest
    guard to <= newest, from <= to else {
      throw StorageError(
        .notFound,
        to > newest
          ? "'\(path)' has no version \(to) yet: the newest is \(newest)."
          : "Version \(from) is newer than version \(to): say --from with the older one.", path: path)
    }
    let oldest = try log.bounds(in: snapshot.transaction).map { $0.lowerBound - 1 } ?? newest
    guard from >= oldest else {
      throw StorageError(
        .notFound,
        "Version \(from) of '\(path)' is no longer retained: its log reaches back to version \(oldest). A copy made by "
          + "'larder backup' keeps a version for good.", path: path)
    }
    self.snapshot = snapshot
    changes = try log.summary(after: from, upTo: to, in: snapshot.transaction)
    later = try log.summary(after: to, upTo: newest, in: snapshot.transaction)
    tree = ObjectTree(snapshot)
    retained = try scratch.flatMap { try RetainedVersion.copy(from, of: snapshot, beside: $0) }
    before = try retained.map { copy in
      let reader = try StoreAccess.open(reading: copy.path, comparingWith: nil).snapshot()
      return (reader, ObjectTree(reader))
    }
  }

  /// Names of the classes that something changed in, in the order of the schema.
  package var classNames: [String] {
    snapshot.schema.classes.filter { changes[$0.id] != nil || changes.isUnknown($0.id) }.map(\.name)
  }

  /// Classes in which everything may have changed: a commit did too much for the log to list it.
  package var unknownClasses: [String] {
    snapshot.schema.classes.filter { changes.isUnknown($0.id) }.map(\.name)
  }

  /// Calls `tell` with each change of a class: what was deleted, modified and inserted, each in the order of object keys.
  ///
  /// - Throws: `StorageError` for an unknown class, `Interruption.Stopped`, and what `tell` throws.
  package func run(className: String, _ tell: (StoreDifference.Change) throws -> Void) throws {
    let entry = try StoreAccess.entry(named: className, in: snapshot.schema)
    let interruption = Interruption.current
    func body(_ change: StoreDifference.Change) throws {
      try interruption?.check()
      try tell(change)
    }
    guard let found = changes[entry.id], !found.isTruncated else { return }
    try found.deleted.forEach { key in
      try body(try deleted(entry, key))
    }
    try found.allModified.forEach { key in
      let columns = entry.columns.filter { found.modified[$0.id]?.contains(key) == true }
      try body(try change(.modified, entry, key, columns))
    }
    try found.inserted.forEach { key in try body(try change(.inserted, entry, key, entry.columns)) }
  }

  private func deleted(_ entry: ClassDescriptor, _ key: ObjectKey) throws -> StoreDifference.Change {
    guard let before, let old = before.reader.schema[entry.id], try before.reader.contains(old.id, key) else {
      return .init(kind: .deleted, name: try name(entry, key), values: [], isFromLog: true, knowsOld: knowsOld)
    }
    let values = try old.columns.map { column in
      (property: column.name, old: try oldText(column.id, entry, key), new: String?.none)
    }
    return .init(
      kind: .deleted, name: try before.tree.name(old, key), values: values, isFromLog: true, knowsOld: true)
  }

  /// The value of a property in the older version; nil where that is not known, or had no such property.
  private func oldText(_ column: ColumnID, _ entry: ClassDescriptor, _ key: ObjectKey) throws -> String? {
    guard let before, let old = before.reader.schema[entry.id], let column = old.column(column),
      try before.reader.contains(old.id, key)
    else { return nil }
    return JSONText.value(try before.tree.value(old, column, key, depth: 0))
  }

  private func change(
    _ kind: StoreDifference.Change.Kind, _ entry: ClassDescriptor, _ key: ObjectKey, _ columns: [ColumnDescriptor]
  ) throws -> StoreDifference.Change {
    let after = later[entry.id]
    let isThere = try snapshot.contains(entry.id, key) && !later.isUnknown(entry.id)
    let values = try columns.map { column in
      let isKept = isThere && after?.modified[column.id]?.contains(key) != true
      let old = kind == .inserted ? nil : try oldText(column.id, entry, key)
      return (property: column.name, old: old, new: isKept ? try text(column, entry, key) : nil)
    }
    return .init(kind: kind, name: try name(entry, key), values: values, isFromLog: true, knowsOld: knowsOld)
  }

  private func text(_ column: ColumnDescriptor, _ entry: ClassDescriptor, _ key: ObjectKey) throws -> String {
    JSONText.value(try tree.value(entry, column, key, depth: 0))
  }

  /// By the primary key where the object is there or the log has kept it.
  private func name(_ entry: ClassDescriptor, _ key: ObjectKey) throws -> ObjectName {
    if try snapshot.contains(entry.id, key) { return try tree.name(entry, key) }
    let kept =
      entry.primaryKey == nil
      ? nil : try snapshot.store.log.tombstone(entry.id, key, in: snapshot.transaction)?.primaryKey
    return ObjectName(className: entry.name, key: key, primaryKey: kept)
  }
}
