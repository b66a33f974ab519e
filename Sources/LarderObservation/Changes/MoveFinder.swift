/// Tells which elements that are in both the old and the new collection count as moved.
///
/// Elements that no change touched keep their order: they are the backbone. A touched element stayed when it is in
/// the same gap of the backbone as before and in order with the others that stayed there.
struct MoveFinder {
  /// A touched element of both collections.
  struct Element {
    let old: Int
    let new: Int
  }

  /// Positions, ascending, of elements outside of the backbone.
  let looseOld: [Int]
  let looseNew: [Int]

  /// For each element, given in order of new position, whether it moved. O(n log n).
  func moved(_ elements: [Element]) -> [Bool] {
    var result = [Bool](repeating: false, count: elements.count)
    let gaps = elements.map { gap(of: $0.new, among: looseNew) }
    for (index, element) in elements.enumerated() {
      result[index] = gap(of: element.old, among: looseOld) != gaps[index]
    }
    var start = 0
    while start < elements.count {
      var end = start
      while end < elements.count, gaps[end] == gaps[start] { end += 1 }
      let stayed = (start..<end).filter { !result[$0] }
      let kept = LongestIncreasingSubsequence.marks(stayed.map { elements[$0].old })
      for (offset, index) in stayed.enumerated() where !kept[offset] { result[index] = true }
      start = end
    }
    return result
  }

  /// Number of backbone elements before a position.
  private func gap(of position: Int, among loose: [Int]) -> Int {
    var low = 0
    var high = loose.count
    while low < high {
      let middle = (low + high) / 2
      if loose[middle] < position { low = middle + 1 } else { high = middle }
    }
    return position - low
  }
}
