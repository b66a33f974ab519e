import LarderQuery
import LarderStorage

/// A list, a set or a map: in memory, or in a property of a row. What all three have in common is here.
protocol LocatedContents: ManagedCollection, StoredValuesSource {
  /// The elements of a list or set, the values of a map.
  associatedtype Content: RealmCollectionValue
  /// The place of a managed collection.
  var location: CollectionLocation? { get }
  /// The contents of an unmanaged collection.
  var held: [Content] { get }
  /// The name of the kind of collection in messages.
  static var noun: String { get }
  init(_ location: CollectionLocation)
  func hasSameContents(as other: Self) -> Bool
  func removeAllElements() throws
  func setContents(from other: Self, policy: Realm.UpdatePolicy) throws
  /// Replaces the contents by what they are made from, as the maker's policy says; false when something does not fit.
  func setContents(supplied value: Any, _ maker: (any ObjectMaker)?) throws -> Bool
}

extension LocatedContents {
  func makeState(_ what: String) -> ResultsState {
    guard let location else { misuse("An unmanaged \(Self.noun) cannot be \(what); add its owner to a Realm first.") }
    return ResultsState(elementsAt: location)
  }

  /// The contents as the store holds them.
  func storedValues() -> [StoredValue]? {
    location.map { location in
      orMisuse {
        try location.verify()
        return try location.values()
      }
    }
  }

  func aggregated(_ aggregate: AggregateOperator) -> StoredValue? {
    location.flatMap { location in
      orMisuse {
        try location.verify()
        return try location.aggregate(aggregate)
      }
    }
  }

  func assign(_ value: Any, _ maker: (any ObjectMaker)?) throws -> Bool {
    if let other = ValueConverter.collection(value) as? Self {
      if !isSameCollection(as: other) { try setContents(from: other, policy: maker?.policy ?? .all) }
      return true
    }
    if ValueConverter.isNil(value) {
      try removeAllElements()
      return true
    }
    return try setContents(supplied: value, maker)
  }

  /// Throws unless each element can be read: all stored values are some of its type (O-23).
  func verifyElements() throws {
    guard let location, !Content._rlmHoldsObject else { return }
    try location.verify()
    for value in try location.values() where !value.isCollection {
      let _: Content = try location.element(value)
    }
  }

  // MARK: - Aggregates

  /// The contents of a managed collection as results, for the queries on them.
  private var results: Results<Content>? { location.map { _ in Results(makeState("aggregated")) } }

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
    if location.host.isFrozen { return self }
    orMisuse { try location.verify() }
    guard let moved = location.moved(to: location.host.frozen()) else {
      misuse("A \(Self.noun) of an object created in the open write transaction cannot be frozen; commit first.")
    }
    return Self(moved)
  }

  func thawedCopy() -> Self? {
    guard let location else { misuse("Only managed \(Self.noun)s can be thawed.") }
    if location.host.isFrozen { return location.moved(to: location.host.thawed()).map { Self($0) } }
    return location.isAlive ? self : nil
  }

  // MARK: - Identity

  /// Managed: the same property of the same object. Unmanaged: the same instance or equal contents.
  func isSame(as other: Self) -> Bool {
    if isSameCollection(as: other) { return true }
    return location == nil && other.location == nil && hasSameContents(as: other)
  }

  /// Returns true if both are accessors of one stored collection, or one instance.
  func isSameCollection(as other: Self) -> Bool {
    if self === other { return true }
    guard let location, let theirs = other.location else { return false }
    return location == theirs
  }
}

extension ResultsState {
  /// The elements of a list or set, or the values of a map.
  convenience init(elementsAt location: CollectionLocation) {
    guard let target = location.target else {
      self.init(location.host, .values(location, isAscending: nil, isDistinct: false))
      return
    }
    let owner = ObjectLink(classID: location.cursor.classID, key: location.key)
    let query = ResultsQuery(.list(owner: owner, column: location.column, elements: target.classID))
    self.init(location.host, .objects(query, target))
  }
}

/// Throws for a collection of the library that cannot be read any more (E-82); anything else is fine.
func verifyContents(_ value: Any) throws {
  try (ValueConverter.collection(value) as? any LocatedContents)?.location?.verify()
}

/// The elements of a sequence; throws when it is a collection that cannot be read any more.
func verifiedElements<S: Sequence>(_ sequence: S) throws -> [S.Element] {
  try verifyContents(sequence)
  return Array(sequence)
}
