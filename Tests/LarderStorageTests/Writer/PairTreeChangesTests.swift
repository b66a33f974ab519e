import Testing

@testable import LarderStorage

/// Tests what waits for indexes and backlinks, without a store.
@Suite struct PairTreeChangesTests {
  private let index = PairTreeID.index(ClassID(rawValue: 1), ColumnID(rawValue: 2))
  private let words = PairTreeID.words(ClassID(rawValue: 1), ColumnID(rawValue: 3))

  @Test("What is asked for twice is the same, so that changes gather in one place")
  func waiting() {
    var trees = PairTreeChanges()
    #expect(trees.isEmpty && !trees.isWaiting(index))
    trees.waiting(for: index, .integer).changes.add(7, ObjectKey(rawValue: 1), 1)
    trees.waiting(for: index, .integer).changes.add(8, ObjectKey(rawValue: 2), 1)
    #expect(trees.waiting[index]?.changes.count == 2)
    #expect(trees.isWaiting(index) && !trees.isWaiting(words) && !trees.isEmpty)
    trees.forget()
    #expect(trees.isEmpty)
  }

  @Test("Coming back to a mark forgets what waits and which trees were written since")
  func rollingBack() {
    var trees = PairTreeChanges()
    trees.wasWritten(index)
    let mark = trees.written
    trees.wasWritten(words)
    _ = trees.waiting(for: words, .bytes)
    trees.rollBack(to: mark)
    #expect(trees.isWritten(index) && !trees.isWritten(words) && trees.isEmpty)
  }
}
