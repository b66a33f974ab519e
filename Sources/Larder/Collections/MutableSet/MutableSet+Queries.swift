import Dispatch
import Foundation
import LarderQuery
import LarderStorage

extension MutableSet: LocatedCollection {
  static var noun: String { "set" }
  static var typeName: String { "MutableSet" }
  var held: [Element] { unmanaged.elements }
  func hasSameContents(as other: MutableSet<Element>) -> Bool { unmanaged.hasSameMembers(as: other.unmanaged) }
}

extension MutableSet {
  /// Misuse: sets have no index (E-86).
  public func index(of object: Element) -> Int? { misuse("Sets have no index; use contains(_:).") }
  public func index(matching predicate: NSPredicate) -> Int? { misuse("Sets have no index; use filter(_:).") }

  public func objects(at indexes: IndexSet) -> [Element] { indexes.map { self[$0] } }

  /// The objects that satisfy a predicate, in the order of their rows: lazy and live.
  public func filter(_ predicate: NSPredicate) -> Results<Element> { Results(makeState("filtered")).filter(predicate) }

  /// The elements sorted: lazy and live. Values are sorted by `"self"`.
  public func sorted<S>(by sortDescriptors: S) -> Results<Element> where S: Sequence, S.Element == SortDescriptor {
    Results(makeState("sorted")).sorted(by: sortDescriptors)
  }

  /// The first element of each group: lazy and live. Values are grouped by `"self"`.
  public func distinct<S>(by keyPaths: S) -> Results<Element> where S: Sequence, S.Element == String {
    Results(makeState("made distinct")).distinct(by: keyPaths)
  }

  public func min<T>(ofProperty property: String) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType {
    minimum(property)
  }
  public func max<T>(ofProperty property: String) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType {
    maximum(property)
  }
  public func sum<T>(ofProperty property: String) -> T where T: _HasPersistedType, T.PersistedType: AddableType {
    total(property)
  }
  public func average<T>(ofProperty property: String) -> T?
  where T: _HasPersistedType, T.PersistedType: AddableType {
    mean(property)
  }

  /// The values of a property as a `Set<AnyHashable>`; with a collection operator such as `@count`, one value.
  public func value(forKey key: String) -> Any? { CollectionKeyValues.value(ofSet: self, forKey: key) }
  /// The values at a key path as a `Set<AnyHashable>`; with a collection operator such as `@sum.age`, one value.
  public func value(forKeyPath keyPath: String) -> Any? {
    CollectionKeyValues.value(ofSet: self, forKeyPath: keyPath)
  }
  /// The same, boxed. For code of the old style.
  public func value(forKey key: String) -> [AnyObject] { CollectionKeyValues.objects(value(forKey: key)) }

  /// Sets a property of every element.
  public func setValue(_ value: Any?, forKey key: String) {
    CollectionKeyValues.setValue(value, forKey: key, of: self)
  }

  public var isFrozen: Bool { location?.host.isFrozen ?? false }

  /// The set at the committed version, unchanging and for any thread.
  public func freeze() -> MutableSet<Element> { frozenCopy() }

  /// The live set on this thread; nil when its owner is deleted.
  public func thaw() -> MutableSet<Element>? { thawedCopy() }
}
