import LarderStorage
import TestSupport
import Testing

@testable import LarderQuery

@Suite struct ResultsQueryTests {
  @Test("Q-170, Q-171 aggregates skip nil and NaN and agree with the values one by one")
  func aggregates() throws {
    var random = SeededRandom.forTest()
    let fixture = try RandomStore(&random, objects: 300, clusterSize: 64)
    let snapshot = try fixture.store.snapshot()
    let item = try #require(snapshot.schema[fixture.classID])
    for name in ["tiny", "wide", "ratio", "ratioOpt", "single", "day"] {
      let column = try #require(item.column(named: name))
      for predicate in [nil, "tiny > 4", "number IN {1, 2}", "FALSEPREDICATE"] {
        var query = ResultsQuery(fixture.classID)
        if let predicate { query = try query.filtered(predicate, schema: snapshot.schema) }
        let values = try query.values(of: column.id, in: snapshot)
        let minimum = Aggregation(.min, over: values, of: column.type).result
        let maximum = Aggregation(.max, over: values, of: column.type).result
        #expect(
          ValueOrder.compare(try query.minimum(column.id, in: snapshot), minimum) == 0, "\(name) \(predicate ?? "")")
        #expect(
          ValueOrder.compare(try query.maximum(column.id, in: snapshot), maximum) == 0, "\(name) \(predicate ?? "")")
        guard column.type == .int else { continue }
        let sum: Int64 = values.reduce(0) { if case .int(let value) = $1 { $0 &+ value } else { $0 } }
        #expect(try query.sum(column.id, in: snapshot) == .int(sum))
      }
    }
  }

  @Test("Q-163 of two sorts in a row the later comes first; Q-161 filters come before steps")
  func composition() throws {
    var random = SeededRandom.forTest()
    let fixture = try RandomStore(&random, objects: 120, clusterSize: 8)
    let schema = try fixture.store.snapshot().schema
    let query = ResultsQuery(fixture.classID)
    let chained = try query.sorted([("tiny", true)], schema: schema).sorted([("flag", false)], schema: schema)
    #expect(try chained == query.sorted([("flag", false), ("tiny", true)], schema: schema))
    let late = try query.distinct(["tiny"], schema: schema).filtered("flag == TRUE", schema: schema)
    let early = try query.filtered("flag == TRUE", schema: schema).distinct(["tiny"], schema: schema)
    #expect(late == early)
  }

  @Test("Q-140 a filtered list keeps its order and its duplicates")
  func lists() throws {
    var random = SeededRandom.forTest()
    let fixture = try RandomStore(&random, objects: 40, clusterSize: 8)
    let writer = try fixture.store.beginWrite()
    defer { writer.cancel() }
    let item = try #require(writer.schema["Item"])
    let (items, tiny) = (try #require(item.column(named: "items")), try #require(item.column(named: "tiny")))
    let keys = try (0..<3).map { _ in try writer.create(item.id) }
    for (number, key) in keys.enumerated() { try writer.set(item.id, tiny.id, key, .int(Int64(number))) }
    let order = [keys[2], keys[0], keys[2], keys[1]]
    try writer.lists.insert(item.id, items.id, keys[0], at: 0, order.map { .link($0) })
    let owner = ObjectLink(classID: item.id, key: keys[0])
    let query = ResultsQuery(.list(owner: owner, column: items.id, elements: item.id))
    #expect(try query.keys(in: writer) == order)
    let filtered = try query.filtered("tiny > 0", schema: writer.schema)
    #expect(try filtered.keys(in: writer) == [keys[2], keys[2], keys[1]])
    #expect(try filtered.count(in: writer) == 3)
    #expect(
      try filtered.sorted([("tiny", true)], schema: writer.schema).keys(in: writer) == [keys[1], keys[2], keys[2]])
  }

  @Test(
    "explain names the index, the backlinks or the scan, and what was looked at",
    .notUnder(.rowByRow, "it looks at plans"))
  func explain() throws {
    var random = SeededRandom.forTest()
    let fixture = try RandomStore(&random, objects: 500, clusterSize: 64)
    let snapshot = try fixture.store.snapshot()
    func plan(_ text: String) throws -> String {
      try ResultsQuery(fixture.classID).filtered(text, schema: snapshot.schema).explain(in: snapshot).description
    }
    let found = try plan("name == 'nobody' AND price > 3")
    #expect(
      found.contains("Item where price > 3.0  [estimated 0, found 0;") || found.contains("Item where price > 3  ["),
      "\(found)")
    #expect(found.contains("\n  index name == 'nobody'  [estimated 0, found 0; 0 leaves,"), "\(found)")
    #expect(try plan("tiny > 3").hasPrefix("scan Item where tiny > 3  [found "))
    let sorted = try ResultsQuery(fixture.classID).sorted([("name", false)], schema: snapshot.schema).limited(to: 3)
    let text = try sorted.explain(in: snapshot).description
    #expect(text.contains("limit 3  [found 3;") && text.contains("\n    order of index name  [estimated "), "\(text)")
  }
}
