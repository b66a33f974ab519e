/// The keys whose value in one column was assigned. A class, so that the recorder can keep hold of the one it used
/// last.
final class ColumnRuns {
  // One thread uses it; dynamic exclusivity checks would cost more than the work.
  @exclusivity(unchecked) var buffer: RunBuffer

  init(_ buffer: RunBuffer = RunBuffer()) { self.buffer = buffer }
}

/// The changes that the running transaction has made in one class so far.
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

  /// The amount that was recorded by some moment. Nothing that was recorded before is copied.
  struct Mark {
    fileprivate let firstInserted: UInt64
    fileprivate let isTruncated: Bool
    fileprivate let runs: (inserted: Int, deleted: Int, derivedDeleted: Int)
    fileprivate let owners: (count: Int, last: EmbeddedOwnerRun?)
    fileprivate let intents: [CreateIntent: Int]
    fileprivate let defaults: [ColumnID: Int]
    fileprivate let columns: (direct: [Int?], derived: [Int?])
    fileprivate let lists: CollectionEdits<ListEdit>.Mark
    fileprivate let sets: CollectionEdits<SetEdit>.Mark
    fileprivate let maps: CollectionEdits<MapEdit>.Mark
    fileprivate let nested: CollectionEdits<NestedEdit>.Mark
  }

  /// Marks this moment. O(columns that changed).
  func mark() -> Mark {
    Mark(
      firstInserted: firstInserted, isTruncated: isTruncated,
      runs: (inserted.mark(), deleted.mark(), derivedDeleted.mark()), owners: (owners.count, owners.last),
      intents: Dictionary(uniqueKeysWithValues: intents.keys.map { ($0, intents[$0]?.mark() ?? 0) }),
      defaults: Dictionary(uniqueKeysWithValues: defaults.keys.map { ($0, defaults[$0]?.mark() ?? 0) }),
      columns: (direct.map { $0?.buffer.mark() }, derived.map { $0?.buffer.mark() }), lists: lists.mark(),
      sets: sets.mark(), maps: maps.mark(), nested: nested.mark())
  }

  /// Forgets what was recorded since a mark.
  func restore(_ mark: Mark) {
    firstInserted = mark.firstInserted
    isTruncated = mark.isTruncated
    inserted.restore(mark.runs.inserted)
    deleted.restore(mark.runs.deleted)
    derivedDeleted.restore(mark.runs.derivedDeleted)
    owners.removeSubrange(mark.owners.count...)
    if let last = mark.owners.last { owners[mark.owners.count - 1] = last }
    for intent in intents.keys { intents[intent]?.restore(mark.intents[intent] ?? 0) }
    for column in defaults.keys { defaults[column]?.restore(mark.defaults[column] ?? 0) }
    for (number, runs) in direct.enumerated() {
      runs?.buffer.restore(number < mark.columns.direct.count ? mark.columns.direct[number] ?? 0 : 0)
    }
    for (number, runs) in derived.enumerated() {
      runs?.buffer.restore(number < mark.columns.derived.count ? mark.columns.derived[number] ?? 0 : 0)
    }
    lists.restore(mark.lists)
    sets.restore(mark.sets)
    maps.restore(mark.maps)
    nested.restore(mark.nested)
  }

  /// Returns the runs that collect the changes of a column.
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

  /// Returns true if the value of a created object is the default.
  func isDefault(_ column: ColumnID, _ key: UInt64) -> Bool { defaults[column]?.contains(key) ?? false }

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
  ///
  /// - Parameter added: By column, objects that a number was added to, which counts as an assignment.
  func finish(
    ownerOf: ((ObjectKey) throws -> (owner: ObjectLink, column: ColumnID)?)?, added: [ColumnID: KeyRanges] = [:]
  ) throws -> ClassChanges {
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
    addModified(to: &changes, excluding: everythingGone, adding: added)
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

  /// The columns with the objects that were assigned there; nil when anything else happened in the class, and when these are more than
  /// a number of runs, which sorting them would take its time for.
  func assignments(atMost limit: Int) -> [(column: ColumnID, keys: KeyRanges)]? {
    guard firstInserted == .max, inserted.isEmpty, deleted.isEmpty, derivedDeleted.isEmpty, !isTruncated,
      owners.isEmpty, intents.isEmpty, defaults.isEmpty, lists.isEmpty, sets.isEmpty, maps.isEmpty,
      nested.isEmpty,
      derived.allSatisfy({ $0?.buffer.isEmpty ?? true }), direct.reduce(0, { $0 + ($1?.buffer.runCount ?? 0) }) <= limit
    else { return nil }
    return direct.indices.map { (ColumnID(rawValue: UInt16($0)), keys($0, in: direct)) }.filter { !$0.keys.isEmpty }
  }

  /// By column, created objects that hold the default.
  var defaultRanges: [ColumnID: KeyRanges] { defaults.mapValues(\.ranges) }

  /// The columns with the objects that were assigned there on purpose.
  var assignedRanges: [(column: ColumnID, keys: KeyRanges)] {
    direct.indices.map { (ColumnID(rawValue: UInt16($0)), keys($0, in: direct)) }
  }

  private func addModified(
    to changes: inout ClassChanges, excluding gone: KeyRanges, adding added: [ColumnID: KeyRanges]
  ) {
    let last = added.keys.map { Int($0.rawValue) + 1 }.max() ?? 0
    for number in 0..<max(direct.count, derived.count, last) {
      let column = ColumnID(rawValue: UInt16(number))
      let set = keys(number, in: direct)
      let directKeys = (added[column].map { set.union($0) } ?? set).subtracting(gone)
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
