/// A test that the database may make on queryable properties before it hands over objects.
///
/// It narrows what is read and never decides: an object of which the database cannot say that the filter is false passes, and the
/// evaluator of queries has the last word. A property that an object does not have, null, and a value of another type make a
/// comparison unknown, as in SQL.
public indirect enum QueryFilter: Hashable, Sendable {
  /// Lets every object pass.
  case unknown
  case isNull(String)
  case equal(String, QueryValue)
  case less(String, QueryValue)
  case lessOrEqual(String, QueryValue)
  case oneOf(String, [QueryValue])
  /// Text that begins with other text.
  case prefix(String, String)
  case and([QueryFilter])
  case or([QueryFilter])
  case not(QueryFilter)

  /// The number of filters and values within the filter, itself included.
  var size: Int {
    switch self {
    case .and(let parts), .or(let parts): parts.reduce(1) { $0 + $1.size }
    case .not(let part): 1 + part.size
    case .oneOf(_, let values): 1 + values.count
    default: 1
    }
  }
}
