import LarderStorage
import TestSupport
import Testing

@testable import LarderQuery

/// Groups of random objects, compared with groups that are made one object at a time.
@Suite("Grouping")
struct GroupingTests {
  private struct Fixture {
    let temporary: TemporaryStore
    let sale: ClassDescriptor
    let shop: ClassDescriptor

    init() throws {
      temporary = try TemporaryStore(clusterSize: 32)
      try temporary.write { writer in
        try writer.apply(
          [
            ClassDeclaration(
              name: "Sale",
              columns: [
                ColumnDeclaration(name: "kind", type: .string, isOptional: true),
                ColumnDeclaration(name: "price", type: .double, isOptional: true),
                ColumnDeclaration(name: "pieces", type: .int), ColumnDeclaration(name: "weight", type: .float),
                ColumnDeclaration(name: "day", type: .date, isOptional: true),
                ColumnDeclaration(name: "tax", type: .decimal128), ColumnDeclaration(name: "extra", type: .mixed),
                ColumnDeclaration(name: "tags", type: .string, collection: .list),
                ColumnDeclaration(name: "shop", type: .link, target: "Shop"),
              ]),
            ClassDeclaration(
              name: "Shop",
              columns: [
                ColumnDeclaration(name: "town", type: .string), ColumnDeclaration(name: "size", type: .int),
              ]),
          ], schemaVersion: 1)
      }
      let schema = try temporary.snapshot.schema
      (sale, shop) = (try #require(schema["Sale"]), try #require(schema["Shop"]))
    }

    func fill(_ writer: StoreWriter, _ random: inout SeededRandom) throws {
      func set(_ owner: ClassDescriptor, _ name: String, _ key: ObjectKey, _ value: StoredValue) throws {
        try writer.set(owner.id, try #require(owner.column(named: name)).id, key, value)
      }
      let shops = try (0..<6).map { number in
        let key = try writer.create(shop.id)
        try set(shop, "town", key, .string("town\(number % 3)"))
        try set(shop, "size", key, .int(Int64(number)))
        return key
      }
      for _ in 0..<300 {
        let key = try writer.create(sale.id)
        try set(sale, "kind", key, random.oneIn(8) ? .null : .string(random.pick(["a", "b", "ä", ""])))
        try set(
          sale, "price", key, random.oneIn(8) ? .null : .double(random.pick([0, -0.0, 1.5, .nan, -.infinity, 7])))
        try set(sale, "pieces", key, .int(Int64(random.int(-3...3))))
        try set(sale, "weight", key, .float(Float(random.int(0...4)) / 2))
        try set(
          sale, "day", key,
          random.oneIn(8) ? .null : .date(Timestamp(seconds: Int64(random.int(0...5)), nanoseconds: 0)))
        try set(sale, "tax", key, .decimal128(DecimalNumber(Int64(random.int(0...9))).bits))
        try set(
          sale, "extra", key, random.pick([.null, .int(1), .double(1), .string("1"), .bool(true), .double(2.5)]))
        try set(sale, "shop", key, random.oneIn(8) ? .null : .link(random.pick(shops)))
      }
      for number in 0..<40 { try writer.delete(sale.id, ObjectKey(rawValue: UInt64(number * 7))) }
      try writer.delete(shop.id, shops[5])
    }

    /// The groups, one object at a time.
    func expected(_ query: ResultsQuery, _ paths: [String], _ aggregates: [GroupAggregate], _ reader: any StoreReader)
      throws -> [ResultsGroup]
    {
      var rows: [(keys: [StoredValue], members: [ObjectKey])] = []
      for key in try query.keys(in: reader, mode: .rowByRow) {
        let values = try paths.map { path -> StoredValue in
          var (owner, key, names) = (sale, key, path.split(separator: ".").map(String.init))
          if names.count == 2 {
            let column = try #require(owner.column(named: names.removeFirst()))
            guard case .link(let target) = try reader.value(owner.id, column.id, key) else { return .null }
            (owner, key) = (shop, target)
          }
          return try reader.value(owner.id, try #require(owner.column(named: names[0])).id, key)
        }
        let place = rows.firstIndex { zip($0.keys, values).allSatisfy { ValueOrder.compare($0, $1) == 0 } }
        if let place { rows[place].members.append(key) } else { rows.append((values, [key])) }
      }
      rows.sort { a, b in
        zip(a.keys, b.keys).lazy.map { ValueOrder.compare($0, $1) }.first { $0 != 0 }.map { $0 < 0 } ?? false
      }
      return try rows.map { row in
        ResultsGroup(
          keys: row.keys, count: row.members.count,
          values: try aggregates.map { aggregate in
            guard aggregate.operation != .count else { return .int(Int64(row.members.count)) }
            let evaluator = RowEvaluator(reader)
            let values = try row.members.map { try evaluator.sortValue(aggregate.target, sale.id, $0).value }
            return try Self.naive(aggregate.operation, values, aggregate.type)
          })
      }
    }

    /// Computes an operation over values, in the plainest way.
    static func naive(_ operation: GroupOperation, _ values: [StoredValue], _ type: ColumnType) throws -> StoredValue {
      if let plain = operation.aggregate { return Aggregation(plain, over: values, of: type).result }
      let present = values.filter { !$0.isNull && !ValueOrder.isNaN($0) }
        .sorted { ValueOrder.compare($0, $1) < 0 }
      guard case .percentile(let rank) = operation else {
        var different: [StoredValue] = []
        for value in present where !different.contains(where: { ValueOrder.compare($0, value) == 0 }) {
          different.append(value)
        }
        return .int(Int64(different.count))
      }
      guard !present.isEmpty else { return .null }
      let place = rank / 100 * Double(present.count - 1)
      let (low, high) = (present[Int(place)], present[min(Int(place) + 1, present.count - 1)])
      let fraction = place - Double(Int(place))
      switch (low, high) {
      case (.int(let a), .int(let b)): return .double(between(Double(a), Double(b), fraction))
      case (.float(let a), .float(let b)): return .double(between(Double(a), Double(b), fraction))
      case (.double(let a), .double(let b)): return .double(between(a, b, fraction))
      case (.decimal128(let a), .decimal128(let b)):
        let (a, b) = (DecimalNumber(a), DecimalNumber(b))
        return .decimal128((a + (b - a) * DecimalNumber(number: .double(fraction))).bits)
      default: return low
      }
    }

    private static func between(_ a: Double, _ b: Double, _ fraction: Double) -> Double {
      a == b || fraction == 0 ? a : a * (1 - fraction) + b * fraction
    }

    func check(_ reader: any StoreReader, _ random: inout SeededRandom) throws {
      let paths = ["kind", "price", "pieces", "day", "tax", "extra", "shop.town", "shop.size"]
      var query = ResultsQuery(sale.id)
      if random.oneIn(2) { query = try query.filtered("pieces > 0 OR kind == 'a'", schema: reader.schema) }
      if random.oneIn(3) { query = try query.sorted([("kind", false)], schema: reader.schema) }
      if random.oneIn(3) { query = query.limited(to: 100) }
      let chosen = (0..<random.int(1...3)).map { _ in random.pick(paths) }
      let aggregates = try (0..<random.int(0...3)).map { _ -> GroupAggregate in
        let operation = random.pick([
          GroupOperation.count, .sum, .min, .max, .average, .distinct, .median, .percentile(90), .percentile(12.5),
        ])
        let names = ["price", "pieces", "weight", "tax"]
        let name =
          switch operation {
          case .min, .max: random.pick(names + ["extra", "day"])
          case .percentile: random.pick(names + ["day"])
          case .distinct: random.pick(names + ["extra", "day", "kind"])
          default: random.pick(names + ["extra"])
          }
        return GroupAggregate(operation, try #require(sale.column(named: name)))
      }
      let targets = try query.groupTargets(chosen, schema: reader.schema)
      let groups = try query.grouped(by: targets, aggregates, in: reader)
      let expected = try expected(query, chosen, aggregates, reader)
      // NaN and the zeros are equal, but not the same.
      #expect("\(groups)" == "\(expected)" || Self.agree(groups, expected), "\(chosen) \(aggregates)")
    }

    static func agree(_ a: [ResultsGroup], _ b: [ResultsGroup]) -> Bool {
      a.count == b.count
        && zip(a, b).allSatisfy { left, right in
          left.count == right.count && left.keys.count == right.keys.count && left.values.count == right.values.count
            && zip(left.keys + left.values, right.keys + right.values).allSatisfy {
              ValueOrder.compare($0, $1) == 0
            }
        }
    }
  }

  @Test("U-16, Q-77: groups and what is worked out over them, against one object at a time")
  func randomGroups() throws {
    var random = SeededRandom.forTest()
    let fixture = try Fixture()
    try fixture.temporary.write { writer in
      try fixture.fill(writer, &random)
      for _ in 0..<20 { try fixture.check(writer, &random) }
    }
    let snapshot = try fixture.temporary.snapshot
    for _ in 0..<120 { try fixture.check(snapshot, &random) }
    #expect(
      try ResultsQuery(fixture.shop.id).filtered("size > 99", schema: snapshot.schema)
        .grouped(by: [], [], in: snapshot).isEmpty)
  }

  @Test("U-16: what cannot be grouped by or worked out is refused with a reason")
  func mistakes() throws {
    let fixture = try Fixture()
    let reader = try fixture.temporary.snapshot
    let query = ResultsQuery(fixture.sale.id)
    for paths in [["tags"], ["nothing"], ["shop"], [], ["shop.nothing"]] {
      #expect(throws: LarderQuery.PredicateError.self) { try query.groupTargets(paths, schema: reader.schema) }
    }
    for (name, operation) in [("kind", AggregateOperator.sum), ("day", .average), ("tags", .min), ("nothing", .max)] {
      #expect(throws: LarderQuery.PredicateError.self) {
        try query.aggregateColumn(name, operation, schema: reader.schema)
      }
    }
  }
}
