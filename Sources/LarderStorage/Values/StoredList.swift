/// The elements of a list within a mixed value.
public struct StoredList: Hashable, Sendable, RandomAccessCollection, ExpressibleByArrayLiteral {
  /// Tells this list from every other that the cell held or will hold; 0 for one that was never stored. Does not count
  /// for equality.
  public internal(set) var id: UInt64 = 0
  public internal(set) var elements: [StoredValue]

  public init(_ elements: some Sequence<StoredValue> = []) { self.elements = Array(elements) }
  public init(arrayLiteral elements: StoredValue...) { self.elements = elements }

  public var startIndex: Int { 0 }
  public var endIndex: Int { elements.count }
  public subscript(position: Int) -> StoredValue { elements[position] }

  public static func == (lhs: StoredList, rhs: StoredList) -> Bool { lhs.elements == rhs.elements }
  public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}
