import LarderLMDB
import Synchronization

/// Remembers which blocks or leaves of an open store had a right checksum, so that each is hashed on first touch only, however
/// many versions it is part of.
///
/// A fixed table of marks made of a block's address, its stored checksum and what that was seeded with: a block that was written
/// since has another one. Blocks may push each other out; then they are hashed again. Safe for any number of threads. 256 KB.
package final class VerifiedBlocks: @unchecked Sendable {
  // Unchecked: the pointer never changes, and what it points to are atomics.
  private let marks: UnsafeMutablePointer<Atomic<UInt64>>
  private static let bits = CachePolicy.verifiedBits

  /// The file that the blocks are of, for errors of reading them.
  let path: String

  package init(path: String = "") {
    self.path = path
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
    let (mark, slot) = mark(block, block.load(PairBlockFormat.checksum), prefix)
    if isRemembered(mark, slot) { return true }
    guard block.load(PairBlockFormat.checksum) == PairBlockFormat.checksum(block.buffer, prefix: prefix) else {
      return false
    }
    marks[slot].store(mark, ordering: .relaxed)
    return true
  }

  /// As `isIntact` for a leaf, whose checksum is in its first eight bytes.
  func isIntact(leaf: ByteView, key: UInt64) -> Bool {
    guard leaf.count >= LeafFormat.headerSize else { return false }
    let (mark, slot) = mark(leaf, leaf.load(0), key)
    if isRemembered(mark, slot) { return true }
    guard LeafView.verify(leaf, key: key) else { return false }
    marks[slot].store(mark, ordering: .relaxed)
    return true
  }

  @inline(__always)
  private func isRemembered(_ mark: UInt64, _ slot: Int) -> Bool {
    !HostileSettings.current.contains(.everyChecksum) && marks[slot].load(ordering: .relaxed) == mark
  }

  /// The mark of a block, and its place in the table.
  @inline(__always)
  private func mark(_ block: ByteView, _ checksum: UInt64, _ seed: UInt64) -> (mark: UInt64, slot: Int) {
    let address = UInt64(UInt(bitPattern: block.base)) &* 0x9E37_79B9_7F4A_7C15
    let mark = checksum ^ address ^ (seed &* 0xBF58_476D_1CE4_E5B9)
    return (mark, Int(truncatingIfNeeded: address >> (64 - Self.bits)))
  }
}
