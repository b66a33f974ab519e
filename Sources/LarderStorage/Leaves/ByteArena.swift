/// The range of the bytes of one slot of a string or data column.
struct Extent {
  /// Position in the arena; for `length > LeafFormat.maximumInlineLength` index of a separate block; for a large slot the low half of
  /// the value's hash.
  var start: UInt32
  /// Number of bytes; for a large slot, of the value that lives elsewhere.
  var length: UInt32
}

/// The bytes of a decoded string or data column: one growing block for short values, a block each for long ones.
///
/// Replaced values leave garbage, which the owner counts and compacts. The owner frees it with `deallocate()`.
struct ByteArena {
  private(set) var base: UnsafeMutableRawPointer?
  private(set) var count = 0
  private var capacity = 0
  private var blocks: [UnsafeMutableRawBufferPointer?] = []
  private var freeBlocks: [Int] = []
  /// Bytes in `0..<count` that no slot uses any more.
  var garbage = 0

  /// Copies a value in and says where it is.
  @inline(__always) mutating func append(_ bytes: UnsafeRawBufferPointer) -> Extent {
    let length = bytes.count
    if length > LeafFormat.maximumInlineLength { return appendBlock(bytes) }
    if count &+ length > capacity { reserve(count &+ length) }
    let start = count
    if length > 0, let base, let source = bytes.baseAddress {
      (base + start).copyMemory(from: source, byteCount: length)
    }
    count = start &+ length
    return Extent(start: UInt32(truncatingIfNeeded: start), length: UInt32(truncatingIfNeeded: length))
  }

  /// The bytes of a value, until the next change.
  @inline(__always) func bytes(_ extent: Extent) -> UnsafeRawBufferPointer {
    let length = Int(extent.length)
    if length > LeafFormat.maximumInlineLength { return UnsafeRawBufferPointer(blocks[Int(extent.start)]!) }
    guard let base else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(start: base + Int(extent.start), count: length)
  }

  /// Forgets a value.
  @inline(__always) mutating func release(_ extent: Extent) {
    if Int(extent.length) > LeafFormat.maximumInlineLength {
      let index = Int(extent.start)
      blocks[index]?.deallocate()
      blocks[index] = nil
      freeBlocks.append(index)
    } else {
      garbage &+= Int(extent.length)
    }
  }

  mutating func reserve(_ needed: Int) {
    guard needed > capacity else { return }
    let size = max(needed, 2 * capacity, 4_096)
    let fresh = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    if let base {
      fresh.copyMemory(from: base, byteCount: count)
      base.deallocate()
    }
    base = fresh
    capacity = size
  }

  /// Takes over whole, already laid out bytes; the arena must be empty.
  mutating func adopt(_ bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    if let base, let source = bytes.baseAddress { base.copyMemory(from: source, byteCount: bytes.count) }
    count = bytes.count
  }

  /// Drops the short values; blocks stay. Gives the old memory, which the caller copies what it needs from and frees.
  mutating func restart(capacity needed: Int) -> UnsafeMutableRawPointer? {
    let old = base
    base = nil
    count = 0
    capacity = 0
    garbage = 0
    reserve(needed)
    return old
  }

  mutating func deallocate() {
    base?.deallocate()
    for block in blocks { block?.deallocate() }
    base = nil
    blocks = []
  }

  @inline(never) private mutating func appendBlock(_ bytes: UnsafeRawBufferPointer) -> Extent {
    precondition(bytes.count <= Int32.max, "a value of 2 GB or more cannot be stored")
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    block.copyMemory(from: bytes)
    let index = freeBlocks.popLast() ?? blocks.count
    if index == blocks.count { blocks.append(block) } else { blocks[index] = block }
    return Extent(start: UInt32(index), length: UInt32(bytes.count))
  }
}
