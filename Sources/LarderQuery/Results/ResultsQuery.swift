import LarderStorage

/// A source of objects, a filter, and an ordered list of steps: a description, evaluated again against every version.
///
/// Filters always come before every step.
package struct ResultsQuery: Hashable, Sendable {
  /// The source of the objects.
  package enum Source: Hashable, Sendable {
    /// All objects of a class, in key order.
    case objects(ClassID)
    /// The objects of a list, set or map, in its order, those of lists with duplicates; empty when its owner is deleted.
    case list(owner: ObjectLink, column: ColumnID, elements: ClassID)
    /// The objects that link to one through a column, in key order, once for each link (O-61); none when it is deleted.
    case backlinks(to: ObjectLink, from: ClassID, column: ColumnID)
    /// Given objects, in this order; those that are deleted are left out.
    case keys(ClassID, [ObjectKey])

    /// The object that a list or an inverse belongs to; nil for other sources.
    package var origin: ObjectLink? {
      switch self {
      case .list(let owner, _, _): owner
      case .backlinks(let target, _, _): target
      case .objects, .keys: nil
      }
    }
  }

  /// The way in which a query is answered.
  package enum Mode: Sendable {
    /// By what is reckoned to take least.
    case planned
    /// By indexes wherever one can be used, even if it takes longer: to try every one of them on little data.
    case indexed
    /// Object by object, condition by condition.
    case rowByRow
  }

  package var source: Source
  /// nil: everything.
  package var predicate: BoundPredicate?
  package var steps: [ResultsStep]

  package init(_ source: Source, predicate: BoundPredicate? = nil, steps: [ResultsStep] = []) {
    self.source = source
    self.predicate = predicate
    self.steps = steps
  }

  /// All objects of a class.
  package init(_ classID: ClassID) { self.init(.objects(classID)) }

  /// The class of the results.
  package var classID: ClassID {
    switch source {
    case .objects(let classID): classID
    case .list(_, _, let elements): elements
    case .keys(let classID, _), .backlinks(_, let classID, _): classID
    }
  }

  // MARK: - Composing

  /// ANDs a condition to the filter, which comes before every step; after a limit it is a step of its own.
  package func filtered(_ condition: BoundPredicate) -> ResultsQuery {
    var query = self
    guard !isLimited else {
      query.steps.append(.filter(condition))
      return query
    }
    query.predicate = predicate.map { $0.and(condition) } ?? condition
    return query
  }

  /// True if a step cuts the results.
  private var isLimited: Bool {
    steps.contains {
      switch $0 {
      case .limit, .offset: true
      case .sort, .relevance, .distinct, .after, .filter: false
      }
    }
  }

  /// Adds steps in this order; sorts are not merged.
  package func appending(_ steps: [ResultsStep]) -> ResultsQuery {
    var query = self
    query.steps += steps
    return query
  }

  /// Parses and binds an RQL query: its filter and its steps. Throws `PredicateError`.
  package func filtered(
    rql text: String, _ arguments: [PredicateArgument] = [], schema: StoreSchema, naming: PropertyNaming = .stored
  ) throws(PredicateError) -> ResultsQuery {
    let (node, clauses) = try PredicateParser.parseQuery(text, arguments)
    let binder = Binder(schema: schema, naming: naming, text: text, dialect: .query)
    return filtered(try binder.bind(node, to: classID)).appending(try binder.steps(clauses, in: classID))
  }

  /// Parses, binds and adds a filter. Throws `PredicateError`.
  package func filtered(
    _ text: String, _ arguments: [PredicateArgument] = [], schema: StoreSchema, naming: PropertyNaming = .stored
  ) throws(PredicateError) -> ResultsQuery {
    filtered(try Binder.bind(text, arguments, to: classID, in: schema, naming: naming))
  }

  /// Sorts the results; of two sorts in a row the later is the first criterion. No criteria: unchanged.
  package func sorted(_ keys: [SortKey]) -> ResultsQuery {
    guard !keys.isEmpty else { return self }
    var query = self
    if case .sort(let earlier)? = steps.last {
      query.steps[steps.count - 1] = .sort(keys + earlier)
    } else {
      query.steps.append(.sort(keys))
    }
    return query
  }

  /// Resolves key paths and sorts by them. Throws `PredicateError`.
  package func sorted(
    _ keyPaths: [(keyPath: String, ascending: Bool)], schema: StoreSchema, naming: PropertyNaming = .stored
  ) throws(PredicateError) -> ResultsQuery {
    var keys: [SortKey] = []
    for (keyPath, ascending) in keyPaths {
      keys.append(try Binder(schema: schema, naming: naming).sortKey(keyPath, ascending: ascending, in: classID))
    }
    return sorted(keys)
  }

  /// Keeps the first object of each tuple of values. Throws `PredicateError`.
  package func distinct(
    _ keyPaths: [String], schema: StoreSchema, naming: PropertyNaming = .stored
  ) throws(PredicateError) -> ResultsQuery {
    guard !keyPaths.isEmpty else { return self }
    var paths: [SortTarget] = []
    for keyPath in keyPaths {
      paths.append(try Binder(schema: schema, naming: naming).distinctPath(keyPath, in: classID))
    }
    var query = self
    query.steps.append(.distinct(paths))
    return query
  }

  /// Keeps the first objects of the order so far.
  package func limited(to count: Int) -> ResultsQuery {
    var query = self
    query.steps.append(.limit(max(0, count)))
    return query
  }

  /// Leaves out the first objects of the order so far.
  package func skipping(_ count: Int) -> ResultsQuery {
    var query = self
    query.steps.append(.offset(max(0, count)))
    return query
  }

  /// True if the results are all objects of a class in key order.
  package var isPlain: Bool {
    guard case .objects = source, predicate == nil, steps.isEmpty else { return false }
    return true
  }
}
