import Dispatch
import Foundation
import LarderStorage

/// A collection of values or objects, each once; as a property of a managed object it reads and writes the store.
///
/// Managed sets are ordered by value, objects by row (O-82); `contains` costs O(log n). Unmanaged sets take for one
/// element what managed ones do, and keep the order in which the elements came. Changing a managed set needs a write transaction.
public final class MutableSet<Element>: NSObject, RealmCollection where Element: RealmCollectionValue {
  var unmanaged = UnmanagedSet<Element>()
  var location: CollectionLocation?
  var trace: _KeyPathTrace?
  private var cached: (stamp: ReadingStamp, reading: any SetReading)?

  public typealias Index = Int
  public typealias Indices = Range<Int>
  public typealias SubSequence = Slice<MutableSet<Element>>

  /// An unmanaged, empty set.
  public override init() { super.init() }

  init(_ location: CollectionLocation) {
    self.location = location
    super.init()
  }

  // MARK: - Reading

  /// The stored set; throws when its owner is deleted.
  func reading(_ location: CollectionLocation) throws -> any SetReading {
    try location.host.verifyThread()
    if let cached, cached.stamp == location.host.readingStamp { return cached.reading }
    try location.verify()
    let reading = try location.set()
    // Frozen ones are read from many threads, and a reading remembers where it read last.
    if !location.host.isFrozen { cached = (location.host.readingStamp, reading) }
    return reading
  }

  func elementCount() throws -> Int {
    if let location { return try reading(location).count }
    return unmanaged.count
  }

  func element(at position: Int) throws -> Element {
    if let trace { return trace.element() }
    let count = try elementCount()
    guard position >= 0, position < count else { throw Realm.Error.outOfBounds(position, count, location) }
    guard let location else { return unmanaged.elements[position] }
    return try location.element(try reading(location).value(at: position))
  }

  public var count: Int { orMisuse { try elementCount() } }

  /// The element at a position of the set's order, which holds until the next change.
  public subscript(position: Int) -> Element { orMisuse { try element(at: position) } }
  public subscript(bounds: Range<Int>) -> Slice<MutableSet<Element>> { Slice(base: self, bounds: bounds) }

  /// Iterates over the elements as they are now; changes made in the loop are not seen by it.
  public func makeIterator() -> RLMIterator<Element> {
    guard let location else { return RLMIterator(unmanaged.elements) }
    return location.makeIterator()
  }

  public var first: Element? {
    if let trace { return trace.element() }
    return isEmpty ? nil : self[0]
  }

  public var last: Element? {
    if let trace { return trace.element() }
    let count = count
    return count == 0 ? nil : self[count - 1]
  }

  /// Returns true if an equal element is in the set; objects by row. O(log n).
  public func contains(_ object: Element) -> Bool { orMisuse { try hasElement(object) } }

  public var realm: Realm? { location.map { Realm($0.host) } }

  /// A Boolean value that says whether the owner was deleted or its Realm invalidated: then nothing else may be asked for.
  public var isInvalidated: Bool { location.map { !$0.isAlive } ?? false }

  public override var description: String { text(depth: 0) }

  /// Managed: the same set of the same object. Unmanaged: the same instance or equal contents.
  public static func == (lhs: MutableSet<Element>, rhs: MutableSet<Element>) -> Bool { lhs.isSame(as: rhs) }
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? MutableSet<Element>).map { isSame(as: $0) } ?? false
  }
  public override var hash: Int { location?.hashValue ?? 0 }

  // MARK: - Writing

  /// Adds an element that is not there yet; an unmanaged object becomes managed.
  ///
  /// ```swift
  /// try realm.write { person.tags.insert("mathematics") }
  /// ```
  ///
  /// Misuse outside of a write transaction; `set.throwing.insert` throws instead. On the Realm's thread. Costs O(log n).
  public func insert(_ object: Element) { orMisuse { try insertElements(CollectionOfOne(object)) } }

  /// Adds elements, in one go.
  public func insert<S>(objectsIn objects: S) where S: Sequence, S.Element == Element {
    orMisuse { try insertElements(objects) }
  }

  /// Removes an element if it is there; objects stay in the Realm.
  public func remove(_ object: Element) { orMisuse { try removeElement(object) } }
  /// Removes all elements; objects stay in the Realm.
  public func removeAll() { orMisuse { try removeAllElements() } }

  // MARK: - Algebra: both managed by one Realm, or both unmanaged (E-85)

  /// Returns true if every element is in the other set too.
  public func isSubset(of possibleSuperset: MutableSet<Element>) -> Bool {
    orMisuse { try isContained(in: possibleSuperset) }
  }

  /// Returns true if there is an element that both have.
  public func intersects(_ otherSet: MutableSet<Element>) -> Bool { orMisuse { try overlaps(otherSet) } }

  /// Keeps the elements that the other set has too.
  public func formIntersection(_ other: MutableSet<Element>) { orMisuse { try intersect(with: other) } }

  /// Removes the elements of the other set.
  public func subtract(_ other: MutableSet<Element>) { orMisuse { try subtractElements(of: other) } }

  /// Adds the elements of the other set, in one go.
  public func formUnion(_ other: MutableSet<Element>) { orMisuse { try unite(with: other) } }

  /// Keeps the elements that only one of both sets has.
  public func formSymmetricDifference(_ other: MutableSet<Element>) { orMisuse { try differ(from: other) } }
}
