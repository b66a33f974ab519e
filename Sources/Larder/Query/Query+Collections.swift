extension Query where T: RealmCollection {
  /// A property of the elements: comparisons ask for any of them.
  public subscript<V>(dynamicMember member: KeyPath<T.Element, V>) -> Query<V> where T.Element: ObjectBase {
    self.member(member)
  }

  /// Number of elements.
  public var count: Query<Int> { aggregated(.count) }

  /// Some element is the value.
  public func contains(_ value: T.Element) -> Query<Bool> { compared(.equal, value) }

  /// Some element is one of the values.
  public func containsAny<U>(in collection: U) -> Query<Bool> where U: Sequence, U.Element == T.Element {
    compared(with: collection)
  }

  /// Some element is the value.
  public static func == (_ lhs: Query<T>, _ rhs: T.Element) -> Query<Bool> { lhs.compared(.equal, rhs) }
  /// Some element is another one than the value; `!$0.list.contains(value)` asks for its absence.
  public static func != (_ lhs: Query<T>, _ rhs: T.Element) -> Query<Bool> { lhs.compared(.notEqual, rhs) }
}

extension Query where T: RealmCollection, T.Element: Comparable {
  /// All elements are in the range, and there are some.
  public func contains(_ range: Range<T.Element>) -> Query<Bool> {
    elementsBetween(range.lowerBound, range.upperBound, includesUpper: false)
  }
  /// All elements are in the range, and there are some.
  public func contains(_ range: ClosedRange<T.Element>) -> Query<Bool> {
    elementsBetween(range.lowerBound, range.upperBound, includesUpper: true)
  }
}

extension Query where T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: Comparable {
  /// All elements that are not nil are in the range, and there are some.
  public func contains(_ range: Range<T.Element.Wrapped>) -> Query<Bool> {
    elementsBetween(range.lowerBound, range.upperBound, includesUpper: false)
  }
  /// All elements that are not nil are in the range, and there are some.
  public func contains(_ range: ClosedRange<T.Element.Wrapped>) -> Query<Bool> {
    elementsBetween(range.lowerBound, range.upperBound, includesUpper: true)
  }
}

extension Query where T: RealmCollection, T.Element.PersistedType: _QueryNumeric {
  /// Some element is larger.
  public static func > (_ lhs: Query<T>, _ rhs: T.Element) -> Query<Bool> { lhs.compared(.greater, rhs) }
  /// Some element is as large or larger.
  public static func >= (_ lhs: Query<T>, _ rhs: T.Element) -> Query<Bool> { lhs.compared(.greaterOrEqual, rhs) }
  /// Some element is smaller.
  public static func < (_ lhs: Query<T>, _ rhs: T.Element) -> Query<Bool> { lhs.compared(.less, rhs) }
  /// Some element is as small or smaller.
  public static func <= (_ lhs: Query<T>, _ rhs: T.Element) -> Query<Bool> { lhs.compared(.lessOrEqual, rhs) }

  /// Smallest element; nil where there is none.
  public var min: Query<T.Element> { aggregated(.min) }
  /// Largest element; nil where there is none.
  public var max: Query<T.Element> { aggregated(.max) }
  /// Average of the elements; nil where there is none.
  public var avg: Query<T.Element> { aggregated(.average) }
  /// Sum of the elements; zero where there is none.
  public var sum: Query<T.Element> { aggregated(.sum) }
}

extension Query where T: RealmCollection, T.Element: PersistableEnum, T.Element.RawValue: RealmCollectionValue {
  /// The elements as what they are stored as.
  public var rawValue: Query<AnyRealmCollection<T.Element.RawValue>> {
    Query<AnyRealmCollection<T.Element.RawValue>>(path)
  }
}

extension Query
where
  T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: PersistableEnum,
  T.Element.Wrapped.RawValue: _RealmCollectionValueInsideOptional
{
  /// The elements as what they are stored as.
  public var rawValue: Query<AnyRealmCollection<T.Element.Wrapped.RawValue?>> {
    Query<AnyRealmCollection<T.Element.Wrapped.RawValue?>>(path)
  }
}

extension Query where T: RealmCollection {
  /// The elements as what they are stored as.
  public var persistableValue: Query<AnyRealmCollection<T.Element.PersistedType>> {
    Query<AnyRealmCollection<T.Element.PersistedType>>(path)
  }
}
