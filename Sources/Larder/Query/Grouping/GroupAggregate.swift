import LarderQuery

/// What is worked out over the objects of a group: `.count`, `.sum("population")`, `.median(\City.area)`.
///
/// The properties hold numbers, for `min`, `max` and percentiles dates as well, for `distinct` anything that has an order; they may be over
/// to-one links. Nil and NaN are skipped.
public struct GroupAggregate: Hashable, Sendable, CustomStringConvertible {
  let operation: GroupOperation
  let property: String
  /// Whether it is over the right objects of pairs.
  var isOfRight = false

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
  /// How many different values there are; nil is none.
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
  /// How many different values there are; nil is none.
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

  /// As conditions on groups name it: `average(delay)`.
  public var description: String { GroupTerm.aggregate(operation, property).title + (isOfRight ? ".ofRight" : "") }
}
