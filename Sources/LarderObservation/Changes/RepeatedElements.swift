import LarderStorage

/// Finds which elements stayed where they were between two states of a collection that may hold an element more than once.
struct RepeatedElements {
  /// The places of elements that stayed, ascending in both: a longest common subsequence, unless too many places could be matched.
  let kept: [MoveFinder.Element]

  /// With more pairs of equal elements than these for each element, the first place is only matched with the first, the second with
  /// the second, and so on.
  private static let mostPairs = 16

  /// O(n log n).
  init(_ old: [ObjectKey], _ new: [ObjectKey]) {
    let most = min(old.count, new.count)
    var head = 0
    while head < most, old[head] == new[head] { head += 1 }
    var tail = 0
    while tail < most - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
    var result = (0..<head).map { MoveFinder.Element(old: $0, new: $0) }
    result += Self.between(old, new, head..<old.count - tail, head..<new.count - tail)
    result += (0..<tail).reversed().map { MoveFinder.Element(old: old.count - 1 - $0, new: new.count - 1 - $0) }
    kept = result
  }

  private static func between(
    _ old: [ObjectKey], _ new: [ObjectKey], _ oldRange: Range<Int>, _ newRange: Range<Int>
  ) -> [MoveFinder.Element] {
    var places: [ObjectKey: [Int]] = [:]
    for position in oldRange { places[old[position], default: []].append(position) }
    let pairCount = newRange.reduce(0) { $0 + (places[new[$1]]?.count ?? 0) }
    let isEachWithEach = pairCount <= mostPairs * (oldRange.count + newRange.count)
    var pairs: [MoveFinder.Element] = []
    var seen: [ObjectKey: Int] = [:]
    for position in newRange {
      guard let known = places[new[position]] else { continue }
      if isEachWithEach {
        // The last first: of the pairs of one new place an ascending run has at most one.
        pairs += known.reversed().map { MoveFinder.Element(old: $0, new: position) }
      } else {
        let ordinal = seen[new[position], default: 0]
        seen[new[position]] = ordinal + 1
        if ordinal < known.count { pairs.append(MoveFinder.Element(old: known[ordinal], new: position)) }
      }
    }
    return zip(pairs, LongestIncreasingSubsequence.marks(pairs.map(\.old))).filter(\.1).map(\.0)
  }
}
