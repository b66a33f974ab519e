extension Query where T: _HasPersistedType, T.PersistedType: _QueryNumeric {
  /// Larger than a value; nil is in no order.
  public static func > (_ lhs: Query<T>, _ rhs: T) -> Query<Bool> { lhs.compared(.greater, rhs) }
  /// Larger than another property.
  public static func > (_ lhs: Query<T>, _ rhs: Query<T>) -> Query<Bool> { lhs.compared(.greater, with: rhs) }
  /// At least a value.
  public static func >= (_ lhs: Query<T>, _ rhs: T) -> Query<Bool> { lhs.compared(.greaterOrEqual, rhs) }
  /// At least another property.
  public static func >= (_ lhs: Query<T>, _ rhs: Query<T>) -> Query<Bool> { lhs.compared(.greaterOrEqual, with: rhs) }
  /// Smaller than a value; nil is in no order.
  public static func < (_ lhs: Query<T>, _ rhs: T) -> Query<Bool> { lhs.compared(.less, rhs) }
  /// Smaller than another property.
  public static func < (_ lhs: Query<T>, _ rhs: Query<T>) -> Query<Bool> { lhs.compared(.less, with: rhs) }
  /// At most a value.
  public static func <= (_ lhs: Query<T>, _ rhs: T) -> Query<Bool> { lhs.compared(.lessOrEqual, rhs) }
  /// At most another property.
  public static func <= (_ lhs: Query<T>, _ rhs: Query<T>) -> Query<Bool> { lhs.compared(.lessOrEqual, with: rhs) }

  /// Smallest value of a property after a collection: `$0.dogs.age.min`.
  public var min: Query<T> { aggregated(.min) }
  /// Largest value.
  public var max: Query<T> { aggregated(.max) }
  /// Average; compare it with any number.
  public var avg: Query<T> { aggregated(.average) }
  /// Sum; zero where there is no value.
  public var sum: Query<T> { aggregated(.sum) }
}

extension Query where T: Comparable {
  /// From the lower bound to below the upper one.
  public func contains(_ range: Range<T>) -> Query<Bool> {
    between(range.lowerBound, range.upperBound, includesUpper: false)
  }
  /// From bound to bound, both included.
  public func contains(_ range: ClosedRange<T>) -> Query<Bool> {
    between(range.lowerBound, range.upperBound, includesUpper: true)
  }
}

extension Query where T: OptionalProtocol, T.Wrapped: Comparable {
  /// From the lower bound to below the upper one; nil is outside.
  public func contains(_ range: Range<T.Wrapped>) -> Query<Bool> {
    between(range.lowerBound, range.upperBound, includesUpper: false)
  }
  /// From bound to bound, both included; nil is outside.
  public func contains(_ range: ClosedRange<T.Wrapped>) -> Query<Bool> {
    between(range.lowerBound, range.upperBound, includesUpper: true)
  }
}

extension Query where T: PersistableEnum, T.RawValue: _RealmSchemaDiscoverable {
  /// The property as what it is stored as.
  public var rawValue: Query<T.RawValue> { Query<T.RawValue>(path) }
}

extension Query where T: OptionalProtocol, T.Wrapped: PersistableEnum, T.Wrapped.RawValue: _RealmSchemaDiscoverable {
  /// The property as what it is stored as.
  public var rawValue: Query<T.Wrapped.RawValue?> { Query<T.Wrapped.RawValue?>(path) }
}

extension Query where T: _HasPersistedType {
  /// The property as what it is stored as; go on with the properties of a stored embedded object.
  public var persistableValue: Query<T.PersistedType> { Query<T.PersistedType>(path) }
}
