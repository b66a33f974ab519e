import LarderQuery
import LarderStorage

/// Groups of objects or of pairs that are yet to be found: a description, to which each call adds (Q-77).
///
/// `group(by:)` makes it, `rows()` finds the groups. It belongs to the thread of its Realm; the groups are values.
public struct ObjectGroups {
  enum Source {
    case objects(ResultsState)
    case pairs(JoinState)
  }

  private enum Order {
    case key(String)
    case aggregate(GroupAggregate)
  }

  private let source: Source
  private let paths: [GroupPath]
  private var aggregates: [GroupAggregate] = []
  private var conditions: [(text: String, arguments: [Any])] = []
  private var tests: [(ResultsGroup) -> Bool] = []
  private var order: [(column: Order, isAscending: Bool)] = []
  private var skipped = 0
  private var most: Int?

  init(_ source: Source, _ paths: [GroupPath]) { (self.source, self.paths) = (source, paths) }

  // MARK: - Describing

  /// Works out more over each group; the number of objects always is.
  public func aggregate(_ aggregates: GroupAggregate...) -> ObjectGroups { aggregating(aggregates) }

  func aggregating(_ more: [GroupAggregate]) -> ObjectGroups {
    changed { $0.aggregates += more }
  }

  /// Keeps the groups that satisfy a condition in the language of predicates, over the paths they are made by, `count` and anything that is
  /// worked out over groups, asked for or not: `having("count > 100 AND average(delay) > %@", 5)`, `having("hour(date) > 6")`.
  ///
  /// Of pairs, `right.` before a path means the right objects'. Several conditions all have to hold. Mistakes are thrown by `rows()`.
  public func having(_ condition: String, _ arguments: Any...) -> ObjectGroups {
    changed { $0.conditions.append((condition, arguments)) }
  }

  /// Keeps the groups for which a test holds.
  public func having(_ test: @escaping (ResultsGroup) -> Bool) -> ObjectGroups {
    changed { $0.tests.append(test) }
  }

  /// Orders the groups by what is worked out over them. Further calls decide among equal ones, and at last the values of the groups.
  public func sorted(by aggregate: GroupAggregate, ascending: Bool = true) -> ObjectGroups {
    changed { $0.order.append((.aggregate(aggregate), ascending)) }
  }

  /// Orders the groups by one of the paths they are made by, or what is computed, as it was given; of pairs with `right.` before those of right objects.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> ObjectGroups {
    changed { $0.order.append((.key(keyPath), ascending)) }
  }

  /// At most so many groups, counted after the order. A negative number is none.
  public func limit(_ count: Int) -> ObjectGroups { changed { $0.most = max(0, count) } }

  /// Without so many of the first groups.
  public func offset(_ count: Int) -> ObjectGroups { changed { $0.skipped = max(0, count) } }

  private func changed(_ change: (inout ObjectGroups) -> Void) -> ObjectGroups {
    var groups = self
    change(&groups)
    return groups
  }

  // MARK: - Finding

  /// Finds the groups in the version that the Realm shows.
  ///
  /// Reads the columns that are named where they are, in time of the objects; what is kept grows with the groups, and by 4 bytes for each
  /// object, for percentiles by 8 more. Throws `Realm.Error` for unknown paths, for what a property does not have, and for conditions that do not
  /// fit. On the Realm's thread.
  public func rows() throws(Realm.Error) -> [ResultsGroup] {
    try orRealmError {
      var query = try bound()
      let cuts = !tests.isEmpty
      if cuts { (query.offset, query.limit) = (0, nil) }
      let realm = Realm(host)
      let groups = try query.groups(in: host.reader).map { group in
        let values = group.values.map { AnyRealmValue._rlmFromStored($0, in: realm) ?? .none }
        return ResultsGroup(
          keys: group.keys.map { AnyRealmValue._rlmFromStored($0, in: realm) ?? .none }, count: group.count,
          aggregates: Dictionary(zip(aggregates, values), uniquingKeysWith: { first, _ in first }))
      }
      guard cuts else { return groups }
      let kept = groups.filter { group in tests.allSatisfy { $0(group) } }
      return Array(kept.dropFirst(skipped).prefix(most ?? .max))
    }
  }

  /// Finds the groups once and says how: how the objects were found, which columns were read, how pairs were made.
  ///
  /// Throws as `rows()` does, and takes as long. On the Realm's thread.
  public func explain() throws(Realm.Error) -> QueryPlan {
    try orRealmError { QueryPlan(try bound().explain(in: host.reader)) }
  }

  private var host: ObjectHost {
    switch source {
    case .objects(let state): state.host
    case .pairs(let state): state.host
    }
  }

  private func bound() throws -> GroupQuery {
    let bound: GroupSource =
      switch source {
      case .objects(let state): .objects(try state.objects("grouped").0)
      case .pairs(let state): .pairs(try state.current())
      }
    let (schema, naming) = (host.schema, host.naming)
    let keys = try paths.map {
      try bound.key(
        $0.value.text, $0.value.constants(), side: $0.isOfRight ? 1 : 0, schema: schema, naming: naming)
    }
    var query = GroupQuery(bound, by: keys, try aggregates.map { try aggregate($0, bound) })
    for condition in conditions { try add(condition.text, condition.arguments, to: &query, bound) }
    query.order = try order.map { GroupQuery.Order(try column($0.column, &query, bound), isAscending: $0.isAscending) }
    (query.offset, query.limit) = (skipped, most)
    return query
  }

  private func aggregate(_ aggregate: GroupAggregate, _ source: GroupSource) throws -> LarderQuery.GroupAggregate {
    if case .percentile(let rank) = aggregate.operation, !(0...100).contains(rank) {
      throw Realm.Error.invalid("A percentile is a number from 0 to 100, not \(rank).")
    }
    if aggregate.isOfRight, case .objects = source {
      throw Realm.Error.invalid("\(aggregate) is for pairs of objects; these groups are of single ones.")
    }
    return try source.aggregate(
      aggregate.operation, aggregate.value.text, aggregate.value.constants(), side: aggregate.isOfRight ? 1 : 0,
      schema: host.schema,
      naming: host.naming)
  }

  private func add(
    _ text: String, _ arguments: [Any], to query: inout GroupQuery, _ source: GroupSource
  ) throws {
    let arguments = try PredicateArguments.arguments(arguments, in: host)
    var columns: [Int] = []
    let schema = host.schema
    let condition = try GroupCondition(text, arguments, keys: titles) { term in
      let column = try self.column(try self.order(term), &query, source)
      columns.append(column)
      return try query.type(ofColumn: column, in: schema)
    }
    query.filters.append(GroupQuery.Filter(condition, columns: columns))
  }

  /// The paths as conditions and orders name them.
  private var titles: [String] { paths.map(\.title) }

  private func order(_ term: GroupTerm) throws -> Order {
    switch term {
    case .key(let path): return .key(path)
    case .aggregate(let operation, let path):
      guard case .pairs = source else { return .aggregate(GroupAggregate(operation: operation, property: path)) }
      let (side, text) = try GroupSource.side(path) { $0 == "right" ? 1 : nil }
      let aggregate = GroupAggregate(operation: operation, property: text)
      return .aggregate(side == 1 ? aggregate.ofRight : aggregate)
    }
  }

  /// The place of a column in groups; what was not asked for is worked out as well.
  private func column(_ order: Order, _ query: inout GroupQuery, _ source: GroupSource) throws -> Int {
    switch order {
    case .key(let title):
      let wanted = TextParts.squeezed(title)
      guard let place = titles.firstIndex(where: { TextParts.squeezed($0) == wanted }) else {
        throw Realm.Error.invalid(
          "The groups are not made by '\(title)', but by \(titles.isEmpty ? "nothing" : titles.joined(separator: ", "))."
        )
      }
      return place
    case .aggregate(let wanted):
      let wanted = try aggregate(wanted, source)
      if let place = query.aggregates.firstIndex(of: wanted) { return query.keys.count + place }
      query.aggregates.append(wanted)
      return query.keys.count + query.aggregates.count - 1
    }
  }
}
