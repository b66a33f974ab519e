import LarderStorage
import TestSupport
import Testing

@testable import LarderQuery

/// 4,000 cities in 40 countries, with indexes of every kind, and what is the same for every city number.
struct PlannerStore {
  static let cities = 4_000
  static let countries = 40

  private let temporary: TemporaryStore
  let snapshot: Snapshot
  let city: ClassID
  let country: ClassID

  private static let declarations = [
    ClassDeclaration(
      name: "City",
      columns: [
        ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
        ColumnDeclaration(name: "name", type: .string, isIndexed: true),
        ColumnDeclaration(name: "population", type: .int, isOptional: true, isIndexed: true),
        ColumnDeclaration(name: "height", type: .double, isIndexed: true),
        ColumnDeclaration(name: "rank", type: .int), ColumnDeclaration(name: "zone", type: .string),
        ColumnDeclaration(name: "note", type: .string),
        ColumnDeclaration(name: "country", type: .link, target: "Country"),
        ColumnDeclaration(name: "visited", type: .link, collection: .list, target: "Country"),
      ], indexes: [IndexDeclaration(["zone", "population"]), IndexDeclaration(["zone", "rank"])]),
    ClassDeclaration(
      name: "Country",
      columns: [
        ColumnDeclaration(name: "name", type: .string), ColumnDeclaration(name: "area", type: .int),
      ]),
  ]

  init(key: EncryptionKey? = nil) throws {
    temporary = try TemporaryStore(clusterSize: 64, key: key)
    try temporary.write { writer in
      try writer.apply(Self.declarations, schemaVersion: 1)
      let (city, country) = (try #require(writer.schema["City"]), try #require(writer.schema["Country"]))
      func column(_ name: String, _ owner: ClassDescriptor) throws -> ColumnID {
        try #require(owner.column(named: name)).id
      }
      let countries = try (0..<Self.countries).map { number in
        let key = try writer.create(country.id)
        try writer.set(country.id, try column("name", country), key, .string("country\(number)"))
        try writer.set(country.id, try column("area", country), key, .int(Int64(number)))
        return key
      }
      for number in 0..<Self.cities {
        let key = try writer.create(city.id, primaryKey: .int(Int64(number)))
        let population: StoredValue = number % 400 == 7 ? .null : .int(Int64(number * 7919 % Self.cities))
        let values: [(String, StoredValue)] = [
          ("name", .string("city\(number * 31 % 1000)")), ("population", population),
          ("height", .double(Double(number % 500))), ("rank", .int(Int64(number % 50))),
          ("zone", .string("zone\(number % 20)")), ("note", .string("note \(number % 3)")),
        ]
        for (name, value) in values { try writer.set(city.id, try column(name, city), key, value) }
        try writer.setLink(city.id, try column("country", city), key, countries[number % 37])
        if number % 10 == 0 {
          try writer.lists.insert(
            city.id, try column("visited", city), key, at: 0, [.link(countries[number / 10 % 40])])
        }
      }
    }
    snapshot = try temporary.snapshot
    city = try #require(snapshot.schema["City"]).id
    country = try #require(snapshot.schema["Country"]).id
  }

  func query(_ predicate: String, _ arguments: [PredicateArgument] = [], of name: String = "City") throws
    -> ResultsQuery
  {
    let classID = try #require(snapshot.schema[name]).id
    return try ResultsQuery(classID).filtered(predicate, arguments, schema: snapshot.schema)
  }

  /// The plan, which must find what asking every object finds.
  func plan(
    _ query: ResultsQuery, limit: Int = .max, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> ExplainedPlan {
    let plan = try query.explain(in: snapshot, limit: limit)
    let expected = Array(try query.keys(in: snapshot, mode: .rowByRow).prefix(limit))
    #expect(
      try query.keys(in: snapshot, limit: limit) == expected, "\(plan.description)", sourceLocation: sourceLocation)
    #expect(plan.root.rows == expected.count, "\(plan.description)", sourceLocation: sourceLocation)
    return plan
  }

  /// Returns the counts of what a scan that uses no index looks at.
  func scanned(_ query: ResultsQuery) throws -> ExecutionCounters {
    let context = ExecutionContext(snapshot)
    let kernel = try KernelCompiler(context: context).compile(try #require(query.predicate), query.classID)
    _ = try Scan(context: context, classID: query.classID, kernel: kernel).keys()
    return context.counters
  }
}
