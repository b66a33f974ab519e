import LarderLMDB
import LarderLocks
import Synchronization

/// Remembers which blocks or leaves of an open store had a right checksum, so that each is hashed on first touch only, however
/// many versions it is part of.
///
/// A table of marks made of a block's address, its stored checksum and what that was seeded with: a block that was written
/// since has another one. Blocks may push each other out; then they are hashed again. Safe for any number of threads.
///
/// The table begins with a page, since a process may have thousands of small stores open. Half full it is exchanged for one of eight times
/// the marks, 256 KB at last, and what was in it is hashed once more.
package final class VerifiedBlocks: @unchecked Sendable {
  // Unchecked: what the pointers point to are atomics, and lives as long as this.
  private typealias Marks = UnsafeMutablePointer<Atomic<UInt64>>

  /// The first of a table's words, before its marks: by how much an address is shifted to find a mark.
  private let table: Atomic<Marks>
  /// Marks that were put into the table.
  private let filled = Atomic<Int>(0)
  /// All tables: readers may still look at an earlier one.
  private let tables: Lock<[(marks: Marks, bits: UInt64)]>

  /// The file that the blocks are of, for errors of reading them.
  let path: String

  package init(path: String = "") {
    self.path = path
    let first = Self.makeTable(bits: CachePolicy.leastVerifiedBits)
    table = Atomic(first)
    tables = Lock([(first, CachePolicy.leastVerifiedBits)])
  }

  deinit {
    for (marks, bits) in tables.withLock({ $0 }) {
      marks.deinitialize(count: 1 + 1 << Int(bits))
      marks.deallocate()
    }
  }

  private static func makeTable(bits: UInt64) -> Marks {
    let count = 1 << Int(bits)
    let made = Marks.allocate(capacity: 1 + count)
    made.initialize(to: Atomic(64 - bits))
    for index in 1...count { (made + index).initialize(to: Atomic(0)) }
    return made
  }

  /// Remembers a mark.
  private func remember(_ mark: UInt64, _ slot: Marks) {
    slot.pointee.store(mark, ordering: .relaxed)
    let count = filled.add(1, ordering: .relaxed).newValue
    if count > 1 << Int(CachePolicy.leastVerifiedBits - 1) { growIfHalfFull() }
  }

  private func growIfHalfFull() {
    tables.withLock { tables in
      let bits = tables[tables.count - 1].bits
      guard bits < CachePolicy.verifiedBits, filled.load(ordering: .relaxed) > 1 << Int(bits - 1) else { return }
      let wider = min(bits + 3, CachePolicy.verifiedBits)
      let made = Self.makeTable(bits: wider)
      tables.append((made, wider))
      filled.store(0, ordering: .relaxed)
      table.store(made, ordering: .releasing)
    }
  }

  /// Returns true if a block is as it was written; hashes it unless it is remembered.
  @inline(__always)
  func isIntact(_ block: ByteView, prefix: UInt64) -> Bool {
    guard block.count >= PairBlockFormat.headerSize else { return false }
    let (mark, slot) = mark(block, block.load(PairBlockFormat.checksum), prefix)
    if isRemembered(mark, slot) { return true }
    guard block.load(PairBlockFormat.checksum) == PairBlockFormat.checksum(block.buffer, prefix: prefix) else {
      return false
    }
    remember(mark, slot)
    return true
  }

  /// Does what `isIntact` does for a leaf, whose checksum is in its first eight bytes.
  func isIntact(leaf: ByteView, key: UInt64) -> Bool {
    guard leaf.count >= LeafFormat.headerSize else { return false }
    let (mark, slot) = mark(leaf, leaf.load(0), key)
    if isRemembered(mark, slot) { return true }
    guard LeafView.verify(leaf, key: key) else { return false }
    remember(mark, slot)
    return true
  }

  @inline(__always)
  private func isRemembered(_ mark: UInt64, _ slot: Marks) -> Bool {
    !HostileSettings.current.contains(.everyChecksum) && slot.pointee.load(ordering: .relaxed) == mark
  }

  /// The mark of a block, and its place in the table.
  @inline(__always)
  private func mark(_ block: ByteView, _ checksum: UInt64, _ seed: UInt64) -> (mark: UInt64, slot: Marks) {
    let address = UInt64(UInt(bitPattern: block.base)) &* 0x9E37_79B9_7F4A_7C15
    let mark = checksum ^ address ^ (seed &* 0xBF58_476D_1CE4_E5B9)
    let marks = table.load(ordering: .acquiring)
    let shift = marks.pointee.load(ordering: .relaxed)
    return (mark, marks + 1 + Int(truncatingIfNeeded: address &>> shift))
  }
}
