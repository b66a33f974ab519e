import Foundation

/// Fills rows of one class one after another: the bulk path of insertion.
///
/// It holds on to the decoded columns of the cluster that grows, so that a value costs one call and one store, without the
/// look-ups and reference counts of `StoreWriter`'s setters. Whatever may take the columns away (a flush, a query that encodes
/// them) changes the writer's stamp; then setters answer false and the caller goes through the writer.
package final class RowWriter {
  // Owned by the writer, which cannot go before it.
  unowned(unsafe) private let writer: StoreWriter
  private let owner: ClassWriter
  let classID: ClassID
  private let recorder: ChangeRecorder
  @exclusivity(unchecked) private var stamp = UInt64.max
  @exclusivity(unchecked) private var cluster = -1
  @exclusivity(unchecked) private var key = UInt64.max
  @exclusivity(unchecked) private var slot = 0
  /// The first key beyond the cluster, and the cluster's size.
  @exclusivity(unchecked) private var end: UInt64 = 0
  private let size: UInt64
  @exclusivity(unchecked) private var rows: Unmanaged<DirtyCluster>?
  /// The column of an integer primary key.
  @exclusivity(unchecked) private var keys: Unmanaged<ColumnBuffer>?
  /// By column number. The cluster owns them, and the writer keeps the cluster while the stamp holds.
  @exclusivity(unchecked) private var buffers: ContiguousArray<Unmanaged<ColumnBuffer>?> = []

  /// Longer texts are the writer's, which counts what they take.
  package static let longText = LeafFormat.maximumInlineLength

  init(_ writer: StoreWriter, _ owner: ClassWriter) {
    self.writer = writer
    self.owner = owner
    classID = owner.descriptor.id
    recorder = writer.recorder
    size = UInt64(writer.clusterSize)
  }

  /// Creates a row as `StoreWriter.create(_:primaryKey:)` does; the new row is then the one that the setters fill.
  package func create(primaryKey number: Int64) throws -> ObjectKey {
    if let key = createNext(number) { return key }
    let key = try writer.create(classID, primaryKey: number)
    try take(key)
    return key
  }

  /// The next row of the cluster at hand, when the key is above all others.
  @inline(__always)
  private func createNext(_ number: Int64) -> ObjectKey? {
    let next = owner.nextKey
    guard next < end, stamp == writer.viewStamp, let rows, let keys, owner.primaryKeys.isAboveAll(number),
      !owner.primaryKeys.isFull, !owner.hasGhosts, !writer.cache.isOverLimit, writer.store.isOpeningProcess
    else { return nil }
    let made = ObjectKey(rawValue: next)
    slot = Int(truncatingIfNeeded: next &- (end &- size))
    key = next
    owner.nextKey = next &+ 1
    owner.count &+= 1
    owner.primaryKeys.append(number, made)
    rows._withUnsafeGuaranteedRef { $0.presence.set(slot) }
    keys._withUnsafeGuaranteedRef { $0.setInt(slot, number) }
    recorder.inserted(classID, made)
    return made
  }

  /// Creates a row as `StoreWriter.create(_:)` does for a class without a primary key; the new row is then the one that the setters fill.
  package func create() throws -> ObjectKey {
    if let key = createNext() { return key }
    let key = try writer.create(classID)
    try take(key)
    return key
  }

  /// The next row of the cluster at hand.
  @inline(__always)
  private func createNext() -> ObjectKey? {
    let next = owner.nextKey
    // A cluster is at hand where the writer made a row in it: the class is none that needs a key or an owner.
    guard next < end, stamp == writer.viewStamp, let rows, owner.shape.keyColumn == nil, !writer.cache.isOverLimit,
      writer.store.isOpeningProcess
    else {
      return nil
    }
    let made = ObjectKey(rawValue: next)
    slot = Int(truncatingIfNeeded: next &- (end &- size))
    key = next
    owner.nextKey = next &+ 1
    owner.count &+= 1
    rows._withUnsafeGuaranteedRef { $0.presence.set(slot) }
    recorder.inserted(classID, made)
    return made
  }

  /// Creates a row as `StoreWriter.create(_:primaryKey:intent:)` does; the new row is then the one that the setters fill.
  package func create(primaryKey: StoredValue?, intent: CreateIntent) throws -> ObjectKey {
    let key = try writer.create(classID, primaryKey: primaryKey, intent: intent)
    try take(key)
    return key
  }

  private func take(_ key: ObjectKey) throws {
    let (number, slot) = writer.locate(key)
    if number != cluster || stamp != writer.viewStamp { try load(number, slot) }
    self.slot = slot
    self.key = key.rawValue
  }

  /// Takes hold of a cluster whose rows will be filled from a slot on.
  private func load(_ number: Int, _ first: Int) throws {
    let loaded = try writer.cluster(owner, number)
    buffers = ContiguousArray(repeating: nil, count: owner.shape.columns.count)
    for column in owner.descriptor.columns where column.collection == .none && !column.isPrimaryKey {
      let decoded = try writer.column(owner, column.id, loaded)
      loaded.willChange(decoded, first)
      buffers[Int(column.id.rawValue)] = Unmanaged.passUnretained(decoded.buffer)
    }
    rows = Unmanaged.passUnretained(loaded)
    keys = nil
    if let column = owner.shape.keyColumn, column.type == .int {
      let decoded = try writer.column(owner, column.id, loaded)
      loaded.willChange(decoded, first)
      keys = Unmanaged.passUnretained(decoded.buffer)
    }
    loaded.presenceWillChange(first)
    end = (UInt64(number) + 1) * size
    cluster = number
    stamp = writer.viewStamp
  }

  /// Logs that a property holds the declaration's default.
  package func noteDefault(_ column: ColumnID, _ key: ObjectKey) { recorder.defaulted(classID, column, key) }

  @inline(__always)
  private func fill(_ column: ColumnID, _ key: ObjectKey, _ body: (ColumnBuffer, Int) -> Void) -> Bool {
    guard key.rawValue == self.key, stamp == writer.viewStamp, let buffer = buffers[Int(column.rawValue)] else {
      return false
    }
    buffer._withUnsafeGuaranteedRef { body($0, slot) }
    return true
  }

  // MARK: - Setters: false when the row is not the one being filled; then use the writer

  package func setInt(_ column: ColumnID, _ key: ObjectKey, _ value: Int64) -> Bool {
    fill(column, key) { $0.setInt($1, value) }
  }

  package func setBool(_ column: ColumnID, _ key: ObjectKey, _ value: Bool) -> Bool {
    fill(column, key) { $0.setBool($1, value) }
  }

  package func setFloat(_ column: ColumnID, _ key: ObjectKey, _ value: Float) -> Bool {
    fill(column, key) { $0.setFloat($1, value) }
  }

  package func setDouble(_ column: ColumnID, _ key: ObjectKey, _ value: Double) -> Bool {
    fill(column, key) { $0.setDouble($1, value) }
  }

  package func setString(_ column: ColumnID, _ key: ObjectKey, _ value: String) -> Bool {
    value.utf8.count <= Self.longText && fill(column, key) { $0.setString($1, value) }
  }

  /// Sets a string from its bytes, which must be valid UTF-8.
  package func setText(_ column: ColumnID, _ key: ObjectKey, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.count <= Self.longText && fill(column, key) { $0.setBytes($1, UnsafeRawBufferPointer(text)) }
  }

  package func setData(_ column: ColumnID, _ key: ObjectKey, _ value: Data) -> Bool {
    value.count <= Self.longText
      && fill(column, key) { buffer, slot in value.withUnsafeBytes { buffer.setBytes(slot, $0) } }
  }

  package func setDate(_ column: ColumnID, _ key: ObjectKey, _ value: Timestamp) -> Bool {
    fill(column, key) { $0.setDate($1, value) }
  }

  package func setUUID(_ column: ColumnID, _ key: ObjectKey, _ value: UUID) -> Bool {
    fill(column, key) { $0.setUUID($1, value) }
  }

  package func setObjectId(_ column: ColumnID, _ key: ObjectKey, _ value: ObjectIdBytes) -> Bool {
    fill(column, key) { $0.setObjectId($1, value) }
  }

  package func setDecimal128(_ column: ColumnID, _ key: ObjectKey, _ value: Decimal128Bits) -> Bool {
    fill(column, key) { $0.setDecimal128($1, value) }
  }

  /// Also false for what is no plain value: an embedded object that was there before goes with its link.
  package func setNull(_ column: ColumnID, _ key: ObjectKey) -> Bool {
    guard key.rawValue == self.key, stamp == writer.viewStamp, let buffer = buffers[Int(column.rawValue)],
      buffer._withUnsafeGuaranteedRef({ $0.isOptional && $0.type != .link && $0.type != .mixed })
    else { return false }
    return fill(column, key) { $0.setNull($1) }
  }
}
