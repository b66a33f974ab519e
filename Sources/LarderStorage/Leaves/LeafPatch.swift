/// A leaf of texts or data in which one value is another, made of the leaf as it is stored.
///
/// Most commits change one value of a leaf. Its neighbours are copied as they are: that takes a tenth of decoding a thousand texts and
/// packing them again.
enum LeafPatch {
  /// The leaf with another value in one slot; nil where packing it again may give another form: a longer table of offsets, a bitmap of
  /// nulls that there is not yet, values that belong outside of the leaf, a dictionary. O(bytes), about 0.1 ns each.
  ///
  /// - Parameters:
  ///   - slot: A slot of the leaf.
  ///   - value: The bytes of the value; nil for null.
  ///   - key: The leaf's key as a number: the seed of its checksum.
  static func replacing(_ slot: Int, of leaf: LeafView, with value: [UInt8]?, key: UInt64) -> [UInt8]? {
    guard let plan = Plan(leaf, slot, value) else { return nil }
    return [UInt8](unsafeUninitializedCapacity: plan.size) { buffer, initialized in
      let target = UnsafeMutableRawBufferPointer(buffer)
      plan.write(to: target, leaf, slot, value ?? [])
      let hash = Checksum64.hash(UnsafeRawBufferPointer(rebasing: target[8..<plan.size]), seed: key)
      target.storeBytes(of: hash, as: UInt64.self)
      initialized = plan.size
    }
  }

  /// Where the pieces of the new leaf are.
  private struct Plan {
    /// Bytes of the leaf.
    let size: Int
    /// Bytes before the first text.
    private let texts: Int
    /// Bytes before the table of offsets.
    private let table: Int
    /// The bytes that go.
    private let old: Range<Int>
    private let change: Int
    private let nullCount: Int
    private let isNull: Bool

    init?(_ leaf: LeafView, _ slot: Int, _ value: [UInt8]?) {
      let pointers = leaf.pointers
      guard pointers.codec == LeafCodec.bytes.rawValue, pointers.large == nil, slot >= 0, slot < leaf.count,
        let first = pointers.extra, value?.count ?? 0 <= LeafFormat.maximumInlineLength
      else { return nil }
      isNull = value == nil
      nullCount = leaf.nullCount + (isNull ? 1 : 0) - (leaf.isNull(slot) ? 1 : 0)
      guard leaf.hasNulls == (nullCount > 0) else { return nil }
      let (start, end) = (pointers.offset(slot), pointers.offset(slot + 1))
      // Of a leaf that contradicts itself the decoder makes what it can.
      guard start <= end, end <= Int(leaf.base) else { return nil }
      old = start..<end
      change = (value?.count ?? 0) - old.count
      let total = Int(leaf.base) + change
      guard total <= LeafFormat.softLimit, leaf.width == 4 || total <= 0xFFFF else { return nil }
      if leaf.width == 1, Plan.farthest(in: slot >> 3, of: leaf) + (slot & 7 == 7 ? 0 : change) > 0xFF { return nil }
      texts = first - leaf.bytes.base
      table = pointers.payload - leaf.bytes.base
      size = table + LeafFormat.padded(texts - table + total)
    }

    /// The distance from the first offset of a group to its last.
    private static func farthest(in group: Int, of leaf: LeafView) -> Int {
      leaf.pointers.offset(min(group << 3 | 7, leaf.count)) - leaf.pointers.offset(group << 3)
    }

    func write(to target: UnsafeMutableRawBufferPointer, _ leaf: LeafView, _ slot: Int, _ value: [UInt8]) {
      // Only the padding need be zeroed: the rest is filled.
      target.storeBytes(of: 0, toByteOffset: size - 8, as: UInt64.self)
      let source = leaf.bytes.buffer
      let kept = texts + old.lowerBound
      let rest = texts + old.upperBound..<texts + Int(leaf.base)
      copy(source[..<kept], to: target, at: 0)
      value.withUnsafeBytes { copy($0[...], to: target, at: kept) }
      copy(source[rest], to: target, at: kept + value.count)
      target.storeBytes(of: UInt16(nullCount), toByteOffset: 14, as: UInt16.self)
      target.storeBytes(of: leaf.base + Int64(change), toByteOffset: 16, as: Int64.self)
      if let nulls = leaf.nulls { setNull(slot, target, at: nulls - leaf.bytes.base) }
      if change != 0 { moveOffsets(target, leaf, after: slot) }
    }

    private func copy(_ bytes: Slice<UnsafeRawBufferPointer>, to target: UnsafeMutableRawBufferPointer, at place: Int) {
      UnsafeMutableRawBufferPointer(rebasing: target[place..<place + bytes.count])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes))
    }

    private func setNull(_ slot: Int, _ target: UnsafeMutableRawBufferPointer, at bitmap: Int) {
      let place = bitmap + (slot >> 3)
      let bit = UInt8(1) << UInt8(slot & 7)
      if isNull { target[place] |= bit } else { target[place] &= ~bit }
    }

    /// Every text after the slot begins `change` bytes later.
    private func moveOffsets(_ target: UnsafeMutableRawBufferPointer, _ leaf: LeafView, after slot: Int) {
      switch leaf.width {
      case 1:
        let last = leaf.count >> 3
        var entry = table + (slot >> 3) * 10
        for index in (slot & 7) + 1..<8 {
          target[entry + 2 + index] = UInt8(truncatingIfNeeded: Int(target[entry + 2 + index]) + change)
        }
        for _ in slot >> 3..<last {
          entry += 10
          move(target, entry, as: UInt16.self)
        }
      case 2: for index in slot + 1...leaf.count { move(target, table + (index << 1), as: UInt16.self) }
      default: for index in slot + 1...leaf.count { move(target, table + (index << 2), as: UInt32.self) }
      }
    }

    @inline(__always)
    private func move<T: FixedWidthInteger & BitwiseCopyable>(
      _ target: UnsafeMutableRawBufferPointer, _ place: Int, as type: T.Type
    ) {
      let moved = target.loadUnaligned(fromByteOffset: place, as: T.self) &+ T(truncatingIfNeeded: change)
      target.storeBytes(of: moved, toByteOffset: place, as: T.self)
    }
  }
}
