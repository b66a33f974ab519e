extension ColumnBuffer {
  @inline(__always) var extents: UnsafeMutablePointer<Extent> { values.assumingMemoryBound(to: Extent.self) }

  /// Sets a string or data from its bytes, which for strings must be valid UTF-8. Traps at 2 GB.
  @inline(__always) package func setBytes(_ slot: Int, _ bytes: UnsafeRawBufferPointer) {
    precondition(codec == .bytes, "not a column of strings or data")
    let isNew = slot >= count
    claim(slot)
    if !isNew, replaceInPlace(slot, bytes) { return }
    extents[slot] = arena.append(bytes)
  }

  /// Sets a string.
  @inline(__always) package func setString(_ slot: Int, _ value: String) {
    // Unlike `withUTF8`, this needs no mutable copy of the string and so no retain.
    let done: Void? = value.utf8.withContiguousStorageIfAvailable { setBytes(slot, UnsafeRawBufferPointer($0)) }
    if done == nil { Array(value.utf8).withUnsafeBytes { setBytes(slot, $0) } }
  }

  /// Marks a slot as holding a value that lives outside of the leaf.
  package func setLarge(_ slot: Int, length: Int, hash: UInt32) {
    precondition(codec == .bytes, "not a column of strings or data")
    claim(slot)
    release(slot)
    extents[slot] = Extent(start: hash, length: UInt32(length))
    ColumnBuffer.set(allocateLarge(), slot)
  }

  /// True if the value of any slot is stored outside of the leaf.
  package var hasLarge: Bool {
    guard let large else { return false }
    return (0..<wordCount).contains { large[$0] != 0 }
  }

  /// Returns true if the value is stored outside of the leaf; its stub is `largeStub`.
  @inline(__always) package func isLarge(_ slot: Int) -> Bool {
    check(slot)
    guard let large else { return false }
    return ColumnBuffer.test(large, slot)
  }

  /// Length and low hash half of a value that lives outside of the leaf; nil for other slots.
  package func largeStub(_ slot: Int) -> (length: Int, hash: UInt32)? {
    isLarge(slot) ? (Int(extents[slot].length), extents[slot].start) : nil
  }

  /// The bytes of a string or data, until the next change. Traps on a large slot.
  @inline(__always) package func bytes(_ slot: Int) -> UnsafeRawBufferPointer {
    precondition(codec == .bytes, "not a column of strings or data")
    precondition(!isLarge(slot), "a large value was read from its leaf")
    return arena.bytes(extents[slot])
  }

  package func string(_ slot: Int) -> String { String(decoding: bytes(slot), as: UTF8.self) }

  /// Gives up the old value of a slot; true when the new one could take its place.
  @inline(never) private func replaceInPlace(_ slot: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    let old = extents[slot]
    let isLarge = large.map { ColumnBuffer.test($0, slot) } ?? false
    if !isLarge, bytes.count <= Int(old.length), Int(old.length) <= LeafFormat.maximumInlineLength {
      arena.garbage += Int(old.length) - bytes.count
      if let base = arena.base, let source = bytes.baseAddress {
        (base + Int(old.start)).copyMemory(from: source, byteCount: bytes.count)
      }
      extents[slot].length = UInt32(bytes.count)
      return true
    }
    release(slot)
    extents[slot] = Extent(start: 0, length: 0)
    if arena.garbage > 4_096, arena.garbage > arena.count / 2 { compact() }
    return false
  }

  /// Forgets the old value of a slot.
  func release(_ slot: Int) {
    if let large, ColumnBuffer.test(large, slot) {
      ColumnBuffer.clear(large, slot)
    } else {
      arena.release(extents[slot])
    }
  }

  /// Rewrites the short values without garbage.
  private func compact() {
    let live = arena.count - arena.garbage
    let old = arena.restart(capacity: max(live, 0) + LeafFormat.maximumInlineLength)
    for slot in 0..<count {
      let extent = extents[slot]
      let length = Int(extent.length)
      if length > LeafFormat.maximumInlineLength || (large.map { ColumnBuffer.test($0, slot) } ?? false) { continue }
      guard let old, length > 0 else { continue }
      extents[slot] = arena.append(UnsafeRawBufferPointer(start: old + Int(extent.start), count: length))
    }
    old?.deallocate()
  }

  @inline(never) func allocateLarge() -> UnsafeMutablePointer<UInt64> {
    if let large { return large }
    let fresh = UnsafeMutablePointer<UInt64>.allocate(capacity: wordCount)
    fresh.initialize(repeating: 0, count: wordCount)
    large = fresh
    return fresh
  }
}
