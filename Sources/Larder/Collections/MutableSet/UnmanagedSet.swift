/// The elements of a set in memory, once each by Swift's equality, in the order in which they came.
struct UnmanagedSet<Element: Hashable> {
  /// When each element came; numbers are never used again.
  private var arrivals: [Element: Int] = [:]
  private var nextArrival = 0
  private var order: [Element]?

  init() {}
  init(_ elements: some Sequence<Element>) { insert(elements) }

  var count: Int { arrivals.count }

  /// The elements in the order in which they came. After a change the first reading costs O(n log n).
  var elements: [Element] {
    mutating get {
      if let order { return order }
      let made = arrivals.sorted { $0.value < $1.value }.map(\.key)
      order = made
      return made
    }
  }

  func contains(_ element: Element) -> Bool { arrivals[element] != nil }

  mutating func insert(_ elements: some Sequence<Element>) {
    for element in elements where arrivals[element] == nil {
      arrivals[element] = nextArrival
      nextArrival += 1
    }
    order = nil
  }

  mutating func remove(_ element: Element) {
    if arrivals.removeValue(forKey: element) != nil { order = nil }
  }

  /// Keeps the elements that fulfil a condition, in their order.
  mutating func keep(_ isKept: (Element) -> Bool) {
    arrivals = arrivals.filter { isKept($0.key) }
    order = nil
  }

  func isSubset(of other: UnmanagedSet) -> Bool { arrivals.keys.allSatisfy(other.contains) }

  func isDisjoint(with other: UnmanagedSet) -> Bool { !arrivals.keys.contains(where: other.contains) }

  func hasSameMembers(as other: UnmanagedSet) -> Bool { count == other.count && isSubset(of: other) }
}
