/// Objects that have equal values, and what was worked out over them: a value that stays as it is.
public struct ResultsGroup: Hashable, CustomStringConvertible {
  /// The values that the objects have in common, one for each key path that was grouped by.
  public let keys: [AnyRealmValue]
  /// Number of objects.
  public let count: Int
  let aggregates: [GroupAggregate: AnyRealmValue]

  /// The value of the first key path; misuse where nothing was grouped by.
  public var key: AnyRealmValue {
    guard let key = keys.first else { misuse("Nothing was grouped by, so the group has no key.") }
    return key
  }

  /// The value of an aggregate: `group[.sum("population")].intValue`. An aggregate that was not asked for is misuse, except `.count`.
  public subscript(aggregate: GroupAggregate) -> AnyRealmValue {
    if let value = aggregates[aggregate] { return value }
    if aggregate == .count { return .int(count) }
    misuse("These groups have no \(aggregate): name it in grouped(by:_:) or aggregate(_:).")
  }

  public var description: String {
    let values = aggregates.map { "\($0.key) = \($0.value)" }.sorted()
    return "ResultsGroup(\(keys.map { "\($0)" }.joined(separator: ", ")): "
      + (["count = \(count)"] + values)
      .joined(separator: ", ") + ")"
  }
}
