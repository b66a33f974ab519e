import LarderQuery
import LarderStorage
import LarderSyncProtocol

/// Conditions on single values that a database can test. In three-valued logic: an object of which a condition cannot be said to be
/// false passes.
public indirect enum SubscriptionFilter: Hashable, Sendable {
  /// Nothing is known.
  case unknown
  /// The property is null.
  case isNull(SyncText)
  /// The property has the value, which is not null.
  case equal(SyncText, SyncValue)
  /// The property is less than the value.
  case less(SyncText, SyncValue)
  /// The property is at most the value.
  case lessOrEqual(SyncText, SyncValue)
  /// The property has one of the values, of which none is null.
  case oneOf(SyncText, [SyncValue])
  /// The text of the property begins so.
  case prefix(SyncText, SyncText)
  /// All hold.
  case and([SubscriptionFilter])
  /// One holds.
  case or([SubscriptionFilter])
  /// It does not hold.
  case not(SubscriptionFilter)
}

/// Takes from a predicate what can be said of single values without knowing how the query engine compares across types.
struct FilterBuilder {
  let queried: QueriedClass

  func filter(_ predicate: BoundPredicate) -> SubscriptionFilter {
    switch predicate {
    case .constant(true): .and([])
    case .constant(false): .or([])
    case .and(let children): .and(children.map(filter))
    case .or(let children): .or(children.map(filter))
    // Null is an ordinary value here and unknown there, so only what is said of present values may be turned around.
    case .not: .unknown
    case .value(let column, let test): filter(queried.name(of: column), test)
    case .isObject, .through, .anyElement, .anyValue, .compare, .quantified, .isWithin: .unknown
    }
  }

  private func filter(_ name: SyncText, _ test: ValueTest) -> SubscriptionFilter {
    guard test.options.isEmpty, Self.isExact(test.type) else { return .unknown }
    let values = test.values.compactMap { SyncValue($0) }
    guard values.count == test.values.count, let first = values.first else {
      return test.operation == .in && test.values.isEmpty ? .or([]) : .unknown
    }
    let isPresent = !values.contains(.null)
    switch test.operation {
    case .equal: return isPresent ? .equal(name, first) : .isNull(name)
    case .in: return isPresent ? .oneOf(name, values) : .unknown
    case .less where isPresent && test.type != .string: return .less(name, first)
    case .lessOrEqual where isPresent && test.type != .string: return .lessOrEqual(name, first)
    case .greater where isPresent && test.type != .string: return .not(.lessOrEqual(name, first))
    case .greaterOrEqual where isPresent && test.type != .string: return .not(.less(name, first))
    case .between where isPresent && values.count == 2 && test.type != .string:
      return .and([.not(.less(name, first)), .lessOrEqual(name, values[1])])
    case .beginsWith:
      if case .string(let text) = first, !text.string.isEmpty { return .prefix(name, text) }
      return .unknown
    default: return .unknown
    }
  }

  /// Types whose values are equal, and ordered, as their bytes are.
  private static func isExact(_ type: ColumnType) -> Bool {
    switch type {
    case .bool, .int, .string, .date, .uuid, .objectId: true
    default: false
    }
  }
}
