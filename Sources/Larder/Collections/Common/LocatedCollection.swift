import Foundation
import LarderQuery
import LarderStorage

/// A list or a set: in memory, or in a property of a row. What both have in common is here.
protocol LocatedCollection: RealmCollection, ResultsSource, HasThrowingForms, AnyObject {
  /// Where a managed collection lives.
  var location: CollectionLocation? { get }
  /// The elements of an unmanaged collection.
  var held: [Element] { get }
  func hasSameContents(as other: Self) -> Bool
  /// What it is called in messages.
  static var noun: String { get }
  init(_ location: CollectionLocation)
}

extension LocatedCollection {
  func makeState(_ what: String) -> ResultsState {
    guard let location else { misuse("An unmanaged \(Self.noun) cannot be \(what); add its owner to a Realm first.") }
    return ResultsState(elementsAt: location)
  }

  /// The elements as the store holds them.
  func storedValues() -> [StoredValue]? {
    location.map { location in
      orMisuse {
        try location.verify()
        return try location.values()
      }
    }
  }

  /// The elements of a managed collection as results, for what can be asked of them.
  private var results: Results<Element>? { location.map { _ in Results(makeState("aggregated")) } }

  // MARK: - Aggregates

  func minimum<T>(_ property: String) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType {
    if let results { return results.min(ofProperty: property) }
    return T._rlmFromAggregate(ValueFold.minimum(heldValues(property)))
  }

  func maximum<T>(_ property: String) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType {
    if let results { return results.max(ofProperty: property) }
    return T._rlmFromAggregate(ValueFold.maximum(heldValues(property)))
  }

  func total<T>(_ property: String) -> T where T: _HasPersistedType, T.PersistedType: AddableType {
    if let results { return results.sum(ofProperty: property) }
    return T._rlmSum(ValueFold.sum(heldValues(property)))
  }

  func mean<T>(_ property: String) -> T? where T: _HasPersistedType, T.PersistedType: AddableType {
    if let results { return results.average(ofProperty: property) }
    return T._rlmFromAggregate(ValueFold.average(heldValues(property)))
  }

  private func heldValues(_ property: String) -> [StoredValue] { ValueFold.property(property, of: held) }

  // MARK: - Moving between versions

  func frozenCopy() -> Self {
    guard let location else { misuse("Only managed \(Self.noun)s can be frozen; add the owner to a Realm first.") }
    if location.core.isFrozen { return self }
    orMisuse { try location.verify() }
    guard let moved = location.moved(to: location.core.frozen()) else {
      misuse("A \(Self.noun) of an object created in the open write transaction cannot be frozen; commit first.")
    }
    return Self(moved)
  }

  func thawedCopy() -> Self? {
    guard let location else { misuse("Only managed \(Self.noun)s can be thawed.") }
    if location.core.isFrozen { return location.moved(to: location.core.thawed()).map { Self($0) } }
    return location.isAlive ? self : nil
  }

  // MARK: - Identity and text

  /// Managed: the same property of the same object. Unmanaged: the same instance or equal contents.
  func isSame(as other: Self) -> Bool {
    if self === other { return true }
    switch (location, other.location) {
    case (let mine?, let theirs?): return mine == theirs
    case (nil, nil): return hasSameContents(as: other)
    default: return false
    }
  }

  /// Whether both are accessors of one stored collection, or one instance.
  func isSameCollection(as other: Self) -> Bool {
    if self === other { return true }
    guard let location, let theirs = other.location else { return false }
    return location == theirs
  }

  func text(depth: Int) -> String {
    if isInvalidated { return "\(Self.self) <invalidated>" }
    let identity = String(UInt(bitPattern: ObjectIdentifier(self).hashValue), radix: 16)
    var elements = makeIterator()
    return ObjectDescription.list("\(Self.self)", "0x" + identity, count) { _ in
      elements.next().map { ObjectDescription.text(of: $0, depth: depth + 1) } ?? ""
    }
  }

  func boxedElements() -> [Any] { map { $0 as Any } }

  /// What an element is made from when contents are supplied; nil when it does not fit.
  func converted(_ value: Any, _ builder: ObjectBuilder?) -> Element? {
    if let builder, let target = location?.target { return builder.linked(value, target) as? Element }
    return value as? Element ?? Element._rlmFromObjc(value, insideOptional: false)
  }
}

extension ResultsState {
  /// The elements of a list or set, or the values of a map.
  convenience init(elementsAt location: CollectionLocation) {
    guard let target = location.target else {
      self.init(location.core, .values(location, isAscending: nil, isDistinct: false))
      return
    }
    let owner = ObjectLink(classID: location.cursor.classID, key: location.key)
    let query = ResultsQuery(.list(owner: owner, column: location.column, elements: target.classID))
    self.init(location.core, .objects(query, target))
  }
}
