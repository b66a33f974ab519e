import Dispatch
import Foundation
import LarderStorage

/// An ordered collection of values or objects; as a property of a managed object it reads and writes the store.
///
/// Random access costs O(log n); a loop reads chunk by chunk. Changing a managed list needs a write transaction. The instance read
/// from a property stays the same one for that object; assigning to the property copies the contents (O-81).
public final class List<Element>: NSObject, RealmCollection, MutableCollection where Element: RealmCollectionValue {
  var unmanaged: [Element] = []
  var location: CollectionLocation?
  var trace: _KeyPathTrace?
  private var cached: (stamp: ReadingStamp, reading: any ListReading)?
  private var known: KnownReading?

  public typealias Index = Int
  public typealias Indices = Range<Int>
  public typealias SubSequence = Slice<List<Element>>

  /// An unmanaged, empty list.
  public override init() { super.init() }

  init(_ location: CollectionLocation) {
    self.location = location
    super.init()
  }

  // MARK: - Reading

  /// The stored list; throws when its owner is deleted.
  func reading(_ location: CollectionLocation) throws -> any ListReading {
    try location.host.verifyThread()
    if let cached, cached.stamp == location.host.readingStamp { return cached.reading }
    try location.verify()
    let reading = try location.list()
    // Frozen ones are read from many threads, and a reading remembers where it read last.
    if !location.host.isFrozen {
      remember(reading, location)
      known = (reading as? ListView).flatMap { KnownReading.serves($0) ? KnownReading($0, location.host) : nil }
    }
    return reading
  }

  /// Takes over elements that were read already, with the value that the list is in.
  func remember(_ reading: any ListReading, _ location: CollectionLocation) {
    cached = (location.host.readingStamp, reading)
  }

  func elementCount() throws -> Int {
    if let location { return try reading(location).count }
    return unmanaged.count
  }

  func element(at position: Int) throws -> Element {
    guard let value = try known?.value(at: position) else { return try unknownElement(at: position) }
    return try Element._rlmElement(value) { try unknownElement(at: position) }
  }

  @inline(never)
  private func unknownElement(at position: Int) throws -> Element {
    if let trace { return trace.element() }
    guard let location else {
      try verifyPosition(position)
      return unmanaged[position]
    }
    let reading = try reading(location)
    guard position >= 0, position < reading.count else { throw outOfBounds(position, reading.count) }
    return try location.element(try reading.value(at: position), at: .position(position))
  }

  public var count: Int { orMisuse { try elementCount() } }

  /// An element. A position outside of the list is misuse; `list.throwing[position]` throws.
  public subscript(position: Int) -> Element {
    get { orMisuse { try element(at: position) } }
    set { replace(index: position, object: newValue) }
  }

  public subscript(bounds: Range<Int>) -> Slice<List<Element>> {
    get { Slice(base: self, bounds: bounds) }
    set { replaceSubrange(bounds, with: Array(newValue)) }
  }

  /// Iterates over the elements as they are now; changes made in the loop are not seen by it.
  public func makeIterator() -> RLMIterator<Element> {
    guard let location else { return RLMIterator(unmanaged) }
    guard location.nested != nil else { return location.makeIterator() }
    return orMisuse {
      RLMIterator(try reading(location).values().enumerated().map { try location.element($1, at: .position($0)) })
    }
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

  public var realm: Realm? { location.map { Realm($0.host) } }

  /// A Boolean value that says whether the owner was deleted or its Realm invalidated: then nothing else may be asked for.
  public var isInvalidated: Bool { location.map { !$0.isAlive } ?? false }

  public override var description: String { text(depth: 0) }

  /// Managed: the same list of the same object. Unmanaged: the same instance or equal contents.
  public static func == (lhs: List<Element>, rhs: List<Element>) -> Bool { lhs.isSame(as: rhs) }
  public override func isEqual(_ object: Any?) -> Bool { (object as? List<Element>).map { isSame(as: $0) } ?? false }
  public override var hash: Int { location?.hashValue ?? 0 }

  // MARK: - Writing

  /// Adds an element at the end; an unmanaged object becomes managed.
  ///
  /// ```swift
  /// try realm.write { person.dogs.append(Dog(value: ["name": "Rex"])) }
  /// ```
  ///
  /// Misuse outside of a write transaction and for an object of another Realm; `list.throwing.append` throws instead. On the Realm's thread.
  /// Costs O(log n).
  public func append(_ object: Element) { orMisuse { try insertElements([object], at: elementCount()) } }

  /// Adds elements at the end, in one go.
  ///
  /// ```swift
  /// try realm.write { person.dogs.append(objectsIn: [Dog(value: ["name": "Fido"]), Dog(value: ["name": "Lia"])]) }
  /// ```
  ///
  /// Misuse as for `append`; `list.throwing.append(objectsIn:)` throws instead. On the Realm's thread. Costs O(log n) and the elements.
  public func append<S>(objectsIn objects: S) where S: Sequence, S.Element == Element {
    orMisuse { try insertElements(Array(objects), at: elementCount()) }
  }

  /// Inserts in front of the element at `index`, or at the end.
  ///
  /// ```swift
  /// try realm.write { person.dogs.insert(Dog(value: ["name": "Bo"]), at: 0) }
  /// ```
  ///
  /// Misuse outside of a write transaction and for a position that is out of bounds; `list.throwing.insert` throws instead. On the Realm's
  /// thread. Costs O(log n).
  public func insert(_ object: Element, at index: Int) { orMisuse { try insertElements([object], at: index) } }

  /// Inserts elements before a position, which may be the end.
  public func insert<C>(contentsOf newElements: C, at i: Int) where C: Collection, C.Element == Element {
    orMisuse { try insertElements(Array(newElements), at: i) }
  }

  /// Objects stay in the Realm; embedded ones are deleted.
  ///
  /// ```swift
  /// try realm.write { person.dogs.remove(at: 1) }
  /// ```
  ///
  /// Misuse outside of a write transaction and for a position that is out of bounds; `list.throwing.remove` throws instead. On the Realm's
  /// thread. Costs O(log n).
  public func remove(at index: Int) { orMisuse { try removeElement(at: index) } }
  /// Removes elements at the beginning; more than there are is misuse.
  public func removeFirst(_ number: Int = 1) { orMisuse { try removeElements(number, atEnd: false) } }
  /// Removes elements at the end; more than there are is misuse.
  public func removeLast(_ number: Int = 1) { orMisuse { try removeElements(number, atEnd: true) } }

  /// Objects stay in the Realm; embedded ones are deleted.
  ///
  /// ```swift
  /// try realm.write { person.dogs.removeAll() }
  /// ```
  ///
  /// Misuse outside of a write transaction; `list.throwing.removeAll` throws instead. On the Realm's thread. Costs little: the elements are not
  /// read.
  public func removeAll() { orMisuse { try removeAllElements() } }

  /// Removes the elements at a range of positions.
  public func removeSubrange<R>(_ boundsExpression: R) where R: RangeExpression, R.Bound == Int {
    orMisuse { try removeElements(verified(boundsExpression)) }
  }

  /// Removes the elements at some positions of the list as it is now.
  public func remove(atOffsets offsets: IndexSet) { orMisuse { try removeElements(atOffsets: offsets) } }
  /// Puts another element in the place of one. An embedded object that was there is deleted.
  public func replace(index: Int, object: Element) { orMisuse { try replaceElement(at: index, with: object) } }

  /// Puts other elements, of any number, in the place of a range of them.
  public func replaceSubrange<C, R>(_ subrange: R, with newElements: C)
  where C: Collection, C.Element == Element, R: RangeExpression, R.Bound == Int {
    orMisuse { try replaceElements(verified(subrange), with: Array(newElements)) }
  }

  /// Moves an element; `to` is its position afterwards.
  ///
  /// ```swift
  /// try realm.write { person.dogs.move(from: 0, to: 1) }
  /// ```
  ///
  /// Misuse outside of a write transaction and for positions that are out of bounds; `list.throwing.move` throws instead. On the Realm's thread.
  /// Costs O(log n).
  public func move(from: Int, to: Int) { orMisuse { try moveElement(from: from, to: to) } }

  /// Moves elements in front of the one at `destination`, keeping their order.
  public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
    orMisuse { try moveElements(fromOffsets: offsets, toOffset: destination) }
  }

  /// Exchanges the elements at two positions.
  public func swapAt(_ index1: Int, _ index2: Int) { orMisuse { try swapElements(index1, index2) } }
}
