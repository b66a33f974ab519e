import Dispatch
import Foundation
import LarderQuery
import LarderStorage

extension List {
  public func index(of object: Element) -> Int? {
    guard let location else { return unmanaged.firstIndex(of: object) }
    if let object = object as? ObjectBase {
      guard object.isManaged, object.core?.store === location.core.store else { return nil }
      return location.values().firstIndex(of: .link(object._objectKey))
    }
    return location.values().firstIndex(of: object._rlmStored(in: nil))
  }

  public func index(matching predicate: NSPredicate) -> Int? {
    guard let key = filter(predicate).state.firstKey(), let location else { return nil }
    return location.values().firstIndex(of: .link(key))
  }

  public func objects(at indexes: IndexSet) -> [Element] { indexes.map { self[$0] } }

  public func filter(_ predicate: NSPredicate) -> Results<Element> {
    orMisuse { Results(try makeState("filtered").filtered(PredicateBox.node(of: predicate), text: "")) }
  }

  public func sorted<S>(by sortDescriptors: S) -> Results<Element> where S: Sequence, S.Element == SortDescriptor {
    Results(makeState("sorted").sorted(Array(sortDescriptors)))
  }

  public func distinct<S>(by keyPaths: S) -> Results<Element> where S: Sequence, S.Element == String {
    Results(makeState("made distinct").distinct(Array(keyPaths)))
  }

  public func min<T>(ofProperty property: String) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType {
    guard location == nil else { return Results<Element>(makeState("aggregated")).min(ofProperty: property) }
    return unmanagedValues(property).min(by: ValueFold.precedes).flatMap { T._rlmFromAggregate($0) }
  }

  public func max<T>(ofProperty property: String) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType {
    guard location == nil else { return Results<Element>(makeState("aggregated")).max(ofProperty: property) }
    return unmanagedValues(property).max(by: ValueFold.precedes).flatMap { T._rlmFromAggregate($0) }
  }

  public func sum<T>(ofProperty property: String) -> T where T: _HasPersistedType, T.PersistedType: AddableType {
    guard location == nil else { return Results<Element>(makeState("aggregated")).sum(ofProperty: property) }
    let total = unmanagedValues(property).reduce(DecimalNumber.zero) { $0 + DecimalNumber(number: $1) }
    guard
      let sum = T._rlmFromObjc(Decimal128(total), insideOptional: false)
        ?? T._rlmFromObjc(Decimal128(total).doubleValue, insideOptional: false)
    else { misuse("The sum of \(property) is no \(T.self).") }
    return sum
  }

  public func average<T>(ofProperty property: String) -> T?
  where T: _HasPersistedType, T.PersistedType: AddableType {
    guard location == nil else { return Results<Element>(makeState("aggregated")).average(ofProperty: property) }
    let values = unmanagedValues(property)
    if values.isEmpty { return nil }
    let total = values.reduce(DecimalNumber.zero) { $0 + DecimalNumber(number: $1) }
    let average = Decimal128(total / DecimalNumber(Int64(values.count)))
    return T._rlmFromObjc(average.doubleValue, insideOptional: false) ?? T._rlmFromObjc(average, insideOptional: false)
  }

  private func unmanagedValues(_ property: String) -> [StoredValue] {
    unmanaged.compactMap { element in
      guard let object = element as? ObjectBase, let found = object.model.property(named: property) else {
        misuse("The elements have no property '\(property)'.")
      }
      let stored = ValueConverter.stored(object.boxedValue(found), as: found.type) ?? .null
      return stored.isNull ? nil : stored
    }
  }

  public func value(forKey key: String) -> Any? { CollectionKeyValues.value(of: self, forKey: key) }
  public func value(forKeyPath keyPath: String) -> Any? { CollectionKeyValues.value(of: self, forKeyPath: keyPath) }
  public func value(forKey key: String) -> [AnyObject] {
    (value(forKey: key) as Any? as? [Any])?.map { $0 as AnyObject } ?? []
  }
  public func value(forKeyPath keyPath: String) -> [AnyObject] {
    (value(forKeyPath: keyPath) as Any? as? [Any])?.map { $0 as AnyObject } ?? []
  }

  public func setValue(_ value: Any?, forKey key: String) {
    for element in self { (element as? ObjectBase)?.setValue(value, forKey: key) }
  }

  public func observe(
    keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (RealmCollectionChange<List<Element>>) -> Void
  ) -> NotificationToken {
    CollectionObservation.observe(self, keyPaths, queue, block)
  }

  public var isFrozen: Bool { location?.core.isFrozen ?? false }

  public func freeze() -> List<Element> {
    guard let location else { misuse("Only managed lists can be frozen; add the owner to a Realm first.") }
    if isFrozen { return self }
    guard let moved = location.moved(to: location.core.frozen()) else {
      misuse("A list of an object created in the open write transaction cannot be frozen; commit first.")
    }
    return List(moved)
  }

  public func thaw() -> List<Element>? {
    guard let location else { misuse("Only managed lists can be thawed.") }
    return isFrozen ? location.moved(to: location.core.thawed()).map { List($0) } : self
  }
}

extension List: ResultsSource {
  func makeState(_ what: String) -> ResultsState {
    guard let location else { misuse("An unmanaged list cannot be \(what); add its owner to a Realm first.") }
    guard let target = location.cursor.target(location.index) else {
      return ResultsState(location.core, .values(location, isAscending: nil, isDistinct: false))
    }
    let owner = ObjectLink(classID: location.cursor.classID, key: location.key)
    let query = ResultsQuery(.list(owner: owner, column: location.column, elements: target.classID))
    return ResultsState(location.core, .objects(query, target))
  }
}
