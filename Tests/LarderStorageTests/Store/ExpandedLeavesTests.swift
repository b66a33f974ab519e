import LarderLMDB
import Testing

@testable import LarderStorage

@Suite("Sparse leaves that are kept expanded")
struct ExpandedLeavesTests {
  /// Sparse leaves of one key with different values.
  private func leaves(_ count: Int) throws -> [[UInt8]] {
    try (0..<count).map { number in
      let buffer = ColumnBuffer(type: .int, capacity: 992)
      for slot in 0..<992 { buffer.setInt(slot, Int64(slot * slot + number)) }
      var present = Bitmap(count: 992)
      for slot in stride(from: 5, to: 992, by: 100) { present.set(slot) }
      return try #require(SparseLeaf.packed(buffer.encode(key: 1, present: present).bytes, present: present, key: 1))
    }
  }

  @Test("a leaf is expanded once, and another one under the same key is another")
  func once() throws {
    let stored = try leaves(2)
    let kept = ExpandedLeaves()
    let first = try stored[0].withView { try kept.leaf($0, key: 1) }
    #expect(try stored[0].withView { try kept.leaf($0, key: 1) } === first)
    let second = try stored[1].withView { try kept.leaf($0, key: 1) }
    #expect(second !== first)
    #expect(try LeafView(second.view).int(105) == 105 * 105 + 1)
  }

  @Test("what is above the limit is forgotten, the oldest first, and lives on where it is read")
  func forgets() throws {
    let stored = try leaves(40)
    let size = try stored[0].withView { try SparseLeaf($0).expanded(key: 1).count } + 96
    let kept = ExpandedLeaves(limit: 8 * size)
    let first = try stored[0].withView { try kept.leaf($0, key: 1) }
    for leaf in stored { _ = try leaf.withView { try kept.leaf($0, key: 1) } }
    #expect(try stored[0].withView { try kept.leaf($0, key: 1) } !== first)
    #expect(try LeafView(first.view).int(105) == 105 * 105)
    let last = try stored[39].withView { try kept.leaf($0, key: 1) }
    #expect(try stored[39].withView { try kept.leaf($0, key: 1) } === last)
  }
}
