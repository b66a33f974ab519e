import Dispatch
import Foundation
import LarderQuery
import LarderStorage

/// Any live collection of one type of element: `Results`, `List`, `MutableSet`, `LinkingObjects`, or another one of these.
///
/// Costs one indirect call for each member; a loop costs what a loop over the collection itself costs.
public struct AnyRealmCollection<Element>: RealmCollection where Element: RealmCollectionValue {
  let base: CollectionBox<Element>

  public typealias Index = Int
  public typealias Indices = Range<Int>
  public typealias SubSequence = Slice<AnyRealmCollection<Element>>

  /// A view of a collection, as live as the collection is.
  public init<C>(_ base: C) where Element == C.Element, C: RealmCollection, C: _ObjcBridgeable {
    self.base = (base as? AnyRealmCollection<Element>)?.base ?? TypedCollectionBox(base)
  }

  public subscript(position: Int) -> Element { base.element(position) }
  public subscript(bounds: Range<Int>) -> Slice<AnyRealmCollection<Element>> { Slice(base: self, bounds: bounds) }

  /// Views of collections of one type that are equal.
  public static func == (lhs: AnyRealmCollection<Element>, rhs: AnyRealmCollection<Element>) -> Bool {
    lhs.base.isEqual(rhs.base)
  }

  public func makeIterator() -> RLMIterator<Element> { base.makeIterator() }
  public var realm: Realm? { base.confined.realm }
  public var isInvalidated: Bool { base.confined.isInvalidated }
  public var count: Int { base.count }
  public var description: String { base.description }
  public var first: Element? { base.first }
  public var last: Element? { base.last }
  public func index(of object: Element) -> Int? { base.index(of: object) }
  public func index(matching predicate: NSPredicate) -> Int? { base.index(matching: predicate) }
  public func objects(at indexes: IndexSet) -> [Element] { indexes.map { self[$0] } }
  public func filter(_ predicate: NSPredicate) -> Results<Element> { base.filter(predicate) }

  public func sorted<S>(by sortDescriptors: S) -> Results<Element> where S: Sequence, S.Element == SortDescriptor {
    base.sorted(Array(sortDescriptors))
  }

  public func distinct<S>(by keyPaths: S) -> Results<Element> where S: Sequence, S.Element == String {
    base.distinct(Array(keyPaths))
  }

  public func min<T>(ofProperty property: String) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType {
    base.min(property)
  }
  public func max<T>(ofProperty property: String) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType {
    base.max(property)
  }
  public func sum<T>(ofProperty property: String) -> T where T: _HasPersistedType, T.PersistedType: AddableType {
    base.sum(property)
  }
  public func average<T>(ofProperty property: String) -> T?
  where T: _HasPersistedType, T.PersistedType: AddableType {
    base.average(property)
  }

  public func value(forKey key: String) -> Any? { base.value(forKey: key) }
  public func value(forKeyPath keyPath: String) -> Any? { base.value(forKeyPath: keyPath) }
  public func setValue(_ value: Any?, forKey key: String) { base.setValue(value, forKey: key) }

  public func observe(
    keyPaths: [String]?, on queue: DispatchQueue?,
    _ block: @escaping (RealmCollectionChange<AnyRealmCollection<Element>>) -> Void
  ) -> NotificationToken {
    base.observe(keyPaths, queue, block)
  }

  public var isFrozen: Bool { base.confined.isFrozen }
  public func freeze() -> AnyRealmCollection<Element> { base.freeze() }
  public func thaw() -> AnyRealmCollection<Element>? { base.thaw() }
}

extension AnyRealmCollection: Encodable where Element: Encodable {}
extension AnyRealmCollection: HasThrowingForms {}

extension AnyRealmCollection: ResultsSource {
  func makeState(_ what: String) -> ResultsState { base.makeState(what) }
  func storedValues() -> [StoredValue]? { base.storedValues() }
  func aggregated(_ aggregate: AggregateOperator) -> StoredValue? { base.aggregated(aggregate) }
}

extension AnyRealmCollection: _ObjcBridgeable {
  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> AnyRealmCollection? {
    value as? AnyRealmCollection
  }
  public var _rlmObjcValue: Any { self }
}
