import TestSupport
import Testing

@testable import LarderStorage

/// Tests the memory that decoded clusters take, by itself and in a transaction.
@Suite struct ClusterCacheTests {
  @Test("What is decoded counts until it is written, and a transaction that holds too much is over its limit")
  func limit() {
    var cache = ClusterCache(lastLeafWord: 3)
    cache.decodedLimit = 100
    cache.count(100)
    #expect(!cache.isOverLimit)
    cache.count(1)
    #expect(cache.isOverLimit)
    cache.wasWritten()
    #expect(!cache.isOverLimit && cache.decodedBytes == 0 && cache.lastLeafWord == 3)
  }

  @Test("Coming back to a mark changes the stamp, so that no view of what was undone is used")
  func rollingBack() {
    var cache = ClusterCache(lastLeafWord: 3)
    let stamp = cache.stamp
    cache.lastLeafWord = 9
    cache.count(10)
    cache.rollBack(to: 3)
    #expect(cache.stamp != stamp && cache.lastLeafWord == 3 && cache.decodedBytes == 0)
  }

  @Test(
    "The last leaf is known through inserting and through deleting all of a class",
    .notUnder(.littleMemory, "flushes at other times"))
  func lastLeaf() throws {
    let fixture = try LinkedLists()
    try fixture.store.write { writer in
      let keys = try fixture.fill(writer, 5_000, in: fixture.list)
      try writer.flush()
      let full = try #require(writer.cache.lastLeafWord)
      #expect(try ClusterWriting.lastLeaf(writer.store.tables, writer.transaction) == full)
      try writer.lists.clear(fixture.owner, fixture.list, fixture.object)
      for key in keys { try writer.delete(fixture.item, key) }
      try writer.flush()
      let emptied = writer.cache.lastLeafWord
      #expect(emptied != full)
      #expect(try ClusterWriting.lastLeaf(writer.store.tables, writer.transaction) == emptied)
    }
  }
}
