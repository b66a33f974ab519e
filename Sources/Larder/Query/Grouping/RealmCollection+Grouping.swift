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
  ///     `sorted`; or what is computed: `hour(date)`.
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

extension RealmCollection where Element: ObjectBase {
  /// Groups of objects with equal values, to which more is added: `aggregate`, `having`, `sorted`, `limit`, and `rows()`, which finds them.
  ///
  /// ```swift
  /// let crowded = try people.group(by: \.age).aggregate(.count, .median(\Person.age))
  ///   .having("count > 1").sorted(by: .count, ascending: false).limit(10).rows()
  /// ```
  ///
  /// Nothing is read before `rows()`; each call of it reads what is there then. On the Realm's thread.
  public func group(by keyPaths: PartialKeyPath<Element>...) -> ObjectGroups {
    ObjectGroups(.objects(resultsState("grouped")), keyPaths.map { GroupPath(_name(for: $0)) })
  }

  /// Groups of objects by paths in text, also over collections (`parts.@count`), and by what is computed; see above.
  ///
  /// ```swift
  /// let busy = try realm.objects(Flight.self)
  ///   .group(by: ["hour(hour, 'America/New_York')", "distance / 500"])
  ///   .aggregate(.average("distance * 60 / airTime"))
  ///   .having("hour(hour, 'America/New_York') < 12 AND count > 1")
  ///   .rows()
  /// ```
  ///
  /// Mistakes are thrown by `rows()`, with the place in the text. On the Realm's thread. What is computed of numbers, dates and lengths is
  /// worked out column by column, the rest object by object.
  public func group(by keyPaths: [String]) -> ObjectGroups {
    ObjectGroups(.objects(resultsState("grouped")), keyPaths.map { GroupPath($0) })
  }

  /// Groups of objects by what is computed of them, or by properties, as `where` writes them; see above.
  ///
  /// ```swift
  /// let byHour = try realm.objects(Flight.self)
  ///   .group(by: { $0.hour.hour }, { $0.origin })
  ///   .aggregate(.median(\Flight.delay))
  ///   .rows()
  /// ```
  ///
  /// The closures run once. In conditions and orders the keys are called what they are in text: `hour(hour)`. Mistakes are thrown by
  /// `rows()`. On the Realm's thread.
  @_disfavoredOverload
  public func group<each Value>(by values: repeat (Query<Element>) -> Query<each Value>) -> ObjectGroups {
    var paths: [GroupPath] = []
    for value in repeat each values { paths.append(GroupPath(GroupValue(value))) }
    return ObjectGroups(.objects(resultsState("grouped")), paths)
  }

  /// Numbers over all objects, worked out in one go: one group without keys.
  ///
  /// Reads the columns that are named, in time of the objects; see `grouped(by:_:)`. Throws `Realm.Error` for an aggregate that its property
  /// does not have. On the Realm's thread.
  public func aggregated(_ aggregates: GroupAggregate...) throws(Realm.Error) -> ResultsGroup {
    let groups = ObjectGroups(.objects(resultsState("aggregated")), [])
    guard let all = try groups.aggregating(aggregates).rows().first else {
      throw Realm.Error.invalid("There are no results to aggregate.")
    }
    return all
  }
}

extension ResultsState {
  func grouped(by keyPaths: [String], _ aggregates: [GroupAggregate]) throws -> [ResultsGroup] {
    guard !keyPaths.isEmpty else {
      throw Realm.Error.invalid("Objects are grouped by at least one property.")
    }
    return try ObjectGroups(.objects(self), keyPaths.map { GroupPath($0) }).aggregating(aggregates).rows()
  }
}
