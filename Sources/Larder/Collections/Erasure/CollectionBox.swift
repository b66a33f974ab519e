import Dispatch
import Foundation
import LarderQuery
import LarderStorage

/// Something that is done with a collection of a known type.
protocol CollectionOpener<Element, Result> {
  associatedtype Element: RealmCollectionValue
  associatedtype Result
  func open<C: RealmCollection & _ObjcBridgeable>(_ collection: C) -> Result where C.Element == Element
}

/// A collection whose type is only known to `TypedCollectionBox`.
class CollectionBox<Element: RealmCollectionValue> {
  private func missing() -> Never { misuse("A collection box does not say how to do this.") }

  var confined: any ThreadConfined { missing() }
  var count: Int { missing() }
  var description: String { missing() }
  var first: Element? { missing() }
  var last: Element? { missing() }
  func element(_ position: Int) -> Element { missing() }
  func isEqual(_ other: CollectionBox<Element>) -> Bool { missing() }
  func makeIterator() -> RLMIterator<Element> { missing() }
  func index(of object: Element) -> Int? { missing() }
  func index(matching predicate: NSPredicate) -> Int? { missing() }
  func filter(_ predicate: NSPredicate) -> Results<Element> { missing() }
  func sorted(_ descriptors: [SortDescriptor]) -> Results<Element> { missing() }
  func distinct(_ keyPaths: [String]) -> Results<Element> { missing() }
  func min<T>(_ property: String) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType { missing() }
  func max<T>(_ property: String) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType { missing() }
  func sum<T>(_ property: String) -> T where T: _HasPersistedType, T.PersistedType: AddableType { missing() }
  func average<T>(_ property: String) -> T? where T: _HasPersistedType, T.PersistedType: AddableType { missing() }
  func value(forKey key: String) -> Any? { missing() }
  func value(forKeyPath keyPath: String) -> Any? { missing() }
  func setValue(_ value: Any?, forKey key: String) { missing() }
  func observe(
    _ keyPaths: [String]?, _ queue: DispatchQueue?,
    _ block: @escaping (RealmCollectionChange<AnyRealmCollection<Element>>) -> Void
  ) -> NotificationToken { missing() }
  func freeze() -> AnyRealmCollection<Element> { missing() }
  func thaw() -> AnyRealmCollection<Element>? { missing() }
  func moved(to host: ObjectHost) -> AnyRealmCollection<Element>? { missing() }
  func passage() -> Passage { missing() }
  func opened<Opener: CollectionOpener>(_ opener: Opener) -> Opener.Result where Opener.Element == Element { missing() }
  func makeState(_ what: String) -> ResultsState { missing() }
  func storedValues() -> [StoredValue]? { missing() }
  func aggregated(_ aggregate: AggregateOperator) -> StoredValue? { missing() }
  var elementsInMemory: [Any]? { missing() }
}

/// Hands everything on to one collection.
final class TypedCollectionBox<C: RealmCollection & _ObjcBridgeable>: CollectionBox<C.Element> {
  private let base: C

  init(_ base: C) { self.base = base }

  override var confined: any ThreadConfined { base }
  override var count: Int { base.count }
  override var description: String { base.description }
  override var first: C.Element? { base.first }
  override var last: C.Element? { base.last }

  override func element(_ position: Int) -> C.Element {
    guard C.Index.self == Int.self else { misuse("\(C.self) has no positions.") }
    // Just checked; a checked cast would cost as much as the element.
    return base[unsafeBitCast(position, to: C.Index.self)]
  }

  override func moved(to host: ObjectHost) -> AnyRealmCollection<C.Element>? {
    guard let movable = base as? any MovableBetweenRealms else { return nil }
    return (movable.moved(to: host) as? C).map { AnyRealmCollection($0) }
  }

  override func passage() -> Passage {
    guard let movable = base as? any MovableBetweenRealms else { return { _ in nil } }
    let passage = movable.passage()
    return { (passage($0) as? C).map { AnyRealmCollection($0) } }
  }

  override func opened<Opener: CollectionOpener>(_ opener: Opener) -> Opener.Result where Opener.Element == C.Element {
    opener.open(base)
  }

  override func isEqual(_ other: CollectionBox<C.Element>) -> Bool {
    (other as? TypedCollectionBox<C>).map { base == $0.base } ?? false
  }

  override func makeIterator() -> RLMIterator<C.Element> { base.makeIterator() }
  override func index(of object: C.Element) -> Int? { base.index(of: object) }
  override func index(matching predicate: NSPredicate) -> Int? { base.index(matching: predicate) }
  override func filter(_ predicate: NSPredicate) -> Results<C.Element> { base.filter(predicate) }
  override func sorted(_ descriptors: [SortDescriptor]) -> Results<C.Element> { base.sorted(by: descriptors) }
  override func distinct(_ keyPaths: [String]) -> Results<C.Element> { base.distinct(by: keyPaths) }

  override func min<T>(_ property: String) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType {
    base.min(ofProperty: property)
  }
  override func max<T>(_ property: String) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType {
    base.max(ofProperty: property)
  }
  override func sum<T>(_ property: String) -> T where T: _HasPersistedType, T.PersistedType: AddableType {
    base.sum(ofProperty: property)
  }
  override func average<T>(_ property: String) -> T? where T: _HasPersistedType, T.PersistedType: AddableType {
    base.average(ofProperty: property)
  }

  override func value(forKey key: String) -> Any? { base.value(forKey: key) }
  override func value(forKeyPath keyPath: String) -> Any? { base.value(forKeyPath: keyPath) }
  override func setValue(_ value: Any?, forKey key: String) { base.setValue(value, forKey: key) }

  override func observe(
    _ keyPaths: [String]?, _ queue: DispatchQueue?,
    _ block: @escaping (RealmCollectionChange<AnyRealmCollection<C.Element>>) -> Void
  ) -> NotificationToken {
    base.observe(keyPaths: keyPaths, on: queue) { block($0.map { AnyRealmCollection($0) }) }
  }

  override func freeze() -> AnyRealmCollection<C.Element> { AnyRealmCollection(base.freeze()) }
  override func thaw() -> AnyRealmCollection<C.Element>? { base.thaw().map { AnyRealmCollection($0) } }
  override func makeState(_ what: String) -> ResultsState { base.resultsState(what) }
  override var elementsInMemory: [Any]? { (base as? any SearchableInMemory)?.elementsInMemory }
  override func storedValues() -> [StoredValue]? { (base as? any StoredValuesSource)?.storedValues() }
  override func aggregated(_ aggregate: AggregateOperator) -> StoredValue? {
    (base as? any StoredValuesSource)?.aggregated(aggregate)
  }
}

extension RealmCollectionChange {
  /// The same change of a collection made from this one.
  func map<Other>(_ make: (CollectionType) -> Other) -> RealmCollectionChange<Other> {
    switch self {
    case .initial(let collection): .initial(make(collection))
    case .update(let collection, let deletions, let insertions, let modifications):
      .update(make(collection), deletions: deletions, insertions: insertions, modifications: modifications)
    case .error(let error): .error(error)
    }
  }
}
