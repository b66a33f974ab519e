import LarderStorage
import TestSupport
import Testing

@testable import LarderObservation

@Suite("Change sets")
struct ChangeSetTests {
  @Test("N-12 comparing random sequences gives change sets that lead from one to the other")
  func comparison() {
    var random = SeededRandom.forTest()
    for _ in 0..<500 {
      let pool = (0..<30).map { ObjectKey(rawValue: UInt64($0)) }
      let old = pool.filter { _ in random.oneIn(2) }.shuffled(using: &random)
      let new = pool.filter { _ in random.oneIn(2) }.shuffled(using: &random)
      let modified = KeyRanges(pool.filter { _ in random.oneIn(3) })
      let changes = CollectionComparison(touched: nil, modified: modified)
        .compare(KeySequence(old), KeySequence(new))
      #expect(changes.apply(to: old, new: new) == new)
      check(changes, old: old, new: new, modified: modified)
    }
  }

  @Test("N-8, N-12 of lists that hold elements more than once nothing is reported that stayed")
  func duplicates() {
    var random = SeededRandom.forTest()
    for round in 0..<400 {
      let old = (0..<random.int(0...10)).map { _ in ObjectKey(rawValue: UInt64(random.int(0...4))) }
      let new =
        round % 2 == 0
        ? (0..<random.int(0...10)).map { _ in ObjectKey(rawValue: UInt64(random.int(0...4))) }
        : old.filter { _ in !random.oneIn(4) }
      let modified = KeyRanges((0..<5).map { ObjectKey(rawValue: $0) }.filter { _ in random.oneIn(3) })
      let changes = CollectionComparison(touched: nil, modified: modified).compare(
        KeySequence(old), KeySequence(new))
      #expect(changes.apply(to: old, new: new) == new)
      let stayed = Self.commonCount(old, new)
      #expect(changes.deletions.count == old.count - stayed && changes.insertions.count == new.count - stayed)
      let deleted = Set(changes.deletions)
      #expect(changes.modifications == old.indices.filter { modified.contains(old[$0]) && !deleted.contains($0) })
    }
  }

  /// The length of a longest common subsequence.
  private static func commonCount(_ old: [ObjectKey], _ new: [ObjectKey]) -> Int {
    var counts = [Int](repeating: 0, count: new.count + 1)
    for key in old {
      var corner = 0
      for (position, other) in new.enumerated() {
        let above = counts[position + 1]
        counts[position + 1] = key == other ? corner + 1 : max(above, counts[position])
        corner = above
      }
    }
    return counts[new.count]
  }

  @Test("N-8, N-12 very many equal elements: what is at both ends stayed, and the rest is found in time")
  func manyDuplicates() {
    let keys = (0..<3 as Range<UInt64>).map { ObjectKey(rawValue: $0) }
    let old = (0..<40_000).map { keys[$0 % 2] }
    let comparison = CollectionComparison(touched: nil, modified: KeyRanges())
    #expect(comparison.compare(KeySequence(old), KeySequence(old)).isEmpty)
    #expect(comparison.compare(KeySequence(old), KeySequence(Array(old.dropFirst(2)))).deletions.count == 2)
    let new = [keys[2]] + old.dropFirst().dropLast() + [keys[2]]
    let changes = comparison.compare(KeySequence(old), KeySequence(new))
    #expect(changes.apply(to: old, new: new) == new)
  }

  /// The rules of N-10 that hold for every change set.
  func check(_ changes: CollectionChangeSet, old: [ObjectKey], new: [ObjectKey], modified: KeyRanges) {
    for indices in [changes.deletions, changes.insertions, changes.modifications] {
      #expect(indices == Set(indices).sorted())
    }
    #expect(Set(changes.deletions).isDisjoint(with: changes.modifications))
    #expect(changes.modifications.allSatisfy { modified.contains(old[$0]) })
    #expect(zip(changes.modifications, changes.modificationsInNew).allSatisfy { old[$0] == new[$1] })
    let kept = Set(old).intersection(new)
    let moved = Set(changes.deletions.map { old[$0] }).intersection(kept)
    let expected = old.indices.filter {
      kept.contains(old[$0]) && !moved.contains(old[$0]) && modified.contains(old[$0])
    }
    #expect(changes.modifications == expected)
  }

  @Test("N-12 the element that moved is the one told, not those around it")
  func singleMove() {
    let finder = MoveFinder(looseOld: [0], looseNew: [4])
    #expect(finder.moved([.init(old: 0, new: 4)]) == [true])
    let still = MoveFinder(looseOld: [2, 3], looseNew: [2, 3])
    #expect(still.moved([.init(old: 3, new: 2), .init(old: 2, new: 3)]).filter { $0 }.count == 1)
    #expect(still.moved([.init(old: 2, new: 2), .init(old: 3, new: 3)]) == [false, false])
  }

  @Test("N-18 folded list edits lead from the old list to the new one")
  func listEdits() {
    var random = SeededRandom.forTest()
    for _ in 0..<600 {
      var list = Array(0..<random.int(0...12))
      let old = list
      var fold = ListEditComposer(count: list.count)
      var fresh = 1000
      for _ in 0..<random.int(0...10) {
        let edit = ListEdit(Self.randomAction(list.count, &random), sizeBefore: list.count)
        let fits = fold.apply(edit)
        #expect(fits)
        Self.apply(edit.action, to: &list, &fresh)
      }
      let changes = fold.changeSet()
      #expect(fold.count == list.count)
      var result: [Int?] = old
      for index in changes.deletions.reversed() { result.remove(at: index) }
      for index in changes.insertions { result.insert(nil, at: index) }
      #expect(result.count == list.count)
      for (position, element) in result.enumerated() {
        // What is not told as changed is the element it was.
        guard let element, !changes.modifications.contains(element) else { continue }
        #expect(list[position] == element)
      }
    }
  }

  private static func randomAction(_ size: Int, _ random: inout SeededRandom) -> ListEdit.Action {
    let at = random.int(0...size)
    guard at < size else { return .insert(at: at, count: random.int(1...2)) }
    switch random.int(0...8) {
    case 0...1: return .insert(at: at, count: random.int(1...2))
    case 2...3: return .remove(at: at, count: random.int(1...min(2, size - at)))
    case 4...5: return .set(at: at, count: 1)
    case 8: return random.oneIn(3) ? .clear : .set(at: at, count: size - at)
    default: return .move(from: at, to: random.int(0..<size))
    }
  }

  private static func apply(_ action: ListEdit.Action, to list: inout [Int], _ fresh: inout Int) {
    switch action {
    case .insert(let at, let count):
      list.insert(contentsOf: (0..<count).map { fresh + $0 }, at: at)
      fresh += count
    case .remove(let at, let count): list.removeSubrange(at..<at + count)
    case .set(let at, let count):
      for index in at..<at + count {
        list[index] = fresh
        fresh += 1
      }
    case .move(let from, let to): list.insert(list.remove(at: from), at: to)
    case .clear: list = []
    }
  }

  private func fold(_ count: Int, _ actions: ListEdit.Action...) -> CollectionChangeSet {
    var fold = ListEditComposer(count: count)
    for action in actions {
      let fits = fold.apply(ListEdit(action, sizeBefore: fold.count))
      #expect(fits)
    }
    return fold.changeSet()
  }

  @Test("N-18 what list operations are reported as")
  func listOperations() {
    #expect(fold(3, .set(at: 1, count: 1)) == .init(modifications: [1]))
    #expect(fold(3, .move(from: 0, to: 2)) == .init(deletions: [0], insertions: [2]))
    #expect(fold(3, .move(from: 0, to: 2), .move(from: 2, to: 0)) == .init())
    #expect(fold(2, .clear, .insert(at: 0, count: 2)) == .init(deletions: [0, 1], insertions: [0, 1]))
    #expect(fold(1, .insert(at: 0, count: 1), .remove(at: 0, count: 1)) == .init())
    #expect(fold(2, .remove(at: 0, count: 1), .set(at: 0, count: 1)) == .init(deletions: [0], modifications: [1]))
  }

  @Test("an edit that does not fit the list is refused")
  func misfit() {
    var fold = ListEditComposer(count: 2)
    for edit in [ListEdit(.set(at: 0, count: 1), sizeBefore: 3), ListEdit(.remove(at: 1, count: 2), sizeBefore: 2)] {
      let fits = fold.apply(edit)
      #expect(!fits)
    }
  }
}
