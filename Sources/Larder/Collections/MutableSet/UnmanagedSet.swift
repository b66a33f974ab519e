/// The elements of a set in memory in the order in which they came. Each is there once by the equality of managed sets (F-120).
struct UnmanagedSet<Element: RealmCollectionValue> {
  /// An element and when it came; numbers are never used again.
  private typealias Arrival = (number: Int, element: Element)

  private var arrivals: [ContentKey: Arrival] = [:]
  private var nextArrival = 0
  private var order: [Element]?

  init() {}
  init(_ elements: some Sequence<Element>) { insert(elements) }

  var count: Int { arrivals.count }

  /// The elements in the order in which they came. After a change the first reading costs O(n log n).
  var elements: [Element] {
    mutating get {
      if let order { return order }
      let made = arrivals.values.sorted { $0.number < $1.number }.map(\.element)
      order = made
      return made
    }
  }

  func contains(_ element: Element) -> Bool { arrivals[ContentKeys().key(element)] != nil }

  mutating func insert(_ elements: some Sequence<Element>) {
    let keys = ContentKeys<Element>()
    for element in elements {
      let key = keys.key(element)
      guard arrivals[key] == nil else { continue }
      arrivals[key] = (nextArrival, element)
      nextArrival += 1
    }
    order = nil
  }

  mutating func remove(_ element: Element) {
    if arrivals.removeValue(forKey: ContentKeys().key(element)) != nil { order = nil }
  }

  /// Adds the elements of another set, in its order.
  mutating func formUnion(_ other: UnmanagedSet) {
    var other = other
    insert(other.elements)
  }

  /// Keeps the elements that another set has, or those that it has not.
  mutating func keep(in other: UnmanagedSet, _ isIn: Bool) {
    arrivals = arrivals.filter { (other.arrivals[$0.key] != nil) == isIn }
    order = nil
  }

  func isSubset(of other: UnmanagedSet) -> Bool { arrivals.keys.allSatisfy { other.arrivals[$0] != nil } }

  func isDisjoint(with other: UnmanagedSet) -> Bool { !arrivals.keys.contains { other.arrivals[$0] != nil } }

  func hasSameMembers(as other: UnmanagedSet) -> Bool { count == other.count && isSubset(of: other) }
}
