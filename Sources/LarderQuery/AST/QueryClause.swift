/// A step after the predicate of a query in RQL, in textual order.
package enum QueryClause: Hashable, Sendable {
  case sort([(path: String, ascending: Bool)])
  case distinct([String])
  case limit(Int)

  package static func == (a: QueryClause, b: QueryClause) -> Bool {
    switch (a, b) {
    case (.sort(let a), .sort(let b)): a.elementsEqual(b) { $0 == $1 }
    case (.distinct(let a), .distinct(let b)): a == b
    case (.limit(let a), .limit(let b)): a == b
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .sort(let criteria): for criterion in criteria { hasher.combine(criterion.path) }
    case .distinct(let paths): hasher.combine(paths)
    case .limit(let count): hasher.combine(count)
    }
  }
}
