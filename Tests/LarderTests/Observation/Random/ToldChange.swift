import KnotModel
import Testing

/// The changes that an observer was notified of in one call, by positions, and the comparison with what it was to be reported.
struct ToldChange {
  var deletions: [Int]
  var insertions: [Int]
  var modifications: [Int]

  var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

  /// Compares with what objects of a query became: each knot once, or as often as a list holds it.
  ///
  /// Modified are those, and all those, that count as modified and were not reported as deleted (N-10, N-13, N-14 to N-16); only who changed
  /// places with others is notified as moved (N-11, N-12).
  func check(_ old: [Int], _ new: [Int], _ isModified: (Int) -> Bool, _ title: String) {
    guard checkApplying(old, new, title) else { return }
    let gone = Set(deletions)
    #expect(modifications == old.indices.filter { !gone.contains($0) && isModified(old[$0]) }, "\(title)")
    if Set(old).count < old.count || Set(new).count < new.count {
      // Which of equal elements moved cannot be said: as many as possible stayed.
      #expect(old.count - deletions.count == Self.commonCount(old, new), "\(title)")
    } else {
      checkMoves(old, new, title)
    }
  }

  /// Checks that there is something, and that deleting and inserting leads from the old elements to the new ones; returns true if it does.
  ///
  /// - Parameter mayBeEmpty: Calls about sections may be, when their results changed (S-49).
  func checkApplying(_ old: [Int], _ new: [Int], mayBeEmpty: Bool = false, _ title: String) -> Bool {
    let areAscending = [deletions, insertions, modifications].allSatisfy { $0 == Set($0).sorted() }
    #expect(areAscending && (mayBeEmpty || !isEmpty), "\(title)")
    let areWithin =
      deletions.allSatisfy { old.indices.contains($0) } && insertions.allSatisfy { new.indices.contains($0) }
    #expect(areWithin, "\(title)")
    guard areAscending && areWithin else { return false }
    var result = old
    for position in deletions.reversed() { result.remove(at: position) }
    for position in insertions where position <= result.count { result.insert(new[position], at: position) }
    #expect(result == new, "\(title)")
    return result == new
  }

  /// Of elements that are there once before and after, only those may be reported as moved that others overtook.
  private func checkMoves(_ old: [Int], _ new: [Int], _ title: String) {
    let places = Dictionary(uniqueKeysWithValues: new.enumerated().map { ($1, $0) })
    let both = old.compactMap { id in places[id].map { (id: id, new: $0) } }
    for position in deletions {
      guard let at = both.firstIndex(where: { $0.id == old[position] }) else { continue }
      let isOvertaken =
        both[..<at].contains { $0.new > both[at].new } || both[at...].contains { $0.new < both[at].new }
      #expect(isOvertaken, "\(title): \(old[position]) kept its place")
    }
  }

  /// Compares with what operations on a list, set or map mean (N-18 to N-21).
  ///
  /// - Parameter isModified: Whether what an element links to was modified, by its position then.
  func check(_ elements: TaggedElements, count: Int, _ isModified: (Int) -> Bool, _ title: String) {
    // Elements that came have numbers of their own.
    let old = Array(0..<count)
    let new = elements.old.enumerated().map { $1 ?? count + $0 }
    guard checkApplying(old, new, title) else { return }
    checkMoves(old, new, title)
    let gone = Set(deletions)
    let expected = old.filter { !gone.contains($0) && (elements.replaced.contains($0) || isModified($0)) }
    #expect(modifications == expected, "\(title)")
  }

  /// Returns true if operations on a list, set or map, or changes inside of it, are to be reported at all (N-8).
  static func isDue(_ elements: TaggedElements, count: Int, _ isModified: (Int) -> Bool) -> Bool {
    elements.old != Array(0..<count) || (0..<count).contains { elements.replaced.contains($0) || isModified($0) }
  }

  /// The length of a longest common subsequence.
  private static func commonCount(_ old: [Int], _ new: [Int]) -> Int {
    var counts = [Int](repeating: 0, count: new.count + 1)
    for element in old {
      var corner = 0
      for (position, other) in new.enumerated() {
        let above = counts[position + 1]
        counts[position + 1] = element == other ? corner + 1 : max(above, counts[position])
        corner = above
      }
    }
    return counts[new.count]
  }
}
