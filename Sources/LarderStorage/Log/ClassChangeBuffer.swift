/// The keys whose value in one column was assigned. A class, so that the recorder can keep hold of the one it used
/// last.
final class ColumnRuns {
  // One thread uses it; dynamic exclusivity checks would cost more than the work.
  @exclusivity(unchecked) var buffer: RunBuffer

  init(_ buffer: RunBuffer = RunBuffer()) { self.buffer = buffer }
}

/// What the running transaction has changed in one class so far.
final class ClassChangeBuffer {
  let classID: ClassID
  /// Keys rise and are never reused, so every key from here on was created by this transaction.
  @exclusivity(unchecked) var firstInserted: UInt64 = .max
  @exclusivity(unchecked) var inserted = RunBuffer()
  @exclusivity(unchecked) var deleted = RunBuffer()
  @exclusivity(unchecked) var derivedDeleted = RunBuffer()
  var isTruncated = false
  var owners: [EmbeddedOwnerRun] = []
  /// By intent, for what is not a plain create.
  var intents: [CreateIntent: RunBuffer] = [:]
  /// By column, created objects whose value is a default.
  private var defaults: [ColumnID: ColumnDefaults] = [:]
  /// By column number; direct and derived changes apart.
  private var direct: [ColumnRuns?] = []
  private var derived: [ColumnRuns?] = []
  var lists = CollectionEdits<ListEdit>()
  var sets = CollectionEdits<SetEdit>()
  var maps = CollectionEdits<MapEdit>()
  var nested = CollectionEdits<NestedEdit>()

  init(classID: ClassID) { self.classID = classID }

  /// The same, to be changed independently.
  func copy() -> ClassChangeBuffer {
    let copy = ClassChangeBuffer(classID: classID)
    copy.firstInserted = firstInserted
    (copy.inserted, copy.deleted, copy.derivedDeleted) = (inserted, deleted, derivedDeleted)
    copy.isTruncated = isTruncated
    (copy.owners, copy.intents, copy.defaults) = (owners, intents, defaults)
    copy.direct = direct.map { $0.map { ColumnRuns($0.buffer) } }
    copy.derived = derived.map { $0.map { ColumnRuns($0.buffer) } }
    (copy.lists, copy.sets, copy.maps, copy.nested) = (lists, sets, maps, nested)
    return copy
  }

  /// Where the changes of a column are collected.
  func runs(_ column: ColumnID, derived isDerived: Bool) -> ColumnRuns {
    isDerived ? Self.runs(column, in: &derived) : Self.runs(column, in: &direct)
  }

  private static func runs(_ column: ColumnID, in columns: inout [ColumnRuns?]) -> ColumnRuns {
    let number = Int(column.rawValue)
    while columns.count <= number { columns.append(nil) }
    if let found = columns[number] { return found }
    let made = ColumnRuns()
    columns[number] = made
    return made
  }

  /// The value of a created object in a column is the default.
  func defaulted(_ column: ColumnID, _ key: UInt64) { defaults[column, default: ColumnDefaults()].add(key) }

  /// The value is not the default any more.
  func assigned(_ column: ColumnID, _ key: UInt64) {
    if !defaults.isEmpty { defaults[column]?.remove(key) }
  }

  func owned(_ key: ObjectKey, by owner: ObjectLink, _ column: ColumnID) {
    if let last = owners.indices.last,
      owners[last].extend(key, ownerClass: owner.classID, column: column, owner: owner.key)
    {
      return
    }
    owners.append(
      EmbeddedOwnerRun(firstKey: key, ownerClass: owner.classID, column: column, firstOwner: owner.key))
  }

  /// The net effect: objects that came and went are not mentioned, nor what happened to them. Of a truncated class only which
  /// objects came and which went.
  func finish(ownerOf: ((ObjectKey) throws -> (owner: ObjectLink, column: ColumnID)?)?) throws -> ClassChanges {
    var changes = ClassChanges(classID: classID)
    changes.isTruncated = isTruncated
    let created = inserted.ranges()
    let gone = deleted.ranges()
    let derivedGone = derivedDeleted.ranges().subtracting(gone)
    let everythingGone = gone.union(derivedGone)
    changes.inserted = created.subtracting(everythingGone)
    changes.deleted = gone.subtracting(created)
    changes.derivedDeleted = derivedGone.subtracting(created)
    if isTruncated { return changes }
    addModified(to: &changes, excluding: everythingGone)
    changes.lists = lists.finish(excluding: everythingGone)
    changes.sets = sets.finish(excluding: everythingGone)
    changes.maps = maps.finish(excluding: everythingGone)
    changes.nested = nested.finish(excluding: everythingGone)
    if !intents.isEmpty {
      changes.intents = intents.map {
        CreateIntentKeys(intent: $0.key, keys: $0.value.ranges().subtracting(everythingGone))
      }.filter { !$0.keys.isEmpty }.sorted { $0.intent.rawValue < $1.intent.rawValue }
    }
    if !defaults.isEmpty {
      changes.defaults = defaults.map {
        ColumnChanges(column: $0.key, keys: $0.value.ranges.subtracting(everythingGone))
      }.filter { !$0.keys.isEmpty }.sorted { $0.column.rawValue < $1.column.rawValue }
    }
    changes.owners = owners
    if let ownerOf { try addOwners(to: &changes, ownerOf) }
    return changes
  }

  private func addModified(to changes: inout ClassChanges, excluding gone: KeyRanges) {
    for number in 0..<max(direct.count, derived.count) {
      let column = ColumnID(rawValue: UInt16(number))
      let directKeys = keys(number, in: direct).subtracting(gone)
      let derivedKeys = keys(number, in: derived).subtracting(gone).subtracting(directKeys)
      if !directKeys.isEmpty { changes.modified.append(ColumnChanges(column: column, keys: directKeys)) }
      if !derivedKeys.isEmpty {
        changes.modified.append(ColumnChanges(column: column, isDerived: true, keys: derivedKeys))
      }
    }
  }

  private func keys(_ number: Int, in columns: [ColumnRuns?]) -> KeyRanges {
    number < columns.count ? columns[number]?.buffer.ranges() ?? KeyRanges() : KeyRanges()
  }

  private func addOwners(
    to changes: inout ClassChanges, _ ownerOf: (ObjectKey) throws -> (owner: ObjectLink, column: ColumnID)?
  ) throws {
    let edited = changes.lists.map(\.key) + changes.sets.map(\.key) + changes.maps.map(\.key)
    var keys = KeyRanges((edited + changes.nested.map(\.key)).sorted())
    for entry in changes.modified { keys = keys.union(entry.keys) }
    let before = owners
    defer { owners = before }
    try keys.forEach { key in
      if let found = try ownerOf(key) { owned(key, by: found.owner, found.column) }
    }
    changes.owners = owners
  }
}
