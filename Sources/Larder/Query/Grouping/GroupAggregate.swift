import LarderQuery

/// A value that is worked out over the objects of a group: `.count`, `.sum("population")`, `.median(\City.area)`, `.average("distance / airTime")`.
///
/// Of a property, or of what is computed in text or in a closure as that of `where`, whose argument names the class:
/// `.average { (flight: Query<Flight>) in flight.distance / flight.airTime }`. Values are numbers, for `min`, `max` and percentiles dates as well, for `distinct` anything that has an order; they may be over
/// to-one links. Nil and NaN are skipped.
public struct GroupAggregate: Hashable, Sendable, CustomStringConvertible {
  let operation: GroupOperation
  let value: GroupValue
  /// True if it is over the right objects of pairs.
  var isOfRight = false

  init(operation: GroupOperation, value: GroupValue) { (self.operation, self.value) = (operation, value) }

  init(operation: GroupOperation, property: String) {
    self.init(operation: operation, value: GroupValue(property))
  }

  /// Number of objects.
  public static var count: GroupAggregate { GroupAggregate(operation: .count, property: "") }
  /// Zero where there is no value.
  public static func sum(_ property: String) -> GroupAggregate { GroupAggregate(operation: .sum, property: property) }
  /// The smallest value; none where there is no value.
  public static func min(_ property: String) -> GroupAggregate { GroupAggregate(operation: .min, property: property) }
  /// The largest value; none where there is no value.
  public static func max(_ property: String) -> GroupAggregate { GroupAggregate(operation: .max, property: property) }
  /// A Double, of Decimal128 and values of any type a Decimal128; none where there is no value.
  public static func average(_ property: String) -> GroupAggregate {
    GroupAggregate(operation: .average, property: property)
  }
  /// The number of different values; nil is none.
  public static func distinct(_ property: String) -> GroupAggregate {
    GroupAggregate(operation: .distinct, property: property)
  }
  /// The value in the middle, or half way between the two there; see `percentile`.
  public static func median(_ property: String) -> GroupAggregate {
    GroupAggregate(operation: .median, property: property)
  }
  /// The value that so many of a hundred values are not above, a Double: between two values by its distance from them. Of Decimal128
  /// a Decimal128, of dates the earlier date. All values of the property are kept until it is found, 8 bytes each.
  ///
  /// A rank that is not from 0 to 100 is refused where the aggregate is used.
  public static func percentile(_ property: String, _ rank: Double) -> GroupAggregate {
    GroupAggregate(operation: .percentile(rank), property: property)
  }

  /// Zero where there is no value.
  public static func sum<Root: ObjectBase>(_ keyPath: PartialKeyPath<Root>) -> GroupAggregate {
    sum(_name(for: keyPath))
  }
  /// The smallest value; none where there is no value.
  public static func min<Root: ObjectBase>(_ keyPath: PartialKeyPath<Root>) -> GroupAggregate {
    min(_name(for: keyPath))
  }
  /// The largest value; none where there is no value.
  public static func max<Root: ObjectBase>(_ keyPath: PartialKeyPath<Root>) -> GroupAggregate {
    max(_name(for: keyPath))
  }
  /// A Double, of Decimal128 and values of any type a Decimal128; none where there is no value.
  public static func average<Root: ObjectBase>(_ keyPath: PartialKeyPath<Root>) -> GroupAggregate {
    average(_name(for: keyPath))
  }
  /// The number of different values; nil is none.
  public static func distinct<Root: ObjectBase>(_ keyPath: PartialKeyPath<Root>) -> GroupAggregate {
    distinct(_name(for: keyPath))
  }
  /// The value in the middle, or half way between the two there.
  public static func median<Root: ObjectBase>(_ keyPath: PartialKeyPath<Root>) -> GroupAggregate {
    median(_name(for: keyPath))
  }
  /// The value that so many of a hundred values are not above.
  public static func percentile<Root: ObjectBase>(_ keyPath: PartialKeyPath<Root>, _ rank: Double) -> GroupAggregate {
    percentile(_name(for: keyPath), rank)
  }

  /// The same over the right objects of pairs (`joined(with:on:)`): `.average(\Weather.temperature).ofRight`.
  public var ofRight: GroupAggregate {
    var aggregate = self
    aggregate.isOfRight = true
    return aggregate
  }

  /// The name of the aggregate in conditions on groups: `average(delay)`.
  public var description: String { GroupTerm.aggregate(operation, value.text).title + (isOfRight ? ".ofRight" : "") }
}

// Of what is computed, as `where` has it. The closure runs once; what cannot be computed is reported by `rows()`.
extension GroupAggregate {
  /// The sum of what is computed; zero where there is no value.
  public static func sum<Root: ObjectBase, Value>(_ value: (Query<Root>) -> Query<Value>) -> GroupAggregate {
    GroupAggregate(operation: .sum, value: GroupValue(value))
  }
  /// The smallest of what is computed; none where there is no value.
  public static func min<Root: ObjectBase, Value>(_ value: (Query<Root>) -> Query<Value>) -> GroupAggregate {
    GroupAggregate(operation: .min, value: GroupValue(value))
  }
  /// The largest of what is computed; none where there is no value.
  public static func max<Root: ObjectBase, Value>(_ value: (Query<Root>) -> Query<Value>) -> GroupAggregate {
    GroupAggregate(operation: .max, value: GroupValue(value))
  }
  /// The average of what is computed; none where there is no value.
  ///
  /// ```swift
  /// let speed = GroupAggregate.average { (flight: Query<Flight>) in flight.distance * 60 / flight.airTime }
  /// let fastest = try realm.objects(Flight.self)
  ///   .group { $0.hour.weekday }
  ///   .aggregate(speed)
  ///   .sorted(by: speed, ascending: false)
  ///   .rows()
  /// ```
  ///
  /// What cannot be computed is reported by `rows()`. From any thread. Costs about a microsecond for the description.
  public static func average<Root: ObjectBase, Value>(_ value: (Query<Root>) -> Query<Value>) -> GroupAggregate {
    GroupAggregate(operation: .average, value: GroupValue(value))
  }
  /// The number of different values of what is computed; nil is none.
  public static func distinct<Root: ObjectBase, Value>(_ value: (Query<Root>) -> Query<Value>) -> GroupAggregate {
    GroupAggregate(operation: .distinct, value: GroupValue(value))
  }
  /// The value in the middle of what is computed, or half way between the two there.
  public static func median<Root: ObjectBase, Value>(_ value: (Query<Root>) -> Query<Value>) -> GroupAggregate {
    GroupAggregate(operation: .median, value: GroupValue(value))
  }
  /// The value that so many of a hundred computed values are not above.
  public static func percentile<Root: ObjectBase, Value>(
    _ rank: Double, _ value: (Query<Root>) -> Query<Value>
  ) -> GroupAggregate {
    GroupAggregate(operation: .percentile(rank), value: GroupValue(value))
  }
}
