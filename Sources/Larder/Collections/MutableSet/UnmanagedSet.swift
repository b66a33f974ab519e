/// The elements of a set in memory, once each by Swift's equality, with positions that hold until the next change.
struct UnmanagedSet<Element: Hashable> {
  private(set) var members: Set<Element> = []
  private var order: [Element]?

  init() {}
  init(_ elements: some Sequence<Element>) { members = Set(elements) }

  /// The elements in an arbitrary order, which stays until the next change.
  var elements: [Element] {
    mutating get {
      if let order { return order }
      let made = Array(members)
      order = made
      return made
    }
  }

  mutating func insert(_ elements: some Sequence<Element>) {
    members.formUnion(elements)
    order = nil
  }

  mutating func remove(_ element: Element) {
    if members.remove(element) != nil { order = nil }
  }
}
