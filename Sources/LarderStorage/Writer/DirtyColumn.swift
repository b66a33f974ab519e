import LarderLMDB

/// One column of one cluster, decoded because the transaction reads or changes it.
final class DirtyColumn {
  let descriptor: ColumnDescriptor
  let buffer: ColumnBuffer
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
  /// Whether the leaf in the store has large values.
  @exclusivity(unchecked) var isStoredLarge: Bool

  init(descriptor: ColumnDescriptor, buffer: ColumnBuffer, isStoredLarge: Bool) {
    self.descriptor = descriptor
    self.buffer = buffer
    self.isStoredLarge = isStoredLarge
  }

  /// Estimated bytes that it takes.
  var bytes: Int { buffer.capacity * (descriptor.type.holdsBytes ? 48 : 9) }

  /// Only for `DirtyCluster.willChange`, which notes where.
  @inline(__always)
  func willChange() {
    isDirty = true
    if encoded != nil { encoded = nil }
  }

  /// Encodes the buffer, keeping aside what is too large for a leaf.
  func encode(word: UInt64, presence: Bitmap, slots: Int) -> [UInt8] {
    buffer.grow(to: slots)
    let leaf = buffer.encode(key: word, present: presence)
    for entry in leaf.evicted { pendingLarge[entry.slot] = entry.bytes }
    return leaf.bytes
  }

  /// The same as it is stored, and whether only builds with `FeatureBits.packedLeaves` can read it.
  func encodePacked(word: UInt64, presence: Bitmap, slots: Int) -> (bytes: [UInt8], isPacked: Bool) {
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
    if slot >= buffer.count { return StoredValue.initial(descriptor) }
    if buffer.isNull(slot) { return .null }
    if buffer.isLarge(slot) { return try pendingLarge[slot].map { try StoredValue(bytes: $0, type: descriptor.type) } }
    return buffer.value(slot)
  }
}
