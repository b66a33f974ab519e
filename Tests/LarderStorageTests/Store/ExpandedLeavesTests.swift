import LarderLMDB
import Testing

@testable import LarderStorage

@Suite("Sparse leaves that are kept expanded")
struct ExpandedLeavesTests {
  /// Sparse leaves with different values, of one key or of the keys from 0 on.
  private func leaves(_ count: Int, keys: (Int) -> UInt64 = { _ in 1 }) throws -> [[UInt8]] {
    try (0..<count).map { number in
      let key = keys(number)
      let buffer = ColumnBuffer(type: .int, capacity: 992)
      for slot in 0..<992 { buffer.setInt(slot, Int64(slot * slot + number)) }
      var present = Bitmap(count: 992)
      for slot in stride(from: 5, to: 992, by: 100) { present.set(slot) }
      return try #require(
        SparseLeaf.packed(buffer.encode(key: key, present: present).bytes, present: present, key: key))
    }
  }

  @Test("a leaf is expanded once, and another one under the same key is another")
  func once() throws {
    let stored = try leaves(2)
    let kept = ExpandedLeaves()
    let first = try stored[0].withView { try kept.leaf($0, key: 1, version: 1) }
    #expect(try stored[0].withView { try kept.leaf($0, key: 1, version: 1) } === first)
    let second = try stored[1].withView { try kept.leaf($0, key: 1, version: 1) }
    #expect(second !== first)
    #expect(try LeafView(second.view).int(105) == 105 * 105 + 1)
  }

  @Test("what is above the limit is forgotten, the oldest first, and lives on where it is read")
  func forgets() throws {
    let stored = try leaves(40) { UInt64($0) }
    let size = try stored[0].withView { try SparseLeaf($0).expanded(key: 0).count } + 96
    let kept = ExpandedLeaves(limit: 8 * size)
    func leaf(_ number: Int) throws -> OwnedLeaf {
      try stored[number].withView { try kept.leaf($0, key: UInt64(number), version: 1) }
    }
    let first = try leaf(0)
    for number in stored.indices { _ = try leaf(number) }
    #expect(kept.count <= 8)
    #expect(try leaf(0) !== first)
    #expect(try LeafView(first.view).int(105) == 105 * 105)
    let last = try leaf(39)
    #expect(try leaf(39) === last)
  }

  @Test("F-139: of a leaf that each commit changes one is kept, not all that there ever were")
  func newest() throws {
    let stored = try leaves(50)
    let kept = ExpandedLeaves()
    for leaf in stored { _ = try leaf.withView { try kept.leaf($0, key: 1, version: 1) } }
    #expect(kept.count == 1)
    let last = try stored[49].withView { try kept.leaf($0, key: 1, version: 1) }
    #expect(try stored[49].withView { try kept.leaf($0, key: 1, version: 1) } === last)
    #expect(try LeafView(last.view).int(105) == 105 * 105 + 49)
  }

  @Test("F-139: leaves that no one asks for go with the versions, others stay")
  func forgottenClusters() throws {
    let stored = try leaves(40) { UInt64($0) }
    let kept = ExpandedLeaves()
    func leaf(_ number: Int, _ version: UInt64) throws -> OwnedLeaf {
      try stored[number].withView { try kept.leaf($0, key: UInt64(number), version: version) }
    }
    let first = try leaf(0, 1)
    var most = 0
    for step in 1..<40 {
      let version = UInt64(step) * (CachePolicy.expandedVersions / 2)
      _ = try leaf(step, version)
      #expect(try leaf(0, version) === first)
      most = max(most, kept.count)
    }
    #expect(most <= 8)
    _ = try leaf(1, 100 * CachePolicy.expandedVersions)
    #expect(kept.count == 1)
    // An older version may still be read.
    _ = try leaf(2, 5)
    #expect(kept.count == 2)
  }
}
