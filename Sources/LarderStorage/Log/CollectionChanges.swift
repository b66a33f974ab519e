/// An edit of a collection that the log keeps.
protocol LoggedEdit: Hashable, Sendable {
  func encode(into writer: inout LogWriter)
  init(decoding reader: inout LogReader) throws
  /// This edit and the one right after it as a single edit, when one says the same.
  func merged(with next: Self) -> Self?
}

extension LoggedEdit {
  func merged(with next: Self) -> Self? { nil }
}

/// The edits of one object's list, set, map or mixed value, in the order they were made.
package struct CollectionChanges<Edit: Hashable & Sendable>: Hashable, Sendable {
  package var column: ColumnID
  package var key: ObjectKey
  package var edits: [Edit]

  package init(column: ColumnID, key: ObjectKey, edits: [Edit]) {
    self.column = column
    self.key = key
    self.edits = edits
  }
}

extension CollectionChanges where Edit: LoggedEdit {
  func encode(into writer: inout LogWriter) {
    writer.varint(UInt64(column.rawValue))
    writer.varint(key.rawValue)
    writer.varint(edits.count)
    for edit in edits { edit.encode(into: &writer) }
  }

  init(decoding reader: inout LogReader) throws {
    column = ColumnID(rawValue: try reader.varint(as: UInt16.self))
    key = ObjectKey(rawValue: try reader.varint())
    let count = try reader.count()
    edits = try (0..<count).map { _ in try Edit(decoding: &reader) }
  }
}

/// Collects the edits of a transaction to collections of one kind.
struct CollectionEdits<Edit: LoggedEdit> {
  private struct Identity: Hashable {
    let column: ColumnID
    let key: ObjectKey
  }

  private var changes: [CollectionChanges<Edit>] = []
  private var places: [Identity: Int] = [:]

  /// The edits of collections as they were before they changed, since the first mark: place, number of edits, the last of them.
  private var journal: [(place: Int, count: Int, last: Edit?)] = []
  private var isMarked = false

  var isEmpty: Bool { changes.isEmpty }

  struct Mark {
    fileprivate let changes: Int
    fileprivate let journal: Int
  }

  /// Returns a mark of what was collected so far. O(1).
  mutating func mark() -> Mark {
    isMarked = true
    return Mark(changes: changes.count, journal: journal.count)
  }

  /// Forgets what came since a mark. O(edits since then).
  mutating func restore(_ mark: Mark) {
    for entry in journal[mark.journal...].reversed() {
      changes[entry.place].edits.removeSubrange(entry.count...)
      if let last = entry.last { changes[entry.place].edits[entry.count - 1] = last }
    }
    journal.removeSubrange(mark.journal...)
    for gone in changes[mark.changes...] { places[Identity(column: gone.column, key: gone.key)] = nil }
    changes.removeSubrange(mark.changes...)
  }

  mutating func add(_ edit: Edit, _ column: ColumnID, _ key: ObjectKey) {
    if let last = changes.indices.last, changes[last].column == column, changes[last].key == key {
      append(edit, to: last)
      return
    }
    let identity = Identity(column: column, key: key)
    if let place = places[identity] {
      append(edit, to: place)
    } else {
      places[identity] = changes.count
      changes.append(CollectionChanges(column: column, key: key, edits: [edit]))
    }
  }

  private mutating func append(_ edit: Edit, to place: Int) {
    if isMarked { journal.append((place, changes[place].edits.count, changes[place].edits.last)) }
    if let merged = changes[place].edits.last?.merged(with: edit) {
      changes[place].edits[changes[place].edits.count - 1] = merged
    } else {
      changes[place].edits.append(edit)
    }
  }

  /// By column and object, without those of objects that are deleted.
  func finish(excluding gone: KeyRanges) -> [CollectionChanges<Edit>] {
    if changes.isEmpty { return [] }
    return changes.filter { !gone.contains($0.key) }.sorted { ($0.column, $0.key) < ($1.column, $1.key) }
  }
}
