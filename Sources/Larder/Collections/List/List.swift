import Dispatch
import Foundation
import LarderStorage

/// An ordered collection of values or objects; as a property of a managed object it reads and writes the store.
///
/// Random access costs O(log n). Changing a managed list needs a write transaction.
public final class List<Element>: NSObject, RealmCollection, MutableCollection where Element: RealmCollectionValue {
  var unmanaged: [Element] = []
  var location: CollectionLocation?
  var trace: _KeyPathTrace?
  private var cached: (stamp: UInt64, reading: any ListReading)?

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

  /// The stored list; misuse when its owner is gone.
  func reading(_ location: CollectionLocation) -> any ListReading {
    location.core.checkThread()
    if let cached, cached.stamp == location.core.stamp { return cached.reading }
    check(location)
    let reading = location.reading()
    cached = (location.core.stamp, reading)
    return reading
  }

  private func check(_ location: CollectionLocation) {
    location.core.checkThread()
    guard location.isAlive else {
      misuse(
        "The owner of \(location.cursor.model.name).\(location.property.name) was deleted or invalidated; the list "
          + "cannot be used any more.")
    }
  }

  public var count: Int {
    if let location { return reading(location).count }
    return unmanaged.count
  }

  public subscript(position: Int) -> Element {
    get {
      if let trace { return traced(trace) }
      checkPosition(position)
      guard let location else { return unmanaged[position] }
      let list = reading(location)
      return element(orMisuse { try list.value(at: position) }, location)
    }
    set { replace(index: position, object: newValue) }
  }

  public subscript(bounds: Range<Int>) -> Slice<List<Element>> {
    get { Slice(base: self, bounds: bounds) }
    set { replaceSubrange(bounds, with: Array(newValue)) }
  }

  private func checkPosition(_ position: Int) {
    let count = count
    guard position >= 0, position < count else { misuse("Index \(position) is out of bounds (count \(count)).") }
  }

  private func element(_ value: StoredValue, _ location: CollectionLocation) -> Element {
    if case .link(let key) = value, let target = location.cursor.target(location.index) {
      // The target's cursor makes instances of `Element`, a class.
      return unsafeBitCast(target.object(key), to: Element.self)
    }
    guard let element = Element._rlmFromStored(value, in: location.cursor.realm) else {
      misuse("The stored value \(value.text) is no \(Element.self).")
    }
    return element
  }

  private func traced(_ trace: _KeyPathTrace) -> Element {
    guard let type = Element.self as? ObjectBase.Type, let object = trace.object(of: type) as? Element else {
      return Element._rlmDefaultValue()
    }
    return object
  }

  public func makeIterator() -> RLMIterator<Element> {
    guard let location else { return RLMIterator(unmanaged) }
    check(location)
    let values = location.values()
    guard let target = location.cursor.target(location.index) else {
      return RLMIterator(values.map { element($0, location) })
    }
    let keys = values.compactMap { value -> ObjectKey? in if case .link(let key) = value { key } else { nil } }
    return RLMIterator(_ObjectSequence(keys, target))
  }

  public var first: Element? {
    if let trace { return traced(trace) }
    return count == 0 ? nil : self[0]
  }

  public var last: Element? {
    if let trace { return traced(trace) }
    let count = count
    return count == 0 ? nil : self[count - 1]
  }

  public var realm: Realm? { location.map { Realm($0.core) } }
  public var isInvalidated: Bool { location.map { !$0.isAlive } ?? false }

  public override var description: String { text(depth: 0) }

  /// Managed: the same list of the same object. Unmanaged: the same instance or equal contents.
  public static func == (lhs: List<Element>, rhs: List<Element>) -> Bool { lhs.isEqual(rhs) }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? List<Element> else { return false }
    if self === other { return true }
    switch (location, other.location) {
    case (let mine?, let theirs?): return mine == theirs
    case (nil, nil): return unmanaged == other.unmanaged
    default: return false
    }
  }

  public override var hash: Int { location.map { $0.key.hashValue } ?? 0 }

  // MARK: - Writing

  /// The place to write to; misuse unless that is possible. Nil for an unmanaged list.
  private func writable() -> CollectionLocation? {
    guard let location else { return nil }
    check(location)
    location.core.checkWriting {
      "Change \(location.cursor.model.name).\(location.property.name) inside realm.write { }."
    }
    return location
  }

  func change(_ location: CollectionLocation, _ body: (StoreWriter) throws -> Void) {
    orMisuse { try body(location.core.openWriter()) }
    location.core.noteChange()
  }

  private func stored(_ elements: some Sequence<Element>, _ location: CollectionLocation) -> [StoredValue] {
    let realm = location.cursor.realm
    return elements.map { $0._rlmStored(in: realm) }
  }

  private func insert(_ elements: [Element], at position: Int, _ location: CollectionLocation) {
    if location.property.isEmbedded {
      for (offset, element) in elements.enumerated() { insertEmbedded(element, at: position + offset, location) }
      return
    }
    let values = stored(elements, location)
    change(location) { try $0.listInsert(location.cursor.classID, location.column, location.key, at: position, values) }
  }

  private func insertEmbedded(_ element: Element, at position: Int, _ location: CollectionLocation) {
    guard let object = element as? ObjectBase, let target = location.cursor.target(location.index) else { return }
    if object.isManaged {
      misuse("\(target.model.name) is embedded and already has a parent; copy it with \(target.model.name)(value:).")
    }
    change(location) { writer in
      let key = try writer.insertEmbedded(
        in: location.cursor.classID, location.column, location.key, at: position)
      ObjectBuilder(location.core, policy: location.core.addingPolicy).adopt(object, target, key)
    }
  }

  public func append(_ object: Element) {
    guard let location = writable() else { return unmanaged.append(object) }
    insert([object], at: reading(location).count, location)
  }

  public func append<S>(objectsIn objects: S) where S: Sequence, S.Element == Element {
    guard let location = writable() else { return unmanaged.append(contentsOf: objects) }
    insert(Array(objects), at: reading(location).count, location)
  }

  public func insert(_ object: Element, at index: Int) {
    insert(contentsOf: CollectionOfOne(object), at: index)
  }

  public func insert<C>(contentsOf newElements: C, at i: Int) where C: Collection, C.Element == Element {
    let count = count
    guard i >= 0, i <= count else { misuse("Index \(i) is out of bounds (count \(count)).") }
    guard let location = writable() else { return unmanaged.insert(contentsOf: newElements, at: i) }
    insert(Array(newElements), at: i, location)
  }

  private func remove(_ range: Range<Int>) {
    guard let location = writable() else { return unmanaged.removeSubrange(range) }
    if range.isEmpty { return }
    change(location) { try $0.listRemove(location.cursor.classID, location.column, location.key, range) }
  }

  /// Objects stay in the Realm; embedded ones are deleted.
  public func remove(at index: Int) {
    checkPosition(index)
    remove(index..<index + 1)
  }

  public func removeFirst(_ number: Int = 1) {
    checkRemoval(number)
    remove(0..<number)
  }

  public func removeLast(_ number: Int = 1) {
    checkRemoval(number)
    let count = count
    remove(count - number..<count)
  }

  private func checkRemoval(_ number: Int) {
    let count = count
    guard number >= 0, number <= count else { misuse("Cannot remove \(number) of \(count) elements.") }
  }

  public func removeAll() {
    guard let location = writable() else { return unmanaged.removeAll() }
    change(location) { try $0.listClear(location.cursor.classID, location.column, location.key) }
  }

  public func removeSubrange<R>(_ boundsExpression: R) where R: RangeExpression, R.Bound == Int {
    remove(checked(boundsExpression))
  }

  private func checked<R>(_ expression: R) -> Range<Int> where R: RangeExpression, R.Bound == Int {
    let range = expression.relative(to: 0..<count)
    let count = count
    guard range.lowerBound >= 0, range.upperBound <= count else {
      misuse("The range \(range) is out of bounds (count \(count)).")
    }
    return range
  }

  public func remove(atOffsets offsets: IndexSet) {
    if let last = offsets.last { checkPosition(last) }
    for range in offsets.rangeView.reversed() { remove(range) }
  }

  public func replace(index: Int, object: Element) {
    checkPosition(index)
    guard let location = writable() else { return unmanaged[index] = object }
    if location.property.isEmbedded {
      remove(index..<index + 1)
      return insert([object], at: index, location)
    }
    let value = object._rlmStored(in: location.cursor.realm)
    change(location) { try $0.listSet(location.cursor.classID, location.column, location.key, at: index, value) }
  }

  public func replaceSubrange<C, R>(_ subrange: R, with newElements: C)
  where C: Collection, C.Element == Element, R: RangeExpression, R.Bound == Int {
    let range = checked(subrange)
    guard let location = writable() else { return unmanaged.replaceSubrange(range, with: newElements) }
    let elements = Array(newElements)
    remove(range)
    insert(elements, at: range.lowerBound, location)
  }

  /// Moves an element; `to` is its position afterwards.
  public func move(from: Int, to: Int) {
    checkPosition(from)
    checkPosition(to)
    guard let location = writable() else { return unmanaged.insert(unmanaged.remove(at: from), at: to) }
    change(location) {
      try $0.listMove(location.cursor.classID, location.column, location.key, from: from, to: to)
    }
  }

  /// Moves elements in front of the one at `destination`, keeping their order.
  public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
    let count = count
    guard destination >= 0, destination <= count else {
      misuse("Index \(destination) is out of bounds (count \(count)).")
    }
    if let last = offsets.last { checkPosition(last) }
    let before = offsets.filter { $0 < destination }
    let after = offsets.filter { $0 >= destination }
    for (moved, offset) in before.enumerated() { move(from: offset - moved, to: destination - 1) }
    for (moved, offset) in after.enumerated() where offset != destination + moved {
      move(from: offset, to: destination + moved)
    }
  }

  public func swapAt(_ index1: Int, _ index2: Int) {
    checkPosition(index1)
    checkPosition(index2)
    if index1 == index2 { return }
    guard writable() != nil else { return unmanaged.swapAt(index1, index2) }
    let (low, high) = (Swift.min(index1, index2), Swift.max(index1, index2))
    move(from: high, to: low)
    if high - low > 1 { move(from: low + 1, to: high) }
  }

  /// Replaces the contents; index by index under `.modified` (O-45).
  func setContents(_ elements: [Element], policy: Realm.UpdatePolicy) {
    guard let location = writable() else {
      unmanaged = elements
      return
    }
    if policy == .modified, let target = location.cursor.target(location.index) {
      _ = merge(elements, location, target, ObjectBuilder(location.core, policy: policy))
      return
    }
    if location.property.isEmbedded {
      removeAll()
      return insert(elements, at: 0, location)
    }
    let values = stored(elements, location)
    if policy == .modified { return merge(values, location) }
    change(location) { try $0.listAssign(location.cursor.classID, location.column, location.key, values) }
  }
}
