import Dispatch
import Foundation
import LarderQuery
import LarderStorage

/// The objects of a query: nothing is read before it is needed, and the contents follow the Realm's version.
public struct Results<Element>: RealmCollection where Element: RealmCollectionValue {
  let state: ResultsState

  init(_ state: ResultsState) { self.state = state }

  public typealias Index = Int
  public typealias Indices = Range<Int>
  public typealias SubSequence = Slice<Results<Element>>

  public subscript(position: Int) -> Element {
    if case .objects(_, let cursor) = state.source {
      return element(cursor, state.key(at: position))
    }
    let values = state.evaluatedValues()
    guard position >= 0, position < values.count else {
      misuse("Index \(position) is out of bounds (count \(values.count)).")
    }
    return element(values[position])
  }

  public subscript(bounds: Range<Int>) -> Slice<Results<Element>> { Slice(base: self, bounds: bounds) }

  /// The same results instance; contents are not compared.
  public static func == (lhs: Results<Element>, rhs: Results<Element>) -> Bool { lhs.state === rhs.state }

  public func makeIterator() -> RLMIterator<Element> {
    if case .objects(_, let cursor) = state.source {
      if !Element._rlmHoldsObject, state.projection == nil {
        return RLMIterator(state.evaluatedKeys().map { element(cursor, $0) })
      }
      let objects =
        state.wholeVersion().map { _ObjectSequence(of: $0, cursor) }
        ?? state.deliveredKeys().map { _ObjectSequence($0, cursor) } ?? _ObjectSequence(state.evaluatedKeys(), cursor)
      guard let projection = state.projection else { return RLMIterator(objects) }
      return RLMIterator(objects) { projection.element(objects.object($0)) }
    }
    return RLMIterator(state.evaluatedValues().map { element($0) })
  }

  /// Iterates over the elements at some positions of the contents there are now.
  func elements(at positions: [Int32]) -> RLMIterator<Element> {
    guard case .objects(_, let cursor) = state.source else {
      let values = state.evaluatedValues()
      return RLMIterator(positions.map { element(values[Int($0)]) })
    }
    let keys = state.evaluatedKeys()
    let wanted = positions.map { keys[Int($0)] }
    if Element._rlmHoldsObject { return RLMIterator(_ObjectSequence(wanted, cursor)) }
    return RLMIterator(wanted.map { element(cursor, $0) })
  }

  public var realm: Realm? { Realm(state.host) }
  public var isInvalidated: Bool { state.isInvalidated }
  public var count: Int { state.count }
  /// Looks for one element only.
  public var isEmpty: Bool { state.isEmpty }

  public var description: String { text(named: "Results<\(ObjectDescription.name(of: Element.self))>") }

  func text(named name: String) -> String {
    if isInvalidated { return "\(name) <invalidated>" }
    let identity = String(UInt(bitPattern: ObjectIdentifier(state).hashValue), radix: 16)
    return ObjectDescription.list(name, "0x" + identity, count) {
      ObjectDescription.text(of: self[$0], depth: 1)
    }
  }

  public var first: Element? {
    if case .objects(_, let cursor) = state.source { return state.firstKey().map { element(cursor, $0) } }
    return state.evaluatedValues().first.map { element($0) }
  }

  /// Answers `contains`: looks at an object of the class by itself, and evaluates nothing.
  public func _customContainsEquatableElement(_ element: Element) -> Bool? {
    guard case .objects(_, let cursor) = state.source, let object = element as? ObjectBase else { return nil }
    guard !object.isInvalidated else { return false }
    guard let link = orMisuse({ try state.host.knownLink(to: object) }), link.classID == cursor.classID else {
      return nil
    }
    return state.contains(link.key)
  }

  public var last: Element? {
    if isInvalidated { return nil }
    if case .objects(_, let cursor) = state.source { return state.lastKey().map { element(cursor, $0) } }
    return state.evaluatedValues().last.map { element($0) }
  }

  /// Answers `Array(results)`: returns the elements of a loop, which are counted by what is there.
  public func _copyToContiguousArray() -> ContiguousArray<Element> {
    var elements = ContiguousArray<Element>()
    var iterator = makeIterator()
    while let element = iterator.next() { elements.append(element) }
    return elements
  }

  private func element(_ cursor: _ClassCursor, _ key: ObjectKey) -> Element {
    // The cursor makes instances of `Element`, a class or an optional class.
    if Element._rlmHoldsObject { return unsafeBitCast(cursor.object(key), to: Element.self) }
    if let projection = state.projection { return projection.element(cursor.object(key)) }
    guard let element = Element._rlmFromStored(.link(key), in: Realm(state.host)) else {
      misuse("An object of \(cursor.model.name) is no \(Element.self).")
    }
    return element
  }

  private func element(_ value: StoredValue) -> Element {
    guard case .values(let location, _, _) = state.source else { misuse("These Results hold objects.") }
    return orMisuse { try location.element(value) }
  }

  /// Position of an object's row; nil for an unmanaged object or one that is not among the results.
  public func index(of object: Element) -> Int? {
    switch state.source {
    case .values(let location, _, _):
      guard let wanted = orMisuse({ try location.search(object) }) else { return nil }
      return state.evaluatedValues().firstIndex { StoredOrder.compare($0, wanted) == 0 }
    case .objects(_, let cursor):
      guard let object = object as? ObjectBase ?? (object as? any AnyProjection)?.root,
        let link = orMisuse({ try state.host.knownLink(to: object) }), link.classID == cursor.classID
      else { return nil }
      return state.evaluatedKeys().firstIndex(of: link.key)
    }
  }

  public func objects(at indexes: IndexSet) -> [Element] { indexes.map { self[$0] } }

  public func sorted<S>(by sortDescriptors: S) -> Results<Element> where S: Sequence, S.Element == SortDescriptor {
    Results(state.sorted(Array(sortDescriptors)))
  }

  public func distinct<S>(by keyPaths: S) -> Results<Element> where S: Sequence, S.Element == String {
    Results(state.distinct(Array(keyPaths)))
  }

  public func min<T>(ofProperty property: String) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType {
    T._rlmFromAggregate(state.aggregate(.minimum, property))
  }

  public func max<T>(ofProperty property: String) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType {
    T._rlmFromAggregate(state.aggregate(.maximum, property))
  }

  public func sum<T>(ofProperty property: String) -> T where T: _HasPersistedType, T.PersistedType: AddableType {
    T._rlmSum(state.aggregate(.sum, property))
  }

  public func average<T>(ofProperty property: String) -> T?
  where T: _HasPersistedType, T.PersistedType: AddableType {
    T._rlmFromAggregate(state.aggregate(.average, property))
  }

  public var isFrozen: Bool { state.host.isFrozen }

  public func freeze() -> Results<Element> {
    if isFrozen { return self }
    guard let moved = state.moved(to: state.host.frozen()) else { misuse("The list was deleted; it cannot be frozen.") }
    return Results(moved)
  }

  public func thaw() -> Results<Element>? {
    isFrozen ? state.moved(to: state.host.thawed()).map { Results($0) } : self
  }
}

extension Results: HasThrowingForms {}

extension Results: ResultsSource {
  func makeState(_ what: String) -> ResultsState { state }

  func storedValues() -> [StoredValue]? {
    if case .values = state.source { state.evaluatedValues() } else { nil }
  }

  func aggregated(_ aggregate: AggregateOperator) -> StoredValue? { state.foldChunks(aggregate) }
}

extension Results: Encodable where Element: Encodable {}

extension Results: _ObjcBridgeable {
  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Results? { value as? Results }
  public var _rlmObjcValue: Any { self }
}

extension _ObjcBridgeable {
  /// An aggregate's result; nil for null. A number becomes the number asked for.
  static func _rlmFromAggregate(_ value: StoredValue) -> Self? {
    if value.isNull { return nil }
    if let exact = _rlmFromStored(value, in: nil), !(exact is any AnyOptional) { return exact }
    switch value {
    case .int(let number): return _rlmFromObjc(number, insideOptional: false)
    case .double(let number): return _rlmFromObjc(number, insideOptional: false)
    case .float(let number): return _rlmFromObjc(number, insideOptional: false)
    case .decimal128(let bits): return _rlmFromObjc(Decimal128(bits: bits), insideOptional: false)
    case .date(let time): return _rlmFromObjc(time.date, insideOptional: false)
    default: return nil
    }
  }
}
