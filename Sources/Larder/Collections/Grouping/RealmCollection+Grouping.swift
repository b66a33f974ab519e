import LarderQuery

extension RealmCollection {
  /// Groups objects that have equal values, and works out something over each group (U-16):
  /// `cities.filter("population > 0").grouped(by: ["country.name"], .sum("population"), .max("height"))`.
  ///
  /// The groups come in the order of their values as `sorted` has it, nil first; nil and a nil link on the way are one value. They
  /// are values: later changes do not show in them. No object is made; the columns are read where they are, in
  /// time of the objects and key paths.
  /// - Parameters:
  ///   - keyPaths: What the objects of a group have in common: properties, over to-one links and by collection operators too, as for
  ///     `sorted`.
  ///   - aggregates: What is worked out; the number of objects always is.
  /// - Throws: `Realm.Error` for a path that cannot be grouped by, an aggregate that its property does not have, a collection of
  ///   values, no path at all.
  public func grouped(
    by keyPaths: [String], _ aggregates: GroupAggregate...
  ) throws(Realm.Error) -> [ResultsGroup] {
    try orRealmError { try resultsState("grouped").grouped(by: keyPaths, aggregates) }
  }

  /// Groups objects that have an equal value; see above.
  ///
  /// ```swift
  /// let groups = try people.grouped(by: "age", .count)
  /// ```
  ///
  /// Throws `Realm.Error` for unknown names. On the Realm's thread. Costs O(n): only the columns that are named are read.
  public func grouped(by keyPath: String, _ aggregates: GroupAggregate...) throws(Realm.Error) -> [ResultsGroup] {
    try orRealmError { try resultsState("grouped").grouped(by: [keyPath], aggregates) }
  }
}

extension RealmCollection where Element: ObjectBase {
  /// Groups objects that have equal values: `cities.grouped(by: [\.country?.name, \.zone], .sum(\City.population))`.
  public func grouped(
    by keyPaths: [PartialKeyPath<Element>], _ aggregates: GroupAggregate...
  ) throws(Realm.Error) -> [ResultsGroup] {
    try orRealmError { try resultsState("grouped").grouped(by: keyPaths.map { _name(for: $0) }, aggregates) }
  }

  /// Groups objects that have an equal value: `cities.grouped(by: \.zone, .sum(\City.population))`.
  public func grouped(
    by keyPath: PartialKeyPath<Element>, _ aggregates: GroupAggregate...
  ) throws(Realm.Error) -> [ResultsGroup] {
    try orRealmError { try resultsState("grouped").grouped(by: [_name(for: keyPath)], aggregates) }
  }
}

extension ResultsState {
  func grouped(by keyPaths: [String], _ aggregates: [GroupAggregate]) throws -> [ResultsGroup] {
    let (query, _) = try objects("grouped")
    let targets = try query.groupTargets(keyPaths, schema: host.schema, naming: host.naming)
    let asked = try aggregates.map { aggregate in
      guard aggregate.operation != .count else { return LarderQuery.GroupAggregate(.count, .presence) }
      let column = try query.aggregateColumn(
        aggregate.property, aggregate.operation, schema: host.schema, naming: host.naming)
      return LarderQuery.GroupAggregate(aggregate.operation, column.id)
    }
    let realm = Realm(host)
    return try query.grouped(by: targets, asked, in: host.reader).map { group in
      let values = group.values.map { AnyRealmValue._rlmFromStored($0, in: realm) ?? .none }
      return ResultsGroup(
        keys: group.keys.map { AnyRealmValue._rlmFromStored($0, in: realm) ?? .none }, count: group.count,
        aggregates: Dictionary(zip(aggregates, values), uniquingKeysWith: { first, _ in first }))
    }
  }
}
