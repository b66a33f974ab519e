import LarderQuery

/// What is worked out over the objects of a group: `.count`, `.sum("population")`, `.average(\City.area)`.
///
/// The properties are direct ones of numbers, for `min` and `max` of dates as well; nil is skipped.
public struct GroupAggregate: Hashable, Sendable, CustomStringConvertible {
  let operation: AggregateOperator
  let property: String

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

  public var description: String { operation == .count ? "count" : "\(operation.rawValue.dropFirst())(\(property))" }
}
