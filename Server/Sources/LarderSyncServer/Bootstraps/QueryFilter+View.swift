import LarderSyncProtocol
import LarderSyncQuery

extension QueryFilter {
  /// The filter by which the database may narrow a class to find the objects of one of several views of it.
  init(_ views: [ClassView]) {
    self = .or(
      views.map { view in
        .and([QueryFilter(view.rule), .or(view.queries.map { QueryFilter($0.query.filter) })])
      })
  }

  private init(_ rule: ReadRule) {
    self =
      switch rule {
      case .everything: .and([])
      case .nothing: .or([])
      case .matching(let rule): QueryFilter(rule.query.filter)
      }
  }

  /// A filter of the query engine's as one of the store's. What the store cannot compare is unknown.
  init(_ filter: SubscriptionFilter) {
    switch filter {
    case .unknown: self = .unknown
    case .isNull(let name): self = .isNull(name.string)
    case .equal(let name, let value): self = QueryFilter.comparison(value) { .equal(name.string, $0) }
    case .less(let name, let value): self = QueryFilter.comparison(value) { .less(name.string, $0) }
    case .lessOrEqual(let name, let value): self = QueryFilter.comparison(value) { .lessOrEqual(name.string, $0) }
    case .oneOf(let name, let values):
      let known = values.compactMap { QueryValue($0) }
      self = known.count == values.count ? .oneOf(name.string, known) : .unknown
    case .prefix(let name, let text): self = .prefix(name.string, text.string)
    case .and(let parts): self = .and(parts.map { QueryFilter($0) })
    case .or(let parts): self = .or(parts.map { QueryFilter($0) })
    case .not(let part): self = .not(QueryFilter(part))
    }
  }

  private static func comparison(_ value: SyncValue, _ make: (QueryValue) -> QueryFilter) -> QueryFilter {
    QueryValue(value).map(make) ?? .unknown
  }
}
