import Foundation
import LarderStorage

/// One class as one Realm sees it: the numbers of its class and columns, and the leaf of each column that was read last.
///
/// Owned by the class table of its host; objects point at `states`.
public final class _ClassCursor {
  unowned(unsafe) let host: ObjectHost
  let model: ModelClass
  let classID: ClassID
  /// By property number.
  let columns: [ColumnID]
  /// -1 without a primary key. Asked at each assignment: without a property to copy.
  let primaryKeyIndex: Int
  /// The open write transaction, kept alive by the Realm.
  unowned(unsafe) var writer: StoreWriter? {
    didSet {
      paths = WritePaths(isAnnounced: host.isAnnouncing)
      hasDefaults = false
    }
  }
  /// True if the open transaction made objects here that hold defaults, which an assignment ends.
  private(set) var hasDefaults = false
  /// The short ways to a row of the class, owned by the writer.
  private struct WritePaths {
    /// True if assignments are to be announced. Here, so that finding that out costs an assignment no look at another object.
    let isAnnounced: Bool
    /// The bulk path of insertion.
    var row: Unmanaged<RowWriter>?
    /// The comparer with stored values for updates.
    var comparer: Unmanaged<RowComparer>?
  }

  private var paths: WritePaths
  /// Byte offsets of the wrappers, by property number.
  private let offsets: UnsafeMutablePointer<Int>
  private let propertyCount: Int
  let states: UnsafeMutablePointer<_ColumnState>
  let clusterSize: UInt32
  private var targets: [_ClassCursor?]
  /// By property number; nil for collections, which have no leaves by cluster.
  private let leafTables: [LeafTable?]
  /// For a class's cursor of `DynamicObject`s: the one of its Swift class, if it has one in this Realm.
  var typed: _ClassCursor? {
    if let knownTyped { return knownTyped }
    guard model.isDynamic, let type = host.models.first(where: { $0.name == model.name })?.type else { return nil }
    let found = host.cursor(for: type)
    // A frozen Realm is read from many threads: it keeps no state.
    if !host.isFrozen { knownTyped = found }
    return found
  }
  private var knownTyped: _ClassCursor?

  init(_ host: ObjectHost, model: ModelClass, descriptor: ClassDescriptor) {
    self.host = host
    self.model = model
    classID = descriptor.id
    columns = model.properties.map { descriptor.column(named: $0.columnName)?.id ?? .presence }
    primaryKeyIndex = model.primaryKey?.index ?? -1
    clusterSize = UInt32(host.store.clusterSize)
    leafTables = model.properties.map { $0.kind == .none ? LeafTable() : nil }
    targets = Array(repeating: nil, count: columns.count)
    // Objects without a Swift class of their own have no wrappers.
    propertyCount = model.offsets.count
    offsets = .allocate(capacity: propertyCount)
    offsets.initialize(from: model.offsets, count: propertyCount)
    writer = host.writer
    paths = WritePaths(isAnnounced: host.isAnnouncing)
    states = .allocate(capacity: propertyCount)
    let dummy = LeafPointers.none
    states.initialize(repeating: _ColumnState(tag: _ColumnState.invalid, leaf: dummy), count: propertyCount)
  }

  deinit {
    states.deallocate()
    offsets.deallocate()
  }

  var realm: Realm { Realm(host) }

  @inline(__always)
  func locate(_ key: ObjectKey) -> (cluster: UInt64, slot: Int) {
    if key.rawValue <= UInt64(UInt32.max) {
      let (cluster, slot) = UInt32(truncatingIfNeeded: key.rawValue).quotientAndRemainder(dividingBy: clusterSize)
      return (UInt64(cluster), Int(slot))
    }
    let (cluster, slot) = key.rawValue.quotientAndRemainder(dividingBy: UInt64(clusterSize))
    return (cluster, Int(slot))
  }

  /// Forgets all leaves: the Realm moved to another version.
  func reset() {
    for index in 0..<propertyCount { states[index].tag = _ColumnState.invalid }
  }

  /// The cursor of the class a link or list of objects leads to.
  func target(_ index: Int) -> _ClassCursor? {
    if let found = targets[index] { return found }
    guard let found = cursor(behind: model.properties[index]) else { return nil }
    // A frozen Realm is read from many threads: it keeps no state.
    if !host.isFrozen { targets[index] = found }
    return found
  }

  /// Lets go of other cursors, which may lead back: the Realm goes.
  func forgetOthers() {
    targets = []
    knownTyped = nil
  }

  /// The cursor of the class that a property's objects are of, those of an inverse as well; nil when it has none.
  func cursor(behind property: ModelProperty) -> _ClassCursor? {
    guard let type = property.objectClass else { return nil }
    return model.isDynamic ? host.dynamicCursor(property.objectClassName ?? "") : host.cursor(for: type)
  }

  /// The number of the property that is stored in a column.
  func index(of column: ColumnID) -> Int { columns.firstIndex(of: column) ?? 0 }

  // MARK: - Reading

  /// Returns true if the accessor has outlived neither its Realm nor the write transaction that made its object.
  func mayBeLive(_ object: ObjectBase) -> Bool {
    host.isValid(object.validity, classID, object._objectKey)
  }

  func isLive(_ object: ObjectBase) -> Bool {
    // Whatever ends an accessor ends its generation, too.
    if object._tag >> 32 == UInt64(host.generation), !host.isWriting { return true }
    guard mayBeLive(object) else { return false }
    if let writer { return orMisuse { try writer.contains(classID, object._objectKey) } }
    return orMisuse { try host.currentSnapshot().contains(classID, object._objectKey) }
  }

  /// Loads a leaf that this version was asked for before, for an object that is known to be live; nil where more has to be looked at.
  @inline(__always)
  func refillAgain(_ index: Int, _ object: ObjectBase) -> Bool? {
    let tag = object._tag
    guard host.isReadingHere(generation: tag >> 32),
      let known = leafTables[index]?.leaf(Int(tag & 0xFFFF_FFFF), generation: tag >> 32)
    else { return nil }
    states[index] = _ColumnState(tag: tag, leaf: known.leaf)
    return object._slot < known.count
  }

  /// Loads a column's leaf for the object's cluster. In a write transaction leaves may change at any time: none is kept.
  func refill(_ index: Int, _ object: ObjectBase) -> Bool {
    // A frozen Realm is read from many threads: it keeps no state.
    guard !host.isWriting, !host.isFrozen, let table = leafTables[index] else { return false }
    let (tag, generation) = (object._tag, object._tag >> 32)
    let cluster = Int(tag & 0xFFFF_FFFF)
    if let known = table.leaf(cluster, generation: generation) {
      states[index] = _ColumnState(tag: tag, leaf: known.leaf)
      return object._slot < known.count
    }
    guard let leaf = orMisuse({ try host.currentSnapshot().leaf(classID, columns[index], cluster: cluster) }) else {
      return false
    }
    table.note(leaf, cluster, generation: generation) {
      orMisuse { try host.currentSnapshot().clusterCount(of: classID) }
    }
    states[index] = _ColumnState(tag: tag, leaf: leaf.pointers)
    return object._slot < leaf.count
  }

  func value(_ index: Int, _ key: ObjectKey) -> StoredValue {
    orMisuse { try host.reader.value(classID, columns[index], key) }
  }

  /// An accessor of a row that is known to exist.
  func object(_ key: ObjectKey) -> ObjectBase {
    if let template = model.template {
      let object = template.make()
      object.attach(self, key)
      return object
    }
    let object = DeclaredDefaults.deferred { model.type.init() }
    let memory = object.address
    // An inverse begins with a value that belongs to no object, which only says what it follows.
    for inverse in model.inverses { inverse.accessor.clear(memory) }
    for index in 0..<propertyCount {
      memory.storeBytes(of: Int32(truncatingIfNeeded: index), toByteOffset: offsets[index], as: Int32.self)
    }
    object.attach(self, key)
    return object
  }

  /// The object with an integer primary key, without boxing the key or the reader.
  func key(ofPrimaryKey number: Int64) -> ObjectKey? {
    if let writer { return orMisuse { try writer.object(classID, primaryKey: .int(number)) } }
    return orMisuse { try host.currentSnapshot().object(classID, primaryKey: .int(number)) }
  }

  func isPresent(_ key: ObjectKey) -> Bool { orMisuse { try host.reader.contains(classID, key) } }

  func objectIfPresent(_ key: ObjectKey) -> ObjectBase? {
    isPresent(key) ? object(key) : nil
  }

  /// An accessor of a row that existed once; invalidated when the row is deleted.
  func objectOrGone(_ key: ObjectKey) -> ObjectBase {
    let made = object(key)
    if !isPresent(key) { made.detach() }
    return made
  }

  // MARK: - Writing: transaction, row and type were checked before

  @inline(__always)
  func writing(_ index: Int, _ key: ObjectKey, _ body: (StoreWriter, ColumnID) throws -> Void) {
    guard let writer else { misuse("No write transaction is open.") }
    if paths.isAnnounced { announce(index, key) }
    host.noteChange()
    orMisuse { try body(writer, columns[index]) }
  }

  @inline(never)
  private func announce(_ index: Int, _ key: ObjectKey) {
    host.announcer?.changes(classID, columns[index], key, in: host.writeNumber)
  }

  func store(_ value: StoredValue, _ index: Int, _ key: ObjectKey) {
    if hasDefaults { noteAssigned(index, key) }
    writing(index, key) { try $0.set(classID, $1, key, value) }
  }

  func storeNull(_ index: Int, _ key: ObjectKey) {
    if hasDefaults { noteAssigned(index, key) }
    if fillsRow(index, { $0.setNull($1, key) }) { return }
    writing(index, key) { try $0.setNull(classID, $1, key) }
  }

  /// Makes a row with an integer primary key, to be filled next; nil when something is wrong with the key.
  func makeRow(primaryKey number: Int64) -> ObjectKey? {
    // The writer is not looked at while there is a row writer: that would count a reference for each object.
    if let row = paths.row { return try? row._withUnsafeGuaranteedRef { try $0.create(primaryKey: number) } }
    guard let writer else { return nil }
    host.announcer?.inserts(classID, in: host.writeNumber)
    paths.row = (try? writer.rowWriter(classID)).map { Unmanaged.passUnretained($0) }
    return try? paths.row?._withUnsafeGuaranteedRef { try $0.create(primaryKey: number) }
  }

  /// Makes a row with any primary key, or without one, to be filled next.
  func makeRow(primaryKey: StoredValue?, intent: CreateIntent) throws -> ObjectKey {
    if paths.row == nil {
      let writer = host.openWriter()
      host.announcer?.inserts(classID, in: host.writeNumber)
      paths.row = Unmanaged.passUnretained(try writer.rowWriter(classID))
    }
    guard let row = paths.row else { misuse("No write transaction is open.") }
    return try row._withUnsafeGuaranteedRef { try $0.create(primaryKey: primaryKey, intent: intent) }
  }

  /// Logs that a property of a new object holds the default of its declaration (L-16).
  func noteDefault(_ index: Int, _ key: ObjectKey) {
    hasDefaults = true
    if let row = paths.row { return row._withUnsafeGuaranteedRef { $0.noteDefault(columns[index], key) } }
    writer?.noteDefault(classID, columns[index], key)
  }

  /// Logs that such a property was assigned.
  func noteAssigned(_ index: Int, _ key: ObjectKey) { writer?.noteAssigned(classID, columns[index], key) }

  /// Returns true if the row being filled took the value.
  @inline(__always)
  private func fillsRow(_ index: Int, _ body: (RowWriter, ColumnID) -> Bool) -> Bool {
    guard let row = paths.row, row._withUnsafeGuaranteedRef({ body($0, columns[index]) }) else { return false }
    host.noteChange()
    return true
  }

  func storeInt(_ value: Int64, _ index: Int, _ key: ObjectKey) {
    if fillsRow(index, { $0.setInt($1, key, value) }) { return }
    writing(index, key) { try $0.setInt(classID, $1, key, value) }
  }

  func storeBool(_ value: Bool, _ index: Int, _ key: ObjectKey) {
    if fillsRow(index, { $0.setBool($1, key, value) }) { return }
    writing(index, key) { try $0.setBool(classID, $1, key, value) }
  }

  func storeFloat(_ value: Float, _ index: Int, _ key: ObjectKey) {
    if fillsRow(index, { $0.setFloat($1, key, value) }) { return }
    writing(index, key) { try $0.setFloat(classID, $1, key, value) }
  }

  func storeDouble(_ value: Double, _ index: Int, _ key: ObjectKey) {
    if fillsRow(index, { $0.setDouble($1, key, value) }) { return }
    writing(index, key) { try $0.setDouble(classID, $1, key, value) }
  }

  func storeString(_ value: String, _ index: Int, _ key: ObjectKey) {
    if fillsRow(index, { $0.setString($1, key, value) }) { return }
    writing(index, key) { try $0.setString(classID, $1, key, value) }
  }

  /// Stores a string that the caller gives up, read where it is: nothing is copied or counted.
  func storeText(_ value: inout String, _ index: Int, _ key: ObjectKey) {
    if value.withUTF8({ text in fillsRow(index) { $0.setText($1, key, text) } }) { return }
    writing(index, key) { try $0.setString(classID, $1, key, value) }
  }

  func storeDate(_ value: Timestamp, _ index: Int, _ key: ObjectKey) {
    if fillsRow(index, { $0.setDate($1, key, value) }) { return }
    writing(index, key) { try $0.setDate(classID, $1, key, value) }
  }

  func storeData(_ value: Data, _ index: Int, _ key: ObjectKey) {
    if !fillsRow(index, { $0.setData($1, key, value) }) { store(.data(value), index, key) }
  }

  func storeUUID(_ value: UUID, _ index: Int, _ key: ObjectKey) {
    if !fillsRow(index, { $0.setUUID($1, key, value) }) { store(.uuid(value), index, key) }
  }

  func storeObjectId(_ value: ObjectId, _ index: Int, _ key: ObjectKey) {
    if !fillsRow(index, { $0.setObjectId($1, key, value.bytes) }) { store(.objectId(value.bytes), index, key) }
  }

  func storeDecimal128(_ value: Decimal128, _ index: Int, _ key: ObjectKey) {
    if !fillsRow(index, { $0.setDecimal128($1, key, value.bits) }) { store(.decimal128(value.bits), index, key) }
  }

  /// Returns true if a property holds a value: asked first by an update that writes differences only.
  @inline(__always)
  func holds(_ index: Int, _ isHeld: (RowComparer, ColumnID) throws -> Bool) -> Bool {
    if paths.comparer == nil {
      guard let writer else { return false }
      paths.comparer = Unmanaged.passUnretained(orMisuse { try writer.rowComparer(classID) })
    }
    guard let comparer = paths.comparer else { return false }
    return orMisuse { try comparer._withUnsafeGuaranteedRef { try isHeld($0, columns[index]) } }
  }

  /// Misuse unless an object is of the very class that a property leads to: a subclass has rows of its own (O-28, E-67).
  private func checkClass(of object: ObjectBase, _ index: Int) {
    if let target = target(index), !target.isClass(of: object) {
      misuse("\(Realm.Error.otherClass(object, model.properties[index], model))")
    }
  }

  /// Returns true if an object is of this class; objects of other Realms count as such, because they fail for that.
  @inline(__always)
  func isClass(of object: ObjectBase) -> Bool {
    guard let theirs = object.cursorReference else { return type(of: object) == model.type }
    return theirs === self || theirs.classID == classID || theirs.host !== host
  }

  /// Links to an object, adding it when it is unmanaged; an embedded one moves into the property.
  func storeObject(_ object: ObjectBase, _ index: Int, _ key: ObjectKey) {
    let property = model.properties[index]
    guard let target = target(index) else { return }
    checkClass(of: object, index)
    guard property.isEmbedded else {
      let link = host.linkKey(for: object)
      writing(index, key) { try $0.setLink(classID, $1, key, link) }
      return
    }
    if object.isManaged {
      if object.host === host, !object.isDetached, value(index, key) == .link(object._objectKey) { return }
      misuse("\(Realm.Error.secondParent(target.model))")
    }
    writing(index, key) {
      let created = try $0.createEmbedded(in: classID, $1, key)
      host.maker(host.adding.policy).adopt(object, target, created)
    }
  }

  /// Writes a link of an object that is being updated (O-46): in place for an embedded object under `.modified`.
  func updateLink(_ object: ObjectBase?, _ index: Int, _ key: ObjectKey, changedOnly: Bool) {
    let current = value(index, key)
    guard let object else {
      if !changedOnly || !current.isNull { storeNull(index, key) }
      return
    }
    if changedOnly, case .link(let existing) = current, let target = target(index),
      orMisuse({ try host.maker(.modified).merge(object, into: existing, target) })
    {
      return
    }
    if model.properties[index].isEmbedded { return storeObject(object, index, key) }
    checkClass(of: object, index)
    let link = host.linkKey(for: object)
    if !changedOnly || current != .link(link) { store(.link(link), index, key) }
  }
}

extension LeafPointers {
  /// A value for a state whose tag matches nothing.
  static var none: LeafPointers { unsafeBitCast(EmptyLeaf(), to: LeafPointers.self) }

  private struct EmptyLeaf {
    var pointers: (UInt, UInt, UInt, UInt) = (8, 0, 0, 0)
    var numbers: (Int64, Int64) = (0, 0)
    var count: Int32 = 0
    var rest: (UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0)
  }
}
