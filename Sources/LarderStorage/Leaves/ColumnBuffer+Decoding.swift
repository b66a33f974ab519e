extension ColumnBuffer {
  /// A copy of a leaf. The capacity grows to the leaf's count if that is larger. Traps on presence bits.
  package convenience init(decoding view: LeafView, capacity: Int, isOptional: Bool = false) {
    guard let type = view.type else { preconditionFailure("presence bits are no column") }
    self.init(type: type, capacity: max(capacity, view.count, 1), isOptional: isOptional)
    decode(view)
  }

  /// Fills a column in which nothing was set yet with the slots of a leaf of its type, no more than its capacity.
  func decode(_ view: LeafView) {
    precondition(count == 0 && view.type == type && view.count <= capacity, "a leaf is decoded into an empty column")
    count = view.count
    if let stored = view.pointers.nulls, count > 0 {
      copyBits(stored, to: nulls)
      mayHaveNulls = true
    }
    decodePayload(view.pointers)
  }

  private func decodePayload(_ leaf: LeafPointers) {
    guard count > 0 else { return }
    switch codec {
    case .bits: copyBits(leaf.payload, to: words)
    case .fixed: values.copyMemory(from: leaf.payload, byteCount: count * stride)
    case .integers: decodeIntegers(leaf)
    case .dates:
      decodeIntegers(leaf)
      if let stored = leaf.extra {
        UnsafeMutableRawPointer(allocateNanoseconds()).copyMemory(from: stored, byteCount: 4 * count)
      }
    case .bytes, .dictionary: decodeBytes(leaf)
    }
  }

  /// Copies whole words and clears what is beyond `count`.
  private func copyBits(_ source: UnsafeRawPointer, to target: UnsafeMutablePointer<UInt64>) {
    let used = Bitmap.wordCount(count)
    UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: used << 3)
    if count & 63 != 0 { target[used - 1] &= 1 << UInt64(count & 63) - 1 }
  }

  private func decodeIntegers(_ leaf: LeafPointers) {
    let target = integers
    let base = leaf.base
    switch leaf.width {
    case 1: widen(leaf.payload, as: UInt8.self, base: base)
    case 2: widen(leaf.payload, as: UInt16.self, base: base)
    case 4: widen(leaf.payload, as: UInt32.self, base: base)
    case 8: values.copyMemory(from: leaf.payload, byteCount: count << 3)
    default:
      let step = leaf.step
      for slot in 0..<count { target[slot] = base &+ step &* Int64(slot) }
    }
  }

  @inline(__always)
  private func widen<T: FixedWidthInteger & UnsignedInteger>(_ source: UnsafeRawPointer, as type: T.Type, base: Int64) {
    let target = integers
    for slot in 0..<count {
      let difference = source.loadUnaligned(fromByteOffset: slot &* MemoryLayout<T>.size, as: T.self)
      target[slot] = base &+ Int64(truncatingIfNeeded: difference)
    }
  }

  /// Every slot gets bytes of its own: they may be changed in place.
  private func decodeDictionary(_ leaf: LeafPointers) {
    for slot in 0..<count {
      extents[slot] = leaf.isNull(slot) ? Extent(start: 0, length: 0) : arena.append(leaf.bytes(slot))
    }
  }

  private func decodeBytes(_ leaf: LeafPointers) {
    if leaf.isDictionary { return decodeDictionary(leaf) }
    if let stored = leaf.large { copyBits(stored, to: allocateLarge()) }
    guard let start = leaf.extra else { return }
    arena.adopt(UnsafeRawBufferPointer(start: start, count: Int(leaf.base)))
    for slot in 0..<count {
      let bytes = leaf.bytes(slot)
      if let large, ColumnBuffer.test(large, slot) {
        extents[slot] = Extent(stub: bytes)
      } else if bytes.count > LeafFormat.maximumInlineLength {
        extents[slot] = arena.append(bytes)
      } else {
        let offset = bytes.baseAddress.map { $0 - start } ?? 0
        extents[slot] = Extent(start: UInt32(truncatingIfNeeded: offset), length: UInt32(bytes.count))
      }
    }
  }
}

extension Extent {
  /// From the stub of a large slot; a damaged stub has length zero.
  init(stub: UnsafeRawBufferPointer) {
    guard stub.count == LeafFormat.stubSize else {
      self.init(start: 0, length: 0)
      return
    }
    self.init(
      start: stub.loadUnaligned(fromByteOffset: 4, as: UInt32.self), length: stub.loadUnaligned(as: UInt32.self))
  }
}
