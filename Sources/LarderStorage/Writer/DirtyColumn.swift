import LarderLMDB

/// One column of one cluster that the transaction reads or changes.
///
/// A column of texts or data is decoded when many of its values change: until then it is the stored leaf and the changes, which `LeafPatch`
/// makes a leaf of.
final class DirtyColumn {
  let descriptor: ColumnDescriptor
  /// Empty until it is decoded, where there is a source. A constant, so that reading it counts no reference.
  private let values: ColumnBuffer
  /// True if the values are in memory of their own. The stored leaf is that of the base version otherwise.
  @exclusivity(unchecked) private(set) var isDecoded: Bool
  /// The leaf of the base version; nil for a column that was decoded at once.
  private let source: LeafView?
  /// The differences from the source, until there is a buffer.
  @exclusivity(unchecked) private var changes: [LeafPatch.Change] = []

  /// With more changes decoding costs less.
  private static let mostChanges = 16
  /// The buffer differs from the leaf in the store.
  @exclusivity(unchecked) var isDirty = false
  /// The encoded form of the buffer as it is now, made when a query needs it.
  @exclusivity(unchecked) var encoded: OwnedLeaf?
  /// Values that left the buffer because they are too large for a leaf, not yet written to their own place.
  @exclusivity(unchecked) var pendingLarge: [Int: [UInt8]] = [:]
  /// The rows of the class's tail as they were last written, so that the next commit adds only its own.
  @exclusivity(unchecked) private var tailRows: ColumnBuffer?
  /// The slot of the first of them.
  @exclusivity(unchecked) private var tailStart = 0
  /// True if the leaf in the store has large values.
  @exclusivity(unchecked) var isStoredLarge: Bool

  init(descriptor: ColumnDescriptor, buffer: ColumnBuffer, isStoredLarge: Bool) {
    self.descriptor = descriptor
    values = buffer
    isDecoded = true
    source = nil
    self.isStoredLarge = isStoredLarge
  }

  /// A column that is decoded when that is needed; nil where its leaf cannot be changed in place.
  ///
  /// - Parameter source: A leaf of the base version, which the transaction has not written yet.
  init?(descriptor: ColumnDescriptor, source: LeafView, capacity: Int) {
    guard source.type == descriptor.type, source.type == .string || source.type == .data, !source.hasLarge,
      !source.pointers.isDictionary
    else {
      return nil
    }
    self.descriptor = descriptor
    self.source = source
    values = ColumnBuffer(
      type: descriptor.type, capacity: max(capacity, source.count), isOptional: descriptor.isOptional)
    isDecoded = false
    isStoredLarge = false
  }

  /// The values of the slots; decoded now where they were not yet.
  @inline(__always)
  var buffer: ColumnBuffer {
    if !isDecoded { decode() }
    return values
  }

  @inline(never)
  private func decode() {
    isDecoded = true
    if let source { values.decode(source) }
    for change in changes {
      if let bytes = change.bytes {
        bytes.withUnsafeBytes { values.setBytes(change.slot, $0) }
      } else {
        values.setNull(change.slot)
      }
    }
    changes = []
  }

  /// Slots that hold something.
  var count: Int { isDecoded ? values.count : source?.count ?? 0 }

  /// Bytes of the texts and data that it holds in memory of its own.
  var ownBytes: Int { values.arena.count + changes.reduce(0) { $0 + ($1.bytes?.count ?? 0) } }

  /// Estimated bytes that it takes.
  var bytes: Int { values.capacity * (descriptor.type.holdsBytes ? 48 : 9) }

  /// Only for `DirtyCluster.willChange`, which notes where.
  @inline(__always)
  func willChange() {
    isDirty = true
    if encoded != nil { encoded = nil }
  }

  // MARK: - Few changes

  /// Sets a slot to a value that its type allows.
  func set(_ slot: Int, _ value: StoredValue) {
    switch value {
    case .string(let text) where mayPatch(slot, text.utf8.count): note(slot, Array(text.utf8))
    case .data(let bytes) where mayPatch(slot, bytes.count): note(slot, Array(bytes))
    case .null where mayPatch(slot, 0): note(slot, nil)
    default: buffer.set(slot, value)
    }
  }

  @inline(__always)
  func setString(_ slot: Int, _ value: String) {
    if !isDecoded, mayPatch(slot, value.utf8.count) {
      note(slot, Array(value.utf8))
    } else {
      buffer.setString(slot, value)
    }
  }

  /// Returns true if a change of a slot can wait without the column being decoded.
  private func mayPatch(_ slot: Int, _ size: Int) -> Bool {
    guard !isDecoded, let source, slot < source.count, size <= LeafFormat.maximumInlineLength else { return false }
    return changes.count < Self.mostChanges || change(slot) != nil
  }

  private func note(_ slot: Int, _ bytes: [UInt8]?) {
    if let known = changes.firstIndex(where: { $0.slot == slot }) {
      changes[known].bytes = bytes
    } else {
      changes.append(LeafPatch.Change(slot: slot, bytes: bytes))
    }
  }

  private func change(_ slot: Int) -> LeafPatch.Change? { changes.first { $0.slot == slot } }

  /// The stored leaf where it holds what the column holds in a slot; nil where the column is decoded, or that slot is another.
  @inline(__always)
  func unchangedLeaf(_ slot: Int) -> LeafView? {
    guard !isDecoded else { return nil }
    return change(slot) == nil ? source : nil
  }

  /// Returns true if a slot of a column that is not decoded holds what a leaf holds there; nil for one that is decoded, and for new slots.
  func undecodedIsEqual(_ slot: Int, to leaf: LeafView) -> Bool? {
    guard !isDecoded, let source, slot < source.count else { return nil }
    let change = change(slot)
    let isNull = change.map { $0.bytes == nil } ?? source.isNull(slot)
    guard !isNull, !leaf.isNull(slot) else { return isNull && leaf.isNull(slot) }
    guard !leaf.isLarge(slot) else { return false }
    if let bytes = change?.bytes { return leaf.bytes(slot).elementsEqual(bytes) }
    return leaf.bytes(slot).elementsEqual(source.bytes(slot))
  }

  /// The leaf with the changes; nil where the column is to be packed.
  ///
  /// - Parameters:
  ///   - presence: Who is in the cluster, unchanged since the leaf was packed.
  ///   - slots: One more than the highest slot that holds an object.
  private func patched(word: UInt64, presence: Bitmap, slots: Int) -> [UInt8]? {
    // Where few slots hold objects the leaf may be stored without the others.
    guard !isDecoded, let source, !changes.isEmpty, source.count >= slots,
      !SparseLeaf.isWorthTrying(source.count, presence)
    else { return nil }
    return LeafPatch(source, changes)?.leaf(key: word)
  }

  // MARK: - Encoding

  /// Encodes the buffer, keeping aside what is too large for a leaf.
  func encode(word: UInt64, presence: Bitmap, slots: Int) -> [UInt8] {
    buffer.grow(to: slots)
    let leaf = buffer.encode(key: word, present: presence)
    for entry in leaf.evicted { pendingLarge[entry.slot] = entry.bytes }
    return leaf.bytes
  }

  /// The same as it is stored, and whether only builds with `FeatureBits.packedLeaves` can read it.
  ///
  /// - Parameter isPresenceChanged: Objects came or went: what those held that went must not stay.
  func encodePacked(
    word: UInt64, presence: Bitmap, slots: Int, isPresenceChanged: Bool
  ) -> (bytes: [UInt8], isPacked: Bool) {
    if !isPresenceChanged, let leaf = patched(word: word, presence: presence, slots: slots) { return (leaf, false) }
    buffer.grow(to: slots)
    let (leaf, isPacked) = buffer.encodePacked(key: word, present: presence)
    for entry in leaf.evicted { pendingLarge[entry.slot] = entry.bytes }
    return (leaf.bytes, isPacked)
  }

  /// Writes the leaf of some slots alone; false when one of their values is too large for a leaf.
  ///
  /// - Parameters:
  ///   - slots: The rows of a tail, all of them present.
  ///   - capacity: Most rows of a tail.
  ///   - unchanged: No slot below this one has changed since the last call.
  func writeTailLeaf(
    of slots: Range<Int>, capacity: Int, unchangedBelow unchanged: Int, key: UInt64, into sink: LeafSink
  ) -> Bool {
    let rows = tailBuffer(of: slots, capacity: capacity, unchangedBelow: unchanged)
    let new = (slots.lowerBound + rows.count..<slots.upperBound).clamped(to: 0..<buffer.count)
    guard buffer.fitsLeaf(new) else { return false }
    rows.append(new, of: buffer)
    rows.grow(to: slots.count)
    _ = rows.encode(key: key, present: nil, softLimit: LeafFormat.softLimit, into: sink)
    return true
  }

  /// The rows as they were last written when they are still the first ones of the tail, else none.
  @inline(__always)
  private func tailBuffer(of slots: Range<Int>, capacity: Int, unchangedBelow unchanged: Int) -> ColumnBuffer {
    if let tailRows, tailStart == slots.lowerBound, tailRows.count <= slots.count,
      tailStart + tailRows.count <= unchanged
    {
      return tailRows
    }
    let rows = ColumnBuffer(type: buffer.type, capacity: capacity, isOptional: buffer.isOptional)
    (tailRows, tailStart) = (rows, slots.lowerBound)
    return rows
  }

  /// The rows of the tail go elsewhere.
  func forgetTail() { tailRows = nil }

  /// The value in a slot, or nil when it is in table `large`.
  func value(_ slot: Int) throws -> StoredValue? {
    if let leaf = unchangedLeaf(slot) {
      return try slot < leaf.count ? leaf.value(slot) : StoredValue.initial(descriptor)
    }
    if !isDecoded, let change = change(slot) {
      return try change.bytes.map { try StoredValue(bytes: $0, type: descriptor.type) } ?? .null
    }
    if slot >= buffer.count { return StoredValue.initial(descriptor) }
    if buffer.isNull(slot) { return .null }
    if buffer.isLarge(slot) { return try pendingLarge[slot].map { try StoredValue(bytes: $0, type: descriptor.type) } }
    return buffer.value(slot)
  }
}
