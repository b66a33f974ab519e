/// The numbers of the clusters of a class that may hold objects, in ascending order: what a walk over the class visits.
///
/// Keys are never given twice, so that most numbers of a class whose objects come and go belong to clusters that are empty for good.
package struct LiveClusters: RandomAccessCollection, Sendable {
  /// Nil: all numbers below `bound`.
  package let numbers: [Int]?
  private let bound: Int

  /// All clusters that were ever begun.
  package init(all bound: Int) {
    self.bound = bound
    numbers = nil
  }

  /// Those clusters, in ascending order.
  package init(_ numbers: [Int]) {
    self.numbers = numbers
    bound = (numbers.last ?? -1) + 1
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { numbers?.count ?? bound }
  package subscript(position: Int) -> Int { numbers?[position] ?? position }

  /// Returns the position of a number in a list of numbers in ascending order, or nil. O(log n).
  package static func position(of cluster: Int, in numbers: [Int]) -> Int? {
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] < cluster { low = middle + 1 } else { high = middle }
    }
    return low < numbers.count && numbers[low] == cluster ? low : nil
  }

  /// These and all from a cluster on to a bound.
  func adding(from first: Int, to bound: Int) -> LiveClusters {
    guard let numbers else { return LiveClusters(all: bound) }
    return LiveClusters(numbers.filter { $0 < first } + (first..<Swift.max(first, bound)))
  }
}
