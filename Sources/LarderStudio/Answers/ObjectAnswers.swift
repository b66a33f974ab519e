import LarderExchange
import LarderInspection
import LarderStorage

/// Answers about one object.
struct ObjectAnswers {
  private let snapshot: Snapshot
  private let entry: ClassDescriptor
  private let key: ObjectKey
  private var version: JSONValue { .init(snapshot.version) }

  /// - Throws: `StorageError` for an unknown class, and an object that is not there.
  init(_ snapshot: Snapshot, className: String, name: String) throws {
    self.snapshot = snapshot
    entry = try StoreAccess.entry(named: className, in: snapshot.schema)
    key = try StudioStore.object(entry, name, in: snapshot)
  }

  func object() throws -> String {
    let shown = try ObjectTree(snapshot).object(entry, key, depth: 0)
    let value: JSONValue = [
      "version": version, "class": .init(entry.name), "key": .init(key.rawValue),
      "primaryKey": shown.name.primaryKey.map { .init(written: StudioJSON.value($0, isCut: false)) },
      "object": .init(written: StudioJSON.object(shown, isCut: false)),
    ]
    return value.line
  }

  func incoming() throws -> String {
    let origins = try IncomingLinks(to: entry, key, in: snapshot, limit: 100).origins.map { origin -> JSONValue in
      [
        "class": .init(origin.className), "property": .init(origin.property), "count": .init(origin.total),
        "objects": .init(origin.objects.map { JSONValue(written: StudioJSON.link($0)) }),
      ]
    }
    return (["version": version, "incomingLinks": .init(origins)] as JSONValue).line
  }

  /// Returns the object's changes in the log, the newest first.
  func history() throws -> String {
    var entries: [JSONValue] = []
    let bounds = try snapshot.store.log.bounds(in: snapshot.transaction)
    if let bounds {
      try snapshot.store.log.forEach(bounds, in: snapshot.transaction) { version, record in
        if let change = record.classes.first(where: { $0.classID == entry.id }).flatMap(Self.change(of: key)) {
          entries.append([
            "version": .init(version), "change": .init(change.kind),
            "properties": .init(change.columns.compactMap { entry.column($0)?.name }),
          ])
        }
        return true
      }
    }
    let oldest = bounds.map { $0.lowerBound - 1 }
    let value: JSONValue = [
      "version": version, "oldestVersion": .init(oldest), "entries": .init(Array(entries.reversed().prefix(500))),
    ]
    return value.line
  }

  private static func change(of key: ObjectKey) -> (ClassChanges) -> (kind: String, columns: [ColumnID])? {
    { changes in
      if changes.inserted.contains(key) { return ("inserted", []) }
      if changes.allDeleted.contains(key) { return ("deleted", []) }
      var columns = changes.modified.filter { $0.keys.contains(key) }.map(\.column)
      columns += changes.lists.filter { $0.key == key }.map(\.column)
      columns += changes.sets.filter { $0.key == key }.map(\.column)
      columns += changes.maps.filter { $0.key == key }.map(\.column)
      columns += changes.nested.filter { $0.key == key }.map(\.column)
      var seen: Set<ColumnID> = []
      let unique = columns.filter { seen.insert($0).inserted }
      return unique.isEmpty ? nil : ("modified", unique)
    }
  }
}
