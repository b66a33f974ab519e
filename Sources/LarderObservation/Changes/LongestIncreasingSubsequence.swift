/// The longest increasing subsequence: what keeps its order while the rest moves.
package enum LongestIncreasingSubsequence {
  /// Marks the members of one. O(n log n).
  package static func marks(_ values: [Int]) -> [Bool] {
    var kept = [Bool](repeating: false, count: values.count)
    // Last elements of the best subsequences of each length, and for each element the one before it.
    var tails: [Int] = []
    var previous = [Int](repeating: -1, count: values.count)
    for index in values.indices {
      var low = 0
      var high = tails.count
      while low < high {
        let middle = (low + high) / 2
        if values[tails[middle]] < values[index] { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = tails[low - 1] }
      if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var next = tails.last ?? -1
    while next >= 0 {
      kept[next] = true
      next = previous[next]
    }
    return kept
  }
}
