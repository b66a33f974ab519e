import Dispatch
import Foundation
import LarderQuery
import LarderStorage

extension List: LocatedCollection {
  static var noun: String { "list" }
  static var typeName: String { "List" }
  var held: [Element] { unmanaged }
  func hasSameContents(as other: List<Element>) -> Bool {
    ContentKeys().areEqual(unmanaged, other.unmanaged)
  }
}

extension List {
  /// Position of the first equal element: objects by row, unmanaged objects by instance. Nil for an object of elsewhere.
  public func index(of object: Element) -> Int? { orMisuse { try position(of: object) } }

  func position(of element: Element) throws -> Int? {
    guard let location else {
      let keys = ContentKeys<Element>()
      let wanted = keys.key(element)
      return unmanaged.firstIndex { keys.key($0) == wanted }
    }
    try location.verify()
    guard let wanted = try location.search(element) else { return nil }
    return try location.values().firstIndex { StoredOrder.compare($0, wanted) == 0 }
  }

  public func objects(at indexes: IndexSet) -> [Element] { indexes.map { self[$0] } }

  /// The objects that satisfy a predicate, in the order of the list, as often as they occur: lazy and live.
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

  public func value(forKey key: String) -> Any? { CollectionKeyValues.value(of: self, forKey: key) }
  public func value(forKeyPath keyPath: String) -> Any? { CollectionKeyValues.value(of: self, forKeyPath: keyPath) }
  /// The same, boxed. For code of the old style.
  public func value(forKey key: String) -> [AnyObject] { CollectionKeyValues.objects(value(forKey: key)) }
  /// The same, boxed. For code of the old style.
  public func value(forKeyPath keyPath: String) -> [AnyObject] {
    CollectionKeyValues.objects(value(forKeyPath: keyPath))
  }

  /// Sets a property of every element.
  public func setValue(_ value: Any?, forKey key: String) {
    CollectionKeyValues.setValue(value, forKey: key, of: self)
  }

  public var isFrozen: Bool { location?.host.isFrozen ?? false }

  /// The list at the committed version, unchanging and for any thread.
  public func freeze() -> List<Element> { frozenCopy() }

  /// The live list on this thread; nil when its owner is deleted.
  public func thaw() -> List<Element>? { thawedCopy() }
}
