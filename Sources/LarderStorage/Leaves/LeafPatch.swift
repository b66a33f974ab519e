/// A leaf of texts or data in which a few values are others, made of the leaf as it is stored.
///
/// Most commits change few values of a leaf. The others are copied as they are: that takes a tenth of decoding a thousand texts and packing
/// them again.
struct LeafPatch {
  /// A value that a slot holds instead of its own.
  struct Change {
    var slot: Int
    /// Nil for null.
    var bytes: [UInt8]?
  }

  /// A change with the place of what it replaces.
  private struct Replacement {
    let slot: Int
    let bytes: [UInt8]
    let isNull: Bool
    /// The bytes that it replaces, counted from the first text.
    let old: Range<Int>

    /// The number of bytes by which what follows moves.
    var difference: Int { bytes.count - old.count }
  }

  private let leaf: LeafView
  /// In order of slots.
  private let replacements: [Replacement]
  /// Bytes before the table of offsets, and before the first text.
  private let table: Int
  private let texts: Int
  private let nullCount: Int
  /// Bytes of all texts.
  private let total: Int
  /// Bytes of the leaf.
  private let size: Int

  /// Nil where packing the leaf again may give it another form: a longer table of offsets, a bitmap of nulls that there is not yet, values
  /// that belong outside of the leaf, a dictionary.
  ///
  /// - Parameters:
  ///   - leaf: Stays valid as long as the patch is used.
  ///   - changes: At most one for a slot.
  init?(_ leaf: LeafView, _ changes: [Change]) {
    let pointers = leaf.pointers
    guard pointers.codec == LeafCodec.bytes.rawValue, pointers.large == nil, let first = pointers.extra else {
      return nil
    }
    var found: [Replacement] = []
    found.reserveCapacity(changes.count)
    var nulls = leaf.nullCount
    var total = Int(leaf.base)
    for change in changes.sorted(by: { $0.slot < $1.slot }) {
      guard change.slot >= 0, change.slot < leaf.count,
        change.bytes?.count ?? 0 <= LeafFormat.maximumInlineLength
      else { return nil }
      let (start, end) = (pointers.offset(change.slot), pointers.offset(change.slot + 1))
      // Of a leaf that contradicts itself the decoder makes what it can.
      guard start <= end, end <= Int(leaf.base), start >= found.last?.old.upperBound ?? 0 else { return nil }
      let isNull = change.bytes == nil
      found.append(Replacement(slot: change.slot, bytes: change.bytes ?? [], isNull: isNull, old: start..<end))
      nulls += (isNull ? 1 : 0) - (leaf.isNull(change.slot) ? 1 : 0)
      total += (change.bytes?.count ?? 0) - (end - start)
    }
    guard leaf.hasNulls == (nulls > 0), total <= LeafFormat.softLimit, leaf.width == 4 || total <= 0xFFFF else {
      return nil
    }
    self.leaf = leaf
    self.total = total
    replacements = found
    nullCount = nulls
    texts = first - leaf.bytes.base
    table = pointers.payload - leaf.bytes.base
    size = table + LeafFormat.padded(texts - table + total)
    if leaf.width == 1, !fitsGroups() { return nil }
  }

  /// Returns true if the distances within each group of eight offsets still fit a byte.
  private func fitsGroups() -> Bool {
    var index = 0
    while index < replacements.count {
      let group = replacements[index].slot >> 3
      var length = leaf.pointers.offset(min(group << 3 | 7, leaf.count)) - leaf.pointers.offset(group << 3)
      while index < replacements.count, replacements[index].slot >> 3 == group {
        // The end of the last one of a group is where the next group begins.
        if replacements[index].slot & 7 != 7 { length += replacements[index].difference }
        index += 1
      }
      if length > 0xFF { return false }
    }
    return true
  }

  /// The leaf. O(bytes), about 0.1 ns each.
  ///
  /// - Parameter key: The leaf's key as a number: the seed of its checksum.
  func leaf(key: UInt64) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
      let target = UnsafeMutableRawBufferPointer(buffer)
      fill(target)
      let hash = Checksum64.hash(UnsafeRawBufferPointer(rebasing: target[8..<size]), seed: key)
      target.storeBytes(of: hash, as: UInt64.self)
      initialized = size
    }
  }

  private func fill(_ target: UnsafeMutableRawBufferPointer) {
    // Only the padding need be zeroed: the rest is filled.
    target.storeBytes(of: 0, toByteOffset: size - 8, as: UInt64.self)
    let source = leaf.bytes.buffer
    var (next, place) = (0, 0)
    for replacement in replacements {
      place = Self.copy(source[next..<texts + replacement.old.lowerBound], target, at: place)
      place = replacement.bytes.withUnsafeBytes { Self.copy($0[...], target, at: place) }
      next = texts + replacement.old.upperBound
    }
    _ = Self.copy(source[next..<texts + Int(leaf.base)], target, at: place)
    target.storeBytes(of: UInt16(nullCount), toByteOffset: 14, as: UInt16.self)
    target.storeBytes(of: Int64(total), toByteOffset: 16, as: Int64.self)
    if let nulls = leaf.nulls { setNulls(target, at: nulls - leaf.bytes.base) }
    switch leaf.width {
    case 1: moveGroups(target)
    case 2: moveOffsets(target, as: UInt16.self)
    default: moveOffsets(target, as: UInt32.self)
    }
  }

  /// Copies bytes to a place and gives back the place after them.
  private static func copy(
    _ bytes: Slice<UnsafeRawBufferPointer>, _ target: UnsafeMutableRawBufferPointer, at place: Int
  ) -> Int {
    UnsafeMutableRawBufferPointer(rebasing: target[place..<place + bytes.count])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes))
    return place + bytes.count
  }

  private func setNulls(_ target: UnsafeMutableRawBufferPointer, at bitmap: Int) {
    for replacement in replacements {
      let bit = UInt8(1) << UInt8(replacement.slot & 7)
      let byte = bitmap + (replacement.slot >> 3)
      if replacement.isNull { target[byte] |= bit } else { target[byte] &= ~bit }
    }
  }

  // MARK: - Offsets

  /// Moves the offsets that come after changed texts.
  private func moveOffsets<T: FixedWidthInteger & BitwiseCopyable>(
    _ target: UnsafeMutableRawBufferPointer, as type: T.Type
  ) {
    var moved = 0
    for (index, replacement) in replacements.enumerated() {
      moved += replacement.difference
      let end = index + 1 < replacements.count ? replacements[index + 1].slot : leaf.count
      guard moved != 0 else { continue }
      for slot in replacement.slot + 1..<end + 1 {
        Self.move(target, table + slot * MemoryLayout<T>.size, by: moved, as: T.self)
      }
    }
  }

  /// The same where eight offsets are a group, its first and the distances from it.
  private func moveGroups(_ target: UnsafeMutableRawBufferPointer) {
    // How much later the text of the slot begins, and which change comes next.
    var (moved, index) = (0, 0)
    for group in (replacements.first?.slot ?? 0) >> 3..<(leaf.count >> 3) + 1 {
      let entry = table + group * 10
      if moved != 0 { Self.move(target, entry, by: moved, as: UInt16.self) }
      guard index < replacements.count, replacements[index].slot >> 3 == group else { continue }
      let before = moved
      for place in 0..<8 {
        let byte = entry + 2 + place
        target[byte] = UInt8(truncatingIfNeeded: Int(target[byte]) + moved - before)
        if index < replacements.count, replacements[index].slot == group << 3 | place {
          moved += replacements[index].difference
          index += 1
        }
      }
    }
  }

  @inline(__always)
  private static func move<T: FixedWidthInteger & BitwiseCopyable>(
    _ target: UnsafeMutableRawBufferPointer, _ place: Int, by difference: Int, as type: T.Type
  ) {
    let moved = target.loadUnaligned(fromByteOffset: place, as: T.self) &+ T(truncatingIfNeeded: difference)
    target.storeBytes(of: moved, toByteOffset: place, as: T.self)
  }
}
