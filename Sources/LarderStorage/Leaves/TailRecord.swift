import LarderLMDB

/// The newest rows of a class, stored together instead of each in a leaf of its own column.
///
/// A leaf holds up to K values and is written whole. A commit of one object would rewrite one for each property; instead its row
/// joins those of the commits before in one small record, until that is full. Readers never see it: a snapshot hands out leaves
/// with these rows after the others (`completed`). Valid as long as the bytes it was read from.
struct TailRecord: Sendable {
  /// The rows' cluster, the last of the class.
  let cluster: Int
  /// The rows' slots. All of them hold an object, and none after them does.
  let slots: Range<Int>
  /// A leaf of these rows alone for each column that has one, in order of number. In other columns the rows hold null or zero.
  let columns: [(id: ColumnID, leaf: LeafView)]

  static let headerSize = 24
  static let entrySize = 8

  /// Lays out a record of leaves that exist.
  ///
  /// - Parameters:
  ///   - leaves: The columns with their leaves, in order of number; each leaf has as many slots as there are rows.
  ///   - key: The record's key as a number: the seed of its checksum.
  static func encode(
    cluster: Int, slots: Range<Int>, leaves: [(id: ColumnID, bytes: [UInt8])], key: UInt64
  ) -> [UInt8] {
    let record = TailRecordWriter(columns: leaves.count)
    for (id, bytes) in leaves {
      _ = record.add(id) { sink in
        sink.add(bytes.count) { UnsafeMutableRawBufferPointer(start: $0, count: bytes.count).copyBytes(from: bytes) }
        return true
      }
    }
    return record.finish(cluster: cluster, slots: slots, key: key)
  }

  init(cluster: Int, slots: Range<Int>, columns: [(id: ColumnID, leaf: LeafView)]) {
    self.cluster = cluster
    self.slots = slots
    self.columns = columns
  }

  /// Reads a record. Throws `.corrupted` when its checksum does not fit or it cannot be one.
  init(_ bytes: ByteView, key: UInt64) throws {
    guard bytes.count >= Self.headerSize, bytes.count & 7 == 0,
      Checksum64.hash(UnsafeRawBufferPointer(rebasing: bytes.buffer[8...]), seed: key)
        == bytes.base.loadUnaligned(as: UInt64.self)
    else { throw Self.damaged("its checksum does not fit") }
    cluster = Int(bytes.base.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    let start = Int(bytes.base.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
    let rows = Int(bytes.base.loadUnaligned(fromByteOffset: 14, as: UInt16.self))
    slots = start..<start + rows
    guard rows > 0 else { throw Self.damaged("it holds no rows") }
    let count = bytes.base.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
    guard count <= UInt64((bytes.count - Self.headerSize) / Self.entrySize) else {
      throw Self.damaged("it names more columns than it has room for")
    }
    var place = Self.headerSize + Self.entrySize * Int(count)
    var found: [(id: ColumnID, leaf: LeafView)] = []
    for number in 0..<Int(count) {
      let entry = Self.headerSize + Self.entrySize * number
      let id = ColumnID(rawValue: bytes.base.loadUnaligned(fromByteOffset: entry, as: UInt16.self))
      let size = Int(bytes.base.loadUnaligned(fromByteOffset: entry + 4, as: UInt32.self))
      guard size <= bytes.count - place else { throw Self.damaged("a leaf of it is cut short") }
      let leaf = try LeafView(bytes.slice(place, size))
      guard leaf.count == rows, leaf.type != nil, found.last.map({ $0.id < id }) ?? true else {
        throw Self.damaged("a leaf of it does not fit its rows")
      }
      found.append((id, leaf))
      place += size
    }
    columns = found
  }

  private static func damaged(_ what: String) -> StorageError {
    StorageError(
      .corrupted,
      "The newest rows of a class, stored together, are damaged: \(what). Verify the file and restore a backup.")
  }

  // MARK: - Leaves with these rows

  /// The presence bits of the cluster, with these rows.
  func presence(_ stored: LeafView?, capacity: Int) -> Bitmap {
    var bits = stored?.bitmap(capacity: capacity) ?? Bitmap(count: capacity)
    for slot in slots where slot < bits.count { bits.set(slot) }
    return bits
  }

  /// The leaf of a column with these rows after the others. O(K).
  ///
  /// - Parameters:
  ///   - stored: The cluster's leaf of the column; nil when none is stored.
  ///   - key: The leaf's key as a number.
  ///   - present: Who is in the cluster, these rows included.
  /// - Returns: Nil when all rows hold the column's initial value.
  func completed(
    _ stored: LeafView?, _ descriptor: ColumnDescriptor, key: UInt64, present: Bitmap
  ) throws -> [UInt8]? {
    let own = columns.first { $0.id == descriptor.id }?.leaf
    if own == nil, stored == nil { return nil }
    guard slots.upperBound <= present.count, stored?.count ?? 0 <= slots.lowerBound,
      stored?.type ?? descriptor.type == descriptor.type, own?.type ?? descriptor.type == descriptor.type
    else { throw Self.damaged("they do not fit the column '\(descriptor.name)'") }
    try stored?.checkMixed()
    try own?.checkMixed()
    let optional = descriptor.isOptional
    let buffer =
      stored.map { ColumnBuffer(decoding: $0, capacity: present.count, isOptional: optional) }
      ?? ColumnBuffer(type: descriptor.type, capacity: present.count, isOptional: optional)
    buffer.grow(to: slots.lowerBound)
    if let own {
      buffer.append(0..<own.count, of: ColumnBuffer(decoding: own, capacity: own.count, isOptional: optional))
    }
    buffer.grow(to: slots.upperBound)
    // Nothing may leave the leaf: values of these rows are short, and where else would a reader put them?
    return buffer.encode(key: key, present: present, softLimit: .max).bytes
  }
}

extension ColumnBuffer {
  /// Returns true if all values of these slots are short enough for a leaf.
  func fitsLeaf(_ slots: Range<Int>) -> Bool {
    guard codec == .bytes else { return true }
    return slots.allSatisfy { !isLarge($0) && bytes($0).count <= LeafFormat.maximumInlineLength }
  }

  /// Adds slots at the end that hold null, or zero in a column that is not optional; nothing when there are so many.
  func grow(to count: Int) {
    if count > self.count { isOptional ? setNull(count - 1) : setZero(count - 1) }
  }
}
