import LarderQuery

extension Query {
  /// A map: comparisons ask for any value.
  public subscript<V>(dynamicMember member: KeyPath<T, V>) -> Query<V> where T: ObjectBase, V: RealmKeyedCollection {
    self.member(member)
  }
}

extension Query where T: RealmKeyedCollection {
  /// Some value is one of these.
  public func containsAny<U>(in collection: U) -> Query<Bool> where U: Sequence, U.Element == T.Value {
    compared(with: collection)
  }

  /// Some value is this one.
  public func contains(_ value: T.Value) -> Query<Bool> { compared(.equal, value) }

  /// Any of the values.
  public var values: Query<T.Value> { Query<T.Value>(path.appending(KeyPathNode.MapPart.values)) }

  /// The value of a key; nil where there is none. No property can follow.
  public subscript(member: T.Key) -> Query<T.Value> { Query<T.Value>(path.appending(.key("\(member)"))) }

  /// Number of values.
  public var count: Query<Int> { aggregated(.count) }
}

extension Query where T: RealmKeyedCollection, T.Key == String {
  /// Any of the keys.
  public var keys: Query<String> { Query<String>(path.appending(KeyPathNode.MapPart.keys)) }
}

extension Query where T: RealmKeyedCollection, T.Value: Comparable {
  /// All values are in the range, and there are some.
  public func contains(_ range: Range<T.Value>) -> Query<Bool> {
    elementsBetween(range.lowerBound, range.upperBound, includesUpper: false)
  }
  /// All values are in the range, and there are some.
  public func contains(_ range: ClosedRange<T.Value>) -> Query<Bool> {
    elementsBetween(range.lowerBound, range.upperBound, includesUpper: true)
  }
}

extension Query where T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: Comparable {
  /// All values that are not nil are in the range, and there are some.
  public func contains(_ range: Range<T.Value.Wrapped>) -> Query<Bool> {
    elementsBetween(range.lowerBound, range.upperBound, includesUpper: false)
  }
  /// All values that are not nil are in the range, and there are some.
  public func contains(_ range: ClosedRange<T.Value.Wrapped>) -> Query<Bool> {
    elementsBetween(range.lowerBound, range.upperBound, includesUpper: true)
  }
}

extension Query where T: RealmKeyedCollection, T.Value.PersistedType: _QueryNumeric {
  /// Smallest value; nil where there is none.
  public var min: Query<T.Value> { aggregated(.min) }
  /// Largest value; nil where there is none.
  public var max: Query<T.Value> { aggregated(.max) }
  /// Average of the values; nil where there is none.
  public var avg: Query<T.Value> { aggregated(.average) }
  /// Sum of the values; zero where there is none.
  public var sum: Query<T.Value> { aggregated(.sum) }
}

extension Query where T: RealmKeyedCollection, T.Value: PersistableEnum, T.Value.RawValue: RealmCollectionValue {
  /// The values as what they are stored as.
  public var rawValue: Query<Map<T.Key, T.Value.RawValue>> { Query<Map<T.Key, T.Value.RawValue>>(path) }
}

extension Query
where
  T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: PersistableEnum,
  T.Value.Wrapped.RawValue: _RealmCollectionValueInsideOptional
{
  /// The values as what they are stored as.
  public var rawValue: Query<Map<T.Key, T.Value.Wrapped.RawValue?>> {
    Query<Map<T.Key, T.Value.Wrapped.RawValue?>>(path)
  }
}

extension Query where T: RealmKeyedCollection {
  /// The values as what they are stored as.
  public var persistableValue: Query<Map<T.Key, T.Value.PersistedType>> {
    Query<Map<T.Key, T.Value.PersistedType>>(path)
  }
}
