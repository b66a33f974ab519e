import CSQLite
import LarderQuery
import LarderStorage

/// The places of one column's values for the row that is read and its neighbours: SQLite gets a value straight from the leaf.
///
/// Only pointers and numbers, in memory of its own, so that a value takes no counting of references.
struct LeafCell {
  enum Kind: UInt8 {
    case bool, int, float, double, text, data, date, link
    /// A value that SQLite has no type for.
    case other
  }

  let kind: Kind
  /// Keys that the leaf answers for, from `first`; 0 before the first value.
  private(set) var size: UInt64 = 0
  private(set) var first: UInt64 = 0
  /// Keys that the leaf has values of.
  private(set) var count: UInt64 = 0
  private(set) var pointers: LeafPointers?
  private(set) var date = DateBuffer()
  let owner: Unmanaged<ColumnReader>
  /// Of a link: the primary keys that it shows; nil where it shows the object's key.
  let linked: UnsafeMutablePointer<LeafCell>?
  /// Of a primary key: the place for the object that a link showed it of.
  let shown: UnsafeMutablePointer<UInt64>?

  init(
    _ kind: Kind, _ owner: Unmanaged<ColumnReader>, linked: UnsafeMutablePointer<LeafCell>?,
    shown: UnsafeMutablePointer<UInt64>?
  ) {
    (self.kind, self.owner, self.linked, self.shown) = (kind, owner, linked, shown)
  }

  /// Reads of the leaf that has a key from now on.
  mutating func load(_ key: UInt64) throws {
    let (start, leaf) = try owner._withUnsafeGuaranteedRef { try $0.values.leaf(of: key) }
    first = start
    size = owner._withUnsafeGuaranteedRef { $0.clusterSize }
    count = UInt64(leaf?.count ?? 0)
    pointers = leaf?.pointers
  }

  /// The text that `date` writes for a slot; nil where it cannot.
  mutating func dateText(_ pointers: LeafPointers, _ slot: Int) -> UnsafeBufferPointer<UInt8>? {
    date.text(pointers.timestamp(slot))
  }
}

extension UnsafeMutablePointer<LeafCell> {
  /// Gives SQLite the value of an object that exists.
  @inline(__always)
  func give(_ key: UInt64, to context: OpaquePointer?) throws {
    if key &- pointee.first >= pointee.size { try pointee.load(key) }
    let place = key &- pointee.first
    guard place < pointee.count, let pointers = pointee.pointers else { return try giveSlowly(key, to: context) }
    let slot = Int(truncatingIfNeeded: place)
    if pointers.isNull(slot) { return sqlite3_result_null(context) }
    switch pointee.kind {
    case .int: sqlite3_result_int64(context, pointers.int(slot))
    case .double: give(pointers.double(slot), to: context)
    case .text:
      guard !pointers.isLarge(slot) else { return try giveSlowly(key, to: context) }
      // The leaf stays where it is as long as the version that the statement reads.
      let bytes = pointers.bytes(slot)
      sqlite3_result_text(
        context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(truncatingIfNeeded: bytes.count), nil)
    case .bool: sqlite3_result_int(context, pointers.bool(slot) ? 1 : 0)
    case .float: give(Double(pointers.float(slot)), to: context)
    case .date:
      guard let text = pointee.dateText(pointers, slot) else { return try giveSlowly(key, to: context) }
      text.withMemoryRebound(to: CChar.self) {
        sqlite3_result_text(context, $0.baseAddress, Int32(truncatingIfNeeded: $0.count), SQLValue.copied)
      }
    case .link:
      let target = pointers.int(slot)
      guard try isThere(UInt64(bitPattern: target)) else { return sqlite3_result_null(context) }
      if let linked = pointee.linked {
        try linked.giveLinked(UInt64(bitPattern: target), to: context)
      } else {
        sqlite3_result_int64(context, target)
      }
    case .data, .other: try giveSlowly(key, to: context)
    }
  }

  /// Gives SQLite the primary key of an object that a link leads to.
  @inline(never)
  func giveLinked(_ key: UInt64, to context: OpaquePointer?) throws {
    pointee.shown?.pointee = key
    try give(key, to: context)
  }

  /// SQLite's own tables keep no sign of zero, and SQLite makes NULL of NaN.
  @inline(__always)
  private func give(_ value: Double, to context: OpaquePointer?) {
    sqlite3_result_double(context, value == 0 ? 0 : value)
  }

  @inline(never)
  private func giveSlowly(_ key: UInt64, to context: OpaquePointer?) throws {
    try pointee.owner.takeUnretainedValue().value(key).give(to: context)
  }

  @inline(__always)
  private func isThere(_ target: UInt64) throws -> Bool {
    try pointee.owner._withUnsafeGuaranteedRef { try $0.isThere(target) }
  }

  /// The object that a link leads to.
  func link(_ key: UInt64) throws -> UInt64? {
    if key &- pointee.first >= pointee.size { try pointee.load(key) }
    let place = key &- pointee.first
    guard place < pointee.count, let pointers = pointee.pointers else { return nil }
    let slot = Int(truncatingIfNeeded: place)
    guard !pointers.isNull(slot) else { return nil }
    let target = UInt64(bitPattern: pointers.int(slot))
    return try isThere(target) ? target : nil
  }

  /// The value of an object as part of a key of `JoinTable`.
  ///
  /// - Returns: false for NULL, which equals nothing.
  func append(_ key: UInt64, to bytes: inout JoinKey) throws -> Bool {
    if key &- pointee.first >= pointee.size { try pointee.load(key) }
    let place = key &- pointee.first
    guard place < pointee.count, let pointers = pointee.pointers else { return try appendSlowly(key, to: &bytes) }
    let slot = Int(truncatingIfNeeded: place)
    if pointers.isNull(slot) { return false }
    switch pointee.kind {
    case .int: bytes.append(pointers.int(slot))
    case .bool: bytes.append(Int64(pointers.bool(slot) ? 1 : 0))
    case .double: return bytes.append(pointers.double(slot))
    case .float: return bytes.append(Double(pointers.float(slot)))
    case .link:
      let target = pointers.int(slot)
      guard try isThere(UInt64(bitPattern: target)) else { return false }
      if let linked = pointee.linked { return try linked.append(UInt64(bitPattern: target), to: &bytes) }
      bytes.append(target)
    case .text:
      guard !pointers.isLarge(slot) else { return try appendSlowly(key, to: &bytes) }
      bytes.append(pointers.bytes(slot))
    case .date:
      guard let text = pointee.dateText(pointers, slot) else { return try appendSlowly(key, to: &bytes) }
      bytes.append(UnsafeRawBufferPointer(text))
    case .data, .other: return try appendSlowly(key, to: &bytes)
    }
    return true
  }

  private func appendSlowly(_ key: UInt64, to bytes: inout JoinKey) throws -> Bool {
    switch try pointee.owner.takeUnretainedValue().value(key) {
    case .null, .blob: return false
    case .integer(let number): bytes.append(number)
    case .real(let number): return bytes.append(number)
    case .text(var text): text.withUTF8 { bytes.append(UnsafeRawBufferPointer($0)) }
    }
    return true
  }
}

/// The reader that a cell asks where the leaf does not have the answer, and the cell's memory.
final class ColumnReader {
  let values: ColumnValues
  let clusterSize: UInt64
  /// Makes a stored value one of SQLite's.
  private let show: (StoredValue) throws -> SQLValue
  /// Of a link: the objects that it may lead to.
  private let targets: ObjectPresence?
  /// Of a link: the primary keys that it shows.
  private let linked: ColumnReader?
  private(set) var cell: UnsafeMutablePointer<LeafCell>

  init(
    _ step: SQLColumn.Step, _ reader: any StoreReader, targets: ObjectPresence?, linked: ColumnReader?,
    shown: UnsafeMutablePointer<UInt64>?, show: @escaping (StoredValue) throws -> SQLValue
  ) throws {
    (self.targets, self.linked, self.show) = (targets, linked, show)
    values = try ColumnValues(reader, step.classID, step.column.id)
    clusterSize = UInt64(reader.clusterSize)
    cell = .allocate(capacity: 1)
    cell.initialize(
      to: LeafCell(Self.kind(step.column), .passUnretained(self), linked: linked?.cell, shown: shown))
  }

  deinit {
    cell.pointee.date.deallocate()
    cell.deinitialize(count: 1)
    cell.deallocate()
  }

  private static func kind(_ column: ColumnDescriptor) -> LeafCell.Kind {
    switch column.type {
    case .bool: .bool
    case .int: .int
    case .float: .float
    case .double: .double
    case .string: .text
    case .data: .data
    case .date: .date
    case .link: column.target == nil ? .other : .link
    case .uuid, .objectId, .decimal128, .mixed: .other
    }
  }

  func isThere(_ target: UInt64) throws -> Bool { try targets?.contains(target) ?? false }

  func value(_ key: UInt64) throws -> SQLValue {
    let value = try values.value(ObjectKey(rawValue: key))
    if case .link(let target) = value, let linked { return try linked.value(target.rawValue) }
    return try show(value)
  }
}
