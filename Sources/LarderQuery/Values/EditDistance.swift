/// Computes the distance between two texts.
package enum EditDistance {
  /// Insertions, deletions, replacements and swaps of neighbours that turn one text into the other, at least.
  ///
  /// - Complexity: O(length²).
  package static func between<Element: Equatable>(_ a: [Element], _ b: [Element]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var current = [i + 1]
      for j in b.indices {
        var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, current[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
        current.append(cost)
      }
      beforeLast = last
      last = current
    }
    return last[b.count]
  }
}
