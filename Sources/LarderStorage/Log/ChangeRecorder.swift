/// Listens to the writer and keeps what a transaction changes, to become its `CommitRecord`.
///
/// One per write transaction, used by its thread only. Calls are cheap enough for bulk work: keys in ascending order
/// extend a run.
package final class ChangeRecorder {
  /// A deleted object whose primary key consumers of the log will ask for (L-7).
  package struct DeletedObject: Hashable, Sendable {
    package let classID: ClassID
    package let key: ObjectKey
    package let primaryKey: StoredValue
  }

  /// True if deletions must come with primary keys: a consumer of the log will need them.
  package let needsPrimaryKeys: Bool
  /// Keeps what operations need; nil while no class is synced, and for changes that come from elsewhere.
  var operations: OperationRecorder?
  /// Set while changes of another site are applied.
  private(set) var remote: RemoteOrigin?
  private var classes: [ClassChangeBuffer?] = []
  private var deletedObjects: [DeletedObject] = []
  private var flags: CommitRecord.Flags = []
  private var extensions: [LogExtension] = []

  // The run of inserted keys that grows now, and where this transaction's keys begin in its class. Bulk insertion
  // makes a call or more per object: dynamic exclusivity checks would cost more than the work.
  @exclusivity(unchecked) private var hotClass: UInt32 = .max
  @exclusivity(unchecked) private var hotStart: UInt64 = 0
  @exclusivity(unchecked) private var hotEnd: UInt64 = .max
  @exclusivity(unchecked) private var hotFirst: UInt64 = .max
  // The class of the last other change.
  @exclusivity(unchecked) private var lastBuffer: ClassChangeBuffer?
  // The columns that were assigned last, one place for each of their lowest bits, and the class each belongs to.
  @exclusivity(unchecked) private var recent: [RecentColumn]

  private struct RecentColumn {
    var word: UInt64 = .max
    var firstInserted: UInt64 = .max
    var runs: ColumnRuns?
  }

  /// Shared until something is assigned: transactions that assign nothing make none of their own.
  // Never changed, and refers to nothing.
  nonisolated(unsafe) private static let noRecent = Array(repeating: RecentColumn(), count: 16)

  /// - Parameter synced: By class number, whether operations are kept; empty where no class is synced.
  package init(needsPrimaryKeys: Bool = false, synced: [Bool] = []) {
    self.needsPrimaryKeys = needsPrimaryKeys || !synced.isEmpty
    operations = synced.isEmpty ? nil : OperationRecorder(synced: synced)
    recent = Self.noRecent
  }

  /// An object was created. Keys of a class mostly come in ascending order.
  @inline(__always)
  package func inserted(_ classID: ClassID, _ key: ObjectKey) {
    if UInt32(classID.rawValue) == hotClass, key.rawValue == hotEnd {
      hotEnd &+= 1
    } else {
      beginRun(classID, key.rawValue, count: 1)
    }
  }

  /// Objects were created in bulk.
  package func inserted(_ classID: ClassID, _ range: KeyRange) {
    if range.count > 0 { beginRun(classID, range.start, count: range.count) }
  }

  /// An object was created by other than a plain create.
  package func inserted(_ classID: ClassID, _ key: ObjectKey, intent: CreateIntent) {
    inserted(classID, key)
    intended(classID, key, intent)
  }

  /// An object that was created came from other than a plain create.
  package func intended(_ classID: ClassID, _ key: ObjectKey, _ intent: CreateIntent) {
    if intent != .create { buffer(classID).intents[intent, default: RunBuffer()].add(key.rawValue) }
  }

  /// A property holds the declaration's default (L-16). Only of objects created by this transaction: a migration gives defaults to
  /// others, too.
  package func defaulted(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) {
    let buffer = buffer(classID)
    if key.rawValue >= buffer.firstInserted { buffer.defaulted(column, key.rawValue) }
  }

  /// A property of an object created by this transaction was assigned, whatever it held.
  package func assigned(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) {
    buffer(classID).assigned(column, key.rawValue)
  }

  /// An object was deleted; `derived` when it went with its owner. The primary key is kept when `needsPrimaryKeys`.
  package func deleted(
    _ classID: ClassID, _ key: ObjectKey, primaryKey: StoredValue? = nil, derived: Bool = false
  ) {
    deleted(classID, KeyRange(start: key.rawValue, count: 1), derived: derived)
    if needsPrimaryKeys, let primaryKey {
      deletedObjects.append(DeletedObject(classID: classID, key: key, primaryKey: primaryKey))
    }
  }

  /// Objects that follow one another were deleted.
  package func deleted(_ classID: ClassID, _ range: KeyRange, derived: Bool = false) {
    let buffer = buffer(classID)
    if derived { buffer.derivedDeleted.add(range) } else { buffer.deleted.add(range) }
  }

  /// A property was assigned, changed or not (N-14). Objects created by this transaction are not listed.
  @inline(__always)
  package func modified(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, derived: Bool = false) {
    if UInt32(classID.rawValue) == hotClass, key.rawValue >= hotFirst { return }
    noteModified(classID, column, key.rawValue, derived: derived)
  }

  /// A list was edited. Lists of objects created by this transaction are not listed.
  package func listEdited(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ edit: ListEdit) {
    let buffer = buffer(classID)
    guard key.rawValue < buffer.firstInserted else { return buffer.assigned(column, key.rawValue) }
    buffer.lists.add(edit, column, key)
  }

  /// Records an edit as `listEdited(_:_:_:_:)` does, from its parts. `values` are the elements that it brought.
  package func listEdited(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ action: ListEdit.Action, sizeBefore: Int,
    derived: Bool = false, nested: Bool = false, values: [StoredValue] = []
  ) {
    let buffer = buffer(classID)
    guard key.rawValue < buffer.firstInserted else { return buffer.assigned(column, key.rawValue) }
    buffer.lists.add(
      ListEdit(action, sizeBefore: sizeBefore, isDerived: derived, isNested: nested), column, key)
    if let operations, !derived, !nested {
      operations.edited(classID, column, key, .list(action), sizeBefore: sizeBefore, values: values)
    }
  }

  /// A set was edited. Sets of objects created by this transaction are not listed.
  package func setEdited(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ action: SetEdit.Action, sizeBefore: Int,
    derived: Bool = false
  ) {
    let buffer = buffer(classID)
    guard key.rawValue < buffer.firstInserted else { return buffer.assigned(column, key.rawValue) }
    buffer.sets.add(SetEdit(action, sizeBefore: sizeBefore, isDerived: derived), column, key)
    if let operations, !derived { operations.edited(classID, column, key, .set(action), sizeBefore: sizeBefore) }
  }

  /// A map was edited; `value` is what a put brought. Maps of objects created by this transaction are not listed.
  package func mapEdited(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ action: MapEdit.Action, sizeBefore: Int,
    derived: Bool = false, nested: Bool = false, value: StoredValue? = nil
  ) {
    let buffer = buffer(classID)
    guard key.rawValue < buffer.firstInserted else { return buffer.assigned(column, key.rawValue) }
    buffer.maps.add(MapEdit(action, sizeBefore: sizeBefore, isDerived: derived, isNested: nested), column, key)
    if let operations, !derived, !nested {
      operations.edited(
        classID, column, key, .map(action), sizeBefore: sizeBefore, values: value.map { [$0] } ?? [])
    }
  }

  /// A list or dictionary within a mixed value was edited. Those of objects created by this transaction are not listed.
  ///
  /// - Parameter collection: As it is after the edit.
  package func nestedEdited(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ edit: NestedEdit, in collection: StoredValue? = nil
  ) {
    let buffer = buffer(classID)
    guard key.rawValue < buffer.firstInserted else { return buffer.assigned(column, key.rawValue) }
    buffer.nested.add(edit, column, key)
    if let operations, !edit.isDerived { operations.edited(classID, column, key, edit, in: collection) }
  }

  /// An embedded object was created in a column of an owner (L-20).
  package func owned(_ classID: ClassID, _ key: ObjectKey, by owner: ObjectLink, _ column: ColumnID) {
    buffer(classID).owned(key, by: owner, column)
  }

  /// A number was added to a property. The record lists additions to objects that this transaction created with what they were given, and
  /// the operations keep both apart: other devices may create and add to the same object.
  package func added(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ delta: StoredValue, from before: StoredValue,
    to after: StoredValue
  ) {
    let buffer = buffer(classID)
    guard key.rawValue >= buffer.firstInserted else {
      return operations == nil
        ? modified(classID, column, key) : operations?.added(classID, column, key, delta) ?? ()
    }
    operations?.addedToNew(
      classID,
      NewObjectAddition(
        column: column, key: key, delta: delta, before: before, after: after,
        isDefaultBefore: buffer.isDefault(column, key.rawValue)))
    buffer.assigned(column, key.rawValue)
    modified(classID, column, key)
  }

  /// The schema changed in this transaction.
  package func schemaChanged() { flags.insert(.schemaChange) }

  /// Sets flags of the commit: migration, bulk, applied from remote, local only.
  package func mark(_ flags: CommitRecord.Flags) { self.flags.formUnion(flags) }

  /// A new epoch begins with this commit (L-15), or another extension is to be written.
  package func add(_ item: LogExtension) { extensions.append(item) }

  /// Details of the class are dropped, but for created and deleted keys: everything in it counts as changed (L-11, L-26).
  package func truncated(_ classID: ClassID) {
    buffer(classID).isTruncated = true
    flags.insert(.truncated)
  }

  /// True if nothing was recorded.
  package var isEmpty: Bool {
    hotClass == .max && flags.isEmpty && extensions.isEmpty && classes.allSatisfy { $0 == nil }
  }

  /// Every property that was assigned; nil when anything else was recorded, or more than a number of runs of objects in a class.
  func assignments(atMost limit: Int) -> [Assignment]? {
    guard hotClass == .max, flags.isEmpty, extensions.isEmpty, deletedObjects.isEmpty else { return nil }
    var result: [Assignment] = []
    for case let buffer? in classes {
      guard let found = buffer.assignments(atMost: limit) else { return nil }
      result += found.map {
        Assignment(classID: buffer.classID, column: $0.column, keys: $0.keys)
      }
    }
    return result
  }

  // MARK: - Coming back

  /// Everything recorded up to some moment.
  struct Mark {
    fileprivate let classes: [ClassChangeBuffer.Mark?]
    fileprivate let deletedCount: Int
    fileprivate let flags: CommitRecord.Flags
    fileprivate let extensionCount: Int
    fileprivate let operations: OperationRecorder.Mark?
  }

  /// Marks this moment. Costs the number of changed columns, however much was recorded.
  func mark() -> Mark {
    flushRun()
    return Mark(
      classes: classes.map { $0?.mark() }, deletedCount: deletedObjects.count, flags: flags,
      extensionCount: extensions.count, operations: operations?.mark())
  }

  /// Forgets everything since a mark, which can be come back to once.
  func restore(_ mark: Mark) {
    for number in classes.indices {
      if number < mark.classes.count, let known = mark.classes[number] {
        classes[number]?.restore(known)
      } else {
        classes[number] = nil
      }
    }
    deletedObjects.removeSubrange(mark.deletedCount...)
    flags = mark.flags
    extensions.removeSubrange(mark.extensionCount...)
    if let known = mark.operations { operations?.restore(known) }
    // What is kept at hand belongs to what was forgotten.
    hotClass = .max
    hotStart = 0
    hotEnd = .max
    hotFirst = .max
    lastBuffer = nil
    recent = Self.noRecent
  }

  /// The record of the transaction's net effect.
  ///
  /// - Parameter ownerOf: Finds the owner of a living embedded object; asked for each that was edited.
  ///   Nil for a class that is not embedded.
  package func finish(
    time: HybridTime, origin: UInt16 = 0, schemaFingerprint: UInt64,
    ownerOf: (ClassID) -> ((ObjectKey) throws -> (owner: ObjectLink, column: ColumnID)?)? = { _ in nil }
  ) throws -> CommitRecord {
    flushRun()
    var changes: [ClassChanges] = []
    for buffer in classes {
      guard let buffer else { continue }
      let found = try buffer.finish(
        ownerOf: ownerOf(buffer.classID), added: operations?.added(in: buffer.classID) ?? [:])
      if !found.isEmpty { changes.append(found) }
    }
    return CommitRecord(
      flags: flags, time: time, origin: origin, schemaFingerprint: schemaFingerprint, extensions: extensions,
      classes: changes)
  }

  /// Deleted objects that existed before the transaction, for the table of tombstones.
  package func tombstones() -> [DeletedObject] {
    flushRun()
    if deletedObjects.isEmpty { return [] }
    return deletedObjects.filter { $0.key.rawValue < buffer($0.classID).firstInserted }
  }

  // MARK: - Operations

  /// Notes that what is recorded from here on comes from elsewhere, and has no operations.
  func apply(from origin: RemoteOrigin) {
    remote = origin
    operations = nil
    mark(.appliedFromRemote)
  }

  /// The schema has other synced classes now.
  func track(_ synced: [Bool]) {
    if let operations {
      operations.synced = synced
    } else if !synced.isEmpty, remote == nil {
      operations = OperationRecorder(synced: synced)
    }
  }

  /// Returns the changes of synced classes, in order of class number.
  func syncedBuffers() -> [ClassChangeBuffer] {
    flushRun()
    guard let operations else { return [] }
    return classes.compactMap { $0 }.filter { operations.isSynced($0.classID) }
  }

  /// The primary keys of deleted objects.
  func deletedPrimaryKeys() -> [ObjectLink: StoredValue] {
    Dictionary(
      deletedObjects.map { (ObjectLink(classID: $0.classID, key: $0.key), $0.primaryKey) }, uniquingKeysWith: { $1 })
  }

  // MARK: - Slow paths

  @inline(never)
  private func beginRun(_ classID: ClassID, _ key: UInt64, count: UInt64) {
    flushRun()
    let buffer = buffer(classID)
    // An object that links led to before it came has a lower key than those that were made meanwhile.
    if key < buffer.firstInserted {
      buffer.firstInserted = key
      for place in recent.indices where recent[place].word >> 32 == UInt64(classID.rawValue) {
        recent[place].firstInserted = key
      }
    }
    hotClass = UInt32(classID.rawValue)
    hotStart = key
    hotEnd = key + count
    hotFirst = buffer.firstInserted
  }

  private func flushRun() {
    guard hotClass != .max, hotStart < hotEnd else { return }
    buffer(ClassID(rawValue: UInt16(hotClass))).inserted.add(KeyRange(start: hotStart, count: hotEnd - hotStart))
    hotStart = hotEnd
  }

  @inline(never)
  private func noteModified(_ classID: ClassID, _ column: ColumnID, _ key: UInt64, derived: Bool) {
    let word = UInt64(classID.rawValue) << 32 | UInt64(column.rawValue) << 16 | (derived ? 1 : 0)
    let place = Int(column.rawValue) & 15
    if recent[place].word != word { remember(classID, column, word, place, derived: derived) }
    if key < recent[place].firstInserted { recent[place].runs?.buffer.add(key) }
  }

  @inline(never)
  private func remember(_ classID: ClassID, _ column: ColumnID, _ word: UInt64, _ place: Int, derived: Bool) {
    let buffer = buffer(classID)
    recent[place] = RecentColumn(
      word: word, firstInserted: buffer.firstInserted, runs: buffer.runs(column, derived: derived))
  }

  @inline(__always)
  private func buffer(_ classID: ClassID) -> ClassChangeBuffer {
    if let lastBuffer, lastBuffer.classID == classID { return lastBuffer }
    return findBuffer(classID)
  }

  @inline(never)
  private func findBuffer(_ classID: ClassID) -> ClassChangeBuffer {
    let number = Int(classID.rawValue)
    while classes.count <= number { classes.append(nil) }
    let buffer = classes[number] ?? ClassChangeBuffer(classID: classID)
    classes[number] = buffer
    lastBuffer = buffer
    return buffer
  }
}
