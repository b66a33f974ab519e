import LarderStorage
import TestSupport
import Testing

@testable import LarderQuery

/// Pairs of random objects, compared with pairs that are looked for one by one.
@Suite("Joins")
struct ResultsJoinTests {
  private let temporary: TemporaryStore
  private let trip: ClassDescriptor
  private let report: ClassDescriptor

  private static let shared: [(name: String, type: ColumnType)] = [
    ("place", .string), ("at", .date), ("number", .int), ("real", .double), ("tax", .decimal128), ("extra", .mixed),
  ]

  init() throws {
    temporary = try TemporaryStore(clusterSize: 32)
    let columns = Self.shared.map { ColumnDeclaration(name: $0.name, type: $0.type, isOptional: true) }
    var indexed = columns
    indexed[0].isIndexed = true
    indexed[3].isIndexed = true
    try temporary.write { writer in
      try writer.apply(
        [
          ClassDeclaration(
            name: "Trip", columns: columns + [ColumnDeclaration(name: "next", type: .link, target: "Trip")]),
          ClassDeclaration(name: "Report", columns: indexed),
        ], schemaVersion: 1)
    }
    let schema = try temporary.snapshot.schema
    (trip, report) = (try #require(schema["Trip"]), try #require(schema["Report"]))
  }

  private func value(_ type: ColumnType, _ random: inout SeededRandom) -> StoredValue {
    if random.oneIn(7) { return .null }
    switch type {
    case .string: return .string(random.pick(["EWR", "JFK", "", "é", "a long text that is kept elsewhere"]))
    case .date: return .date(Timestamp(seconds: Int64(random.int(0...4)), nanoseconds: 0))
    case .int: return .int(Int64(random.int(-2...2)))
    case .double: return .double(random.pick([0, -0.0, .nan, 1.5, .infinity]))
    case .decimal128:
      return .decimal128(random.pick([DecimalNumber(Int64(1)), DecimalNumber("1.0") ?? .nan, .nan]).bits)
    default: return random.pick([.int(1), .double(1), .string("1"), .bool(true)])
    }
  }

  private func fill(_ entry: ClassDescriptor, _ count: Int, _ writer: StoreWriter, _ random: inout SeededRandom) throws
  {
    var keys: [ObjectKey] = []
    for _ in 0..<count {
      let key = try writer.create(entry.id)
      for (name, type) in Self.shared {
        let column = try #require(entry.column(named: name)).id
        try writer.set(entry.id, column, key, value(type, &random))
      }
      if let next = entry.column(named: "next"), !keys.isEmpty, !random.oneIn(4) {
        try writer.set(entry.id, next.id, key, .link(random.pick(keys)))
      }
      keys.append(key)
    }
    for key in keys where random.oneIn(9) { try writer.delete(entry.id, key) }
  }

  /// The computed values, each with the property that it is of and its result.
  private static let computed: [(text: String, name: String, value: @Sendable (StoredValue) -> StoredValue)] = [
    ("number * 2 - 1", "number", { if case .int(let value) = $0 { .int(value * 2 - 1) } else { .null } }),
    ("length(place)", "place", { if case .string(let text) = $0 { .int(Int64(text.count)) } else { .null } }),
    ("uppercase(place)", "place", { if case .string(let text) = $0 { .string(text.uppercased()) } else { .null } }),
    ("second(at)", "at", { if case .date(let date) = $0 { .int(date.seconds) } else { .null } }),
  ]

  /// A pair of what may be equal: two properties, or two things that are computed, on one side or on both.
  private func pair(_ random: inout SeededRandom) -> (left: String, right: String) {
    guard random.oneIn(3) else {
      let name = random.pick(Self.shared.map(\.name))
      return (random.oneIn(3) ? "next.\(name)" : name, name)
    }
    if random.oneIn(4) { return random.pick([("uppercase(place)", "place"), ("place", "uppercase(place)")]) }
    let numbers = ["number", "number * 2 - 1", "length(place)", "second(at)"]
    return (random.pick(numbers), random.pick(numbers))
  }

  /// The pairs, one by one.
  private func expected(
    _ left: ResultsQuery, _ right: ResultsQuery, _ paths: [(left: String, right: String)], _ kind: ResultsJoin.Kind,
    _ reader: any StoreReader
  ) throws -> [String] {
    func value(_ entry: ClassDescriptor, _ path: String, _ key: ObjectKey) throws -> StoredValue {
      if let found = Self.computed.first(where: { $0.text == path }) {
        return found.value(try value(entry, found.name, key))
      }
      var (key, name) = (key, path)
      if path.hasPrefix("next.") {
        guard case .link(let target) = try reader.value(trip.id, try #require(trip.column(named: "next")).id, key),
          try reader.contains(trip.id, target)
        else { return .null }
        (key, name) = (target, String(path.dropFirst(5)))
      }
      return try reader.value(entry.id, try #require(entry.column(named: name)).id, key)
    }
    var pairs: [String] = []
    let others = try right.keys(in: reader, mode: .rowByRow)
    for key in try left.keys(in: reader, mode: .rowByRow) {
      let partners = try others.filter { other in
        try paths.allSatisfy { pair in
          let (a, b) = (try value(trip, pair.left, key), try value(report, pair.right, other))
          return !a.isNull && !b.isNull && ValueOrder.holds(a, .equal, b)
        }
      }
      pairs += partners.map { "\(key.rawValue) \($0.rawValue)" }
      if partners.isEmpty, kind == .left { pairs.append("\(key.rawValue) none") }
    }
    return pairs
  }

  private func check(_ reader: any StoreReader, _ random: inout SeededRandom) throws {
    var (left, right) = (ResultsQuery(trip.id), ResultsQuery(report.id))
    if random.oneIn(2) { left = try left.filtered("number > 0", schema: reader.schema) }
    if random.oneIn(3) { left = try left.sorted([("real", false)], schema: reader.schema).limited(to: 7) }
    if random.oneIn(2) { right = try right.filtered("number != 1", schema: reader.schema) }
    if random.oneIn(3) { right = try right.sorted([("place", true)], schema: reader.schema) }
    let paths = (0..<random.int(1...3)).map { _ in pair(&random) }
    let kind = random.pick(ResultsJoin.Kind.allCases)
    let join = try ResultsJoin(left, right, on: paths, kind, schema: reader.schema)
    let found = try join.pairs(in: reader)
    let pairs = zip(found.left, found.right).map { "\($0.rawValue) \($1.map { "\($0.rawValue)" } ?? "none")" }
    let expected = try expected(left, right, paths, kind, reader)
    #expect(pairs == expected, "\(paths) \(kind)")
    try checkGroups(join, found, reader)
  }

  /// Groups over pairs, against pairs one by one.
  private func checkGroups(_ join: ResultsJoin, _ pairs: ResultsJoin.Pairs, _ reader: any StoreReader) throws {
    let source = GroupSource.pairs(join)
    let schema = reader.schema
    let query = GroupQuery(
      source, by: [try source.key("number", side: 1, schema: schema, naming: .stored)],
      [
        try source.aggregate(.sum, "number", side: 0, schema: schema, naming: .stored),
        try source.aggregate(.distinct, "place", side: 1, schema: schema, naming: .stored),
      ])
    let (number, place) = (try #require(report.column(named: "number")), try #require(report.column(named: "place")))
    let own = try #require(trip.column(named: "number"))
    var rows: [(key: StoredValue, count: Int, sum: Int64, places: Set<StoredValue>)] = []
    for (left, right) in zip(pairs.left, pairs.right) {
      let key = try right.map { try reader.value(report.id, number.id, $0) } ?? .null
      let row = rows.firstIndex { $0.key == key } ?? rows.count
      if row == rows.count { rows.append((key, 0, 0, [])) }
      rows[row].count += 1
      if case .int(let value) = try reader.value(trip.id, own.id, left) { rows[row].sum += value }
      let there = try right.map { try reader.value(report.id, place.id, $0) } ?? .null
      if !there.isNull { rows[row].places.insert(there) }
    }
    rows.sort { ValueOrder.compare($0.key, $1.key) < 0 }
    let expected = rows.map {
      ResultsGroup(keys: [$0.key], count: $0.count, values: [.int($0.sum), .int(Int64($0.places.count))])
    }
    let groups = try query.groups(in: reader)
    #expect(groups == expected)
  }

  @Test("Q-78: pairs and groups over them, against pairs that are looked for one by one")
  func randomJoins() throws {
    var random = SeededRandom.forTest()
    try temporary.write { writer in
      try fill(trip, 80, writer, &random)
      try fill(report, 90, writer, &random)
      for _ in 0..<20 { try check(writer, &random) }
    }
    let snapshot = try temporary.snapshot
    for _ in 0..<150 { try check(snapshot, &random) }
  }

  @Test(
    "Q-78: few values on the left side are looked up in an index of the right",
    .notUnder(.rowByRow, "it looks at plans"))
  func index() throws {
    var random = SeededRandom.forTest()
    try temporary.write { writer in
      try fill(trip, 40, writer, &random)
      for number in 0..<5000 {
        let key = try writer.create(report.id)
        try writer.set(report.id, try #require(report.column(named: "place")).id, key, .string("place\(number)"))
      }
      let key = try writer.create(trip.id)
      try writer.set(trip.id, try #require(trip.column(named: "place")).id, key, .string("place77"))
    }
    let reader = try temporary.snapshot
    let left = try ResultsQuery(trip.id).filtered("place == 'place77'", schema: reader.schema)
    let join = try ResultsJoin(left, ResultsQuery(report.id), on: [("place", "place")], schema: reader.schema)
    let plan = try join.explain(in: reader)
    #expect(plan.root.kind == .join && plan.root.rows == 1, "\(plan.description)")
    #expect(plan.root.all.contains { $0.kind == .index && $0.rows == 1 }, "\(plan.description)")
  }

  @Test("Q-78: what cannot be joined is refused with a reason")
  func mistakes() throws {
    let schema = try temporary.snapshot.schema
    let (left, right) = (ResultsQuery(trip.id), ResultsQuery(report.id))
    for paths in [
      [("length(place)", "place")], [("number + ", "number")], [("1 + 1", "number")], [("place", "at")],
      [("number", "real")], [("nothing", "place")], [("next", "place")], [],
    ] {
      #expect(throws: LarderQuery.PredicateError.self) {
        try ResultsJoin(left, right, on: paths.map { (left: $0.0, right: $0.1) }, schema: schema)
      }
    }
  }
}
