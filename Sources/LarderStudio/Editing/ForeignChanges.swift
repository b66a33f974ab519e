import LarderInspection
import LarderStorage

/// The changes of the commits after a version, from the log.
struct ForeignChanges {
  private var records: [ClassChanges] = []
  /// True if the log reaches back to the version. If it does not, anything may have changed.
  let isKnown: Bool

  /// Reads the commits after a version, the newest among them, without those of this process.
  init(after version: UInt64, except own: Set<UInt64> = [], in reader: Snapshot) throws {
    guard version < reader.version else {
      isKnown = true
      return
    }
    let log = reader.store.log
    guard let bounds = try log.bounds(in: reader.transaction), bounds.lowerBound <= version + 1 else {
      isKnown = false
      return
    }
    isKnown = true
    var records: [ClassChanges] = []
    try log.forEach((version + 1)...bounds.upperBound, in: reader.transaction) { version, record in
      if !own.contains(version) { records += record.classes }
      return true
    }
    self.records = records
  }

  /// True if nothing has changed.
  var isEmpty: Bool { isKnown && records.isEmpty }

  /// True if any property of an object, or of an object embedded in it, may have changed.
  func touchesAny(of object: ObjectLink, in reader: Snapshot) throws -> Bool {
    guard !isEmpty, let entry = reader.schema[object.classID] else { return false }
    return try entry.columns.contains { column in
      if touches(object, column.id) { return true }
      guard let inner = column.target.flatMap({ reader.schema[$0] }), inner.isEmbedded else { return false }
      let values = try Self.values(object, column, in: reader)
      return try values.contains { value in
        guard case .link(let key) = value else { return false }
        return try touchesAny(of: ObjectLink(classID: inner.id, key: key), in: reader)
      }
    }
  }

  private static func values(
    _ object: ObjectLink, _ column: ColumnDescriptor, in reader: Snapshot
  ) throws -> [StoredValue] {
    switch column.collection {
    case .none: [try reader.value(object.classID, column.id, object.key)]
    case .list, .set: try reader.list(object.classID, column.id, object.key).values()
    case .map: try reader.map(object.classID, column.id, object.key).values.values()
    }
  }

  func deletes(_ object: ObjectLink) -> Bool {
    !isKnown
      || records.contains { $0.classID == object.classID && ($0.isTruncated || $0.allDeleted.contains(object.key)) }
  }

  /// True if a property of an object may have changed.
  func touches(_ object: ObjectLink, _ column: ColumnID) -> Bool {
    guard isKnown else { return true }
    return records.contains { changes in
      guard changes.classID == object.classID else { return false }
      // One with the same primary key that was made again has nothing of the one before.
      return changes.isTruncated || changes.inserted.contains(object.key)
        || changes.modified.contains { $0.column == column && $0.keys.contains(object.key) }
        || changes.lists.contains { $0.column == column && $0.key == object.key }
        || changes.sets.contains { $0.column == column && $0.key == object.key }
        || changes.maps.contains { $0.column == column && $0.key == object.key }
        || changes.nested.contains { $0.column == column && $0.key == object.key }
    }
  }
}
