import LarderLMDB

extension ColumnBuffer {
  /// Packs the column of a cluster as it is stored: sparse where few slots hold an object, else with a dictionary where texts repeat.
  ///
  /// - Returns: The leaf, and whether only builds with `FeatureBits.packedLeaves` can read it.
  func encodePacked(
    key: UInt64, present: Bitmap, softLimit: Int = LeafFormat.softLimit
  ) -> (leaf: EncodedLeaf, isPacked: Bool) {
    let isSparse = SparseLeaf.isWorthTrying(count, present)
    var leaf = encode(key: key, present: present, softLimit: softLimit, usesDictionary: !isSparse)
    if isSparse, let sparse = SparseLeaf.packed(leaf.bytes, present: present, key: key) {
      leaf.bytes = sparse
      return (leaf, true)
    }
    return (leaf, leaf.bytes.withView { $0.load(8, as: UInt8.self) } == LeafCodec.dictionary.rawValue)
  }
}

extension SparseLeaf {
  /// Returns true if so few of a number of slots hold an object that a leaf may be stored sparse.
  static func isWorthTrying(_ count: Int, _ present: Bitmap) -> Bool {
    count >= 64 && present.popcount * share <= count
  }

  /// The form in which a leaf is stored of which few slots hold objects; nil where it gains less than half of the bytes.
  ///
  /// - Parameters:
  ///   - leaf: A leaf as `ColumnBuffer.encode` makes it, for the same `present`.
  ///   - key: The leaf's key as a number.
  static func packed(_ leaf: [UInt8], present: Bitmap, key: UInt64) -> [UInt8]? {
    leaf.withView { bytes in
      guard let view = try? LeafView(bytes), view.pointers.flags & LeafFlag.linear == 0, !view.pointers.isDictionary
      else { return nil }
      var slots: [UInt16] = []
      present.forEachSet { if $0 < view.count { slots.append(UInt16(truncatingIfNeeded: $0)) } }
      guard isWorthTrying(view.count, present) else { return nil }
      return LeafPacking(view, slots)?.packed(key: key)
    }
  }
}

/// Gathers the values of some slots of a leaf.
private struct LeafPacking {
  private let leaf: LeafView
  private let slots: [UInt16]
  private let form: SparseLeaf.Form
  private let pieces: LeafLayout

  /// nil when values are in other slots too, or the gathered ones would take more than half of the leaf.
  init?(_ leaf: LeafView, _ slots: [UInt16]) {
    self.leaf = leaf
    self.slots = slots
    form = LeafFormat.padded(2 * slots.count) <= LeafFormat.bitmapSize(leaf.count) ? .list : .bitmap
    var width = leaf.pointers.width
    if leaf.pointers.codec == LeafCodec.bytes.rawValue {
      guard let found = Self.offsetWidth(leaf.pointers, slots) else { return nil }
      width = found
    }
    let start = SparseLeaf.start + SparseLeaf.size(of: form, values: slots.count, count: leaf.count)
    guard
      let pieces = try? LeafLayout(
        header: leaf.bytes, width: width, count: slots.count, flags: leaf.pointers.flags, base: leaf.storedBase,
        start: start), pieces.size * 2 <= leaf.bytes.count
    else { return nil }
    self.pieces = pieces
  }

  /// The width that the offsets of these slots alone need; nil when other slots have bytes.
  private static func offsetWidth(_ leaf: LeafPointers, _ slots: [UInt16]) -> UInt8? {
    var (total, group, width) = (0, 0, UInt8(1))
    for (index, slot) in slots.enumerated() {
      if index & 7 == 0 { group = total }
      if total - group > 0xFF { width = 2 }
      total += leaf.bytes(Int(slot)).count
    }
    if slots.count & 7 != 0, total - group > 0xFF { width = 2 }
    guard total == Int(leaf.base) else { return nil }
    return total > 0xFFFF ? 4 : width
  }

  func packed(key: UInt64) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: pieces.size) { buffer, initialized in
      initialized = pieces.size
      guard let target = buffer.baseAddress.map({ UnsafeMutableRawPointer($0) }) else { return }
      target.initializeMemory(as: UInt8.self, repeating: 0, count: pieces.size)
      writeHeader(target)
      let pointers = leaf.pointers
      if let source = pointers.nulls, let place = pieces.nulls { gatherBits(source, target + place) }
      if let source = pointers.large, let place = pieces.large { gatherBits(source, target + place) }
      gatherValues(target + pieces.payload, extra: pieces.extra.map { target + $0 })
      let rest = UnsafeRawBufferPointer(start: target + 8, count: pieces.size - 8)
      target.storeBytes(of: Checksum64.hash(rest, seed: key), as: UInt64.self)
    }
  }

  private func writeHeader(_ target: UnsafeMutableRawPointer) {
    target.copyMemory(from: leaf.bytes.base, byteCount: LeafFormat.headerSize)
    target.storeBytes(of: leaf.pointers.flags | LeafFlag.sparse, toByteOffset: 10, as: UInt8.self)
    target.storeBytes(of: UInt16(slots.count), toByteOffset: 32, as: UInt16.self)
    target.storeBytes(of: form.rawValue, toByteOffset: 34, as: UInt8.self)
    target.storeBytes(of: pieces.width, toByteOffset: 35, as: UInt8.self)
    for (index, slot) in slots.enumerated() {
      if form == .list {
        target.storeBytes(of: slot, toByteOffset: SparseLeaf.start + 2 * index, as: UInt16.self)
      } else {
        LeafPointers.setBit(target + SparseLeaf.start, Int(slot))
      }
    }
  }

  private func gatherValues(_ target: UnsafeMutableRawPointer, extra: UnsafeMutableRawPointer?) {
    let pointers = leaf.pointers
    switch pieces.codec {
    case .bits: gatherBits(pointers.payload, target)
    case .integers, .fixed: gather(pointers.payload, target, width: Int(pieces.width))
    case .dates:
      gather(pointers.payload, target, width: Int(pieces.width))
      if let source = pointers.extra, let extra { gather(source, extra, width: 4) }
    case .bytes:
      var offset = 0
      for (index, slot) in slots.enumerated() {
        let text = pointers.bytes(Int(slot))
        OffsetTable.write(offset, index, width: Int(pieces.width), to: target)
        if let source = text.baseAddress, let extra { (extra + offset).copyMemory(from: source, byteCount: text.count) }
        offset += text.count
      }
      OffsetTable.close(offset, slots.count, width: Int(pieces.width), to: target)
    case .dictionary: break
    }
  }

  private func gather(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, width: Int) {
    for (index, slot) in slots.enumerated() {
      (target + index * width).copyMemory(from: source + Int(slot) * width, byteCount: width)
    }
  }

  private func gatherBits(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer) {
    for (index, slot) in slots.enumerated() where LeafPointers.bit(source, Int(slot)) {
      LeafPointers.setBit(target, index)
    }
  }
}
