import LarderLMDB
import Synchronization

/// Remembers which blocks of an open store had a right checksum, so that each is hashed on first touch only.
///
/// A fixed table of marks made of a block's address and its stored checksum: a block that was written since has another
/// one. Blocks may push each other out; then they are hashed again. Safe for any number of threads. 256 KB.
package final class VerifiedBlocks: @unchecked Sendable {
  // Unchecked: the pointer never changes, and what it points to are atomics.
  private let marks: UnsafeMutablePointer<Atomic<UInt64>>
  private static let bits: UInt64 = 15

  package init() {
    let count = 1 << Int(Self.bits)
    marks = .allocate(capacity: count)
    for index in 0..<count { (marks + index).initialize(to: Atomic(0)) }
  }

  deinit {
    marks.deinitialize(count: 1 << Int(Self.bits))
    marks.deallocate()
  }

  /// Whether a block is as it was written; hashes it unless it is remembered.
  @inline(__always)
  func isIntact(_ block: ByteView, prefix: UInt64) -> Bool {
    guard block.count >= PairBlockFormat.headerSize else { return false }
    let address = UInt64(UInt(bitPattern: block.base))
    let mark = block.load(PairBlockFormat.checksum, as: UInt64.self) ^ (address &* 0x9E37_79B9_7F4A_7C15)
    let slot = Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) >> (64 - Self.bits))
    if marks[slot].load(ordering: .relaxed) == mark { return true }
    return hash(block, prefix: prefix, mark, slot)
  }

  @inline(never)
  private func hash(_ block: ByteView, prefix: UInt64, _ mark: UInt64, _ slot: Int) -> Bool {
    guard
      block.load(PairBlockFormat.checksum, as: UInt64.self) == PairBlockFormat.checksum(block.buffer, prefix: prefix)
    else { return false }
    marks[slot].store(mark, ordering: .relaxed)
    return true
  }
}
