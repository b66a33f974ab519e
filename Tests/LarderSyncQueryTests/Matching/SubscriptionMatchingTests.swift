import Foundation
import LarderQuery
import LarderStorage
import LarderSyncProtocol
import TestSupport
import Testing

@testable import LarderSyncQuery

/// A query has the same objects at the server, which has values alone, as in a store.
@Suite struct SubscriptionMatchingTests {
  private static let types: [(name: String, column: ColumnType, schema: SchemaType)] = [
    ("b", .bool, .bool), ("i", .int, .int), ("f", .float, .float), ("d", .double, .double), ("s", .string, .string),
    ("y", .data, .data), ("t", .date, .date), ("u", .uuid, .uuid), ("o", .objectId, .objectID),
    ("n", .decimal128, .decimal), ("m", .mixed, .mixed),
  ]

  private static var properties: [(name: String, column: ColumnType, schema: SchemaType, collection: CollectionKind)] {
    types.flatMap { type in
      [
        (type.name, type.column, type.schema, .none), (type.name + "s", type.column, type.schema, .list),
        (type.name + "x", type.column, type.schema, .set),
      ]
    }
  }

  private static let schemaClass = SchemaClass(
    "Thing", primaryKey: nil,
    properties: properties.map { property in
      SchemaProperty(
        SyncText(property.name), property.schema,
        collection: property.collection == .list ? .list : property.collection == .set ? .set : .none,
        isOptional: true, isQueryable: true)
    })

  /// Few values of each type, so that comparisons often hold.
  private static func pool(_ type: ColumnType, _ random: inout SeededRandom) -> [StoredValue] {
    (0..<4).map { _ in
      if type == .mixed { return random.value(random.pick(SeededRandom.valueTypes)) }
      if type == .int { return .int(Int64(random.int(-2...2))) }
      if type == .string { return .string(random.pick(["", "a", "A", "ab", "é", "abc\u{301}"])) }
      return random.value(type)
    } + [.null]
  }

  private static func value(_ stored: StoredValue) throws -> SyncValue { try #require(SyncValue(stored)) }

  /// A comparison as text, with arguments.
  private static func comparison(
    _ pools: [ColumnType: [StoredValue]], _ random: inout SeededRandom
  ) -> (String, [StoredValue]) {
    let property = random.pick(properties)
    let pool = pools[property.column] ?? []
    if property.collection != .none, random.oneIn(3) {
      return ("\(property.name).@count \(random.pick(["==", "!=", ">", "<="])) %@", [.int(Int64(random.int(0...3)))])
    }
    let path = property.collection == .none ? property.name : "\(random.pick(["ANY", "NONE"])) \(property.name)"
    let isText = property.column == .string || property.column == .data
    let isOrdered = ![.bool, .uuid, .objectId].contains(property.column)
    switch random.int(0...6) {
    case 0: return ("\(path) IN {%@, %@}", [random.pick(pool), random.pick(pool)])
    case 1 where isOrdered && !isText: return ("\(path) BETWEEN {%@, %@}", [random.pick(pool), random.pick(pool)])
    case 2 where isText, 3 where isText:
      let operation = random.pick(["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE"]) + random.pick(["", "[c]"])
      return ("\(path) \(operation) %@", [random.pick(pool)])
    case 4 where isOrdered, 5 where isOrdered:
      return ("\(path) \(random.pick(["<", "<=", ">", ">="])) %@", [random.pick(pool)])
    default: return ("\(path) \(random.pick(["==", "!="])) %@", [random.pick(pool)])
    }
  }

  private static func predicate(
    _ pools: [ColumnType: [StoredValue]], _ random: inout SeededRandom, depth: Int = 2
  ) -> (String, [StoredValue]) {
    guard depth > 0, random.oneIn(2) else { return comparison(pools, &random) }
    let left = predicate(pools, &random, depth: depth - 1)
    if random.oneIn(4) { return ("NOT (\(left.0))", left.1) }
    let right = predicate(pools, &random, depth: depth - 1)
    return ("(\(left.0)) \(random.pick(["AND", "OR"])) (\(right.0))", left.1 + right.1)
  }

  private static func fill(
    _ writer: StoreWriter, _ pools: [ColumnType: [StoredValue]], _ random: inout SeededRandom
  ) throws {
    let declaration = ClassDeclaration(
      name: "Thing",
      columns: properties.map {
        ColumnDeclaration(name: $0.name, type: $0.column, collection: $0.collection, isOptional: true)
      })
    try writer.apply([declaration], schemaVersion: 0)
    let thing = try #require(writer.schema["Thing"])
    for _ in 0..<20 {
      let key = try writer.create(thing.id)
      for property in properties {
        let column = try #require(thing.column(named: property.name)).id
        let pool = pools[property.column] ?? []
        let chosen = (0..<random.int(0...3)).map { _ in random.pick(pool) }
        switch property.collection {
        case .list: try writer.lists.insert(thing.id, column, key, at: 0, chosen)
        case .set: try writer.sets.insert(thing.id, column, key, chosen)
        default: try writer.set(thing.id, column, key, random.pick(pool))
        }
      }
    }
  }

  /// The objects as a server has them.
  private static func objects(_ snapshot: Snapshot, _ thing: ClassDescriptor) throws -> [ObjectKey: [SyncText:
    SyncValue]]
  {
    var objects: [ObjectKey: [SyncText: SyncValue]] = [:]
    for key in try ResultsQuery(thing.id).keys(in: snapshot) {
      for property in properties {
        let column = try #require(thing.column(named: property.name)).id
        let stored: SyncValue
        switch property.collection {
        case .list:
          let values = try snapshot.list(thing.id, column, key).values().map(value)
          stored = .list(
            SyncList(incarnation: .root, entries: values.map { SyncListEntry(element: .root, value: $0) }))
        case .set:
          stored = .set(
            SyncSet(incarnation: .root, values: try snapshot.set(thing.id, column, key).values().map(value)))
        default: stored = try value(snapshot.value(thing.id, column, key))
        }
        objects[key, default: [:]][SyncText(property.name)] = stored
      }
    }
    return objects
  }

  @Test("Y-18: every allowed operator on every type gives the objects of the local query; filters let them pass")
  func likeTheStore() throws {
    var random = SeededRandom.forTest()
    for _ in 0..<8 {
      var pools: [ColumnType: [StoredValue]] = [:]
      for type in Self.types { pools[type.column] = Self.pool(type.column, &random) }
      let fixture = try TemporaryStore()
      try fixture.write { try Self.fill($0, pools, &random) }
      let snapshot = try fixture.snapshot
      let thing = try #require(snapshot.schema["Thing"])
      let objects = try Self.objects(snapshot, thing)
      for _ in 0..<120 {
        let (text, arguments) = Self.predicate(pools, &random)
        let place = "\(text) \(arguments), seed \(random.seed)"
        let bound: BoundPredicate
        do {
          bound = try Binder.bind(text, arguments.map { .value($0) }, to: thing.id, in: snapshot.schema)
        } catch {
          // What a local query refuses (an operator that the type does not have), a subscription refuses as well.
          #expect(throws: SubscriptionQueryError.self, "\(place)") {
            try SubscriptionQuery(SyncText(text), arguments: try arguments.map(Self.value), in: Self.schemaClass)
          }
          continue
        }
        let local = Set(try ResultsQuery(.objects(thing.id), predicate: bound).keys(in: snapshot))
        let query = try SubscriptionQuery(
          SyncText(text), arguments: try arguments.map(Self.value), in: Self.schemaClass)
        for (key, object) in objects {
          let isIn = query.matches { object[$0] ?? .null }
          #expect(isIn == local.contains(key), "\(place): \(object)")
          if isIn { #expect(query.filter.answer(object) != false, "filter of \(place): \(object)") }
        }
      }
    }
  }
}

extension SubscriptionFilter {
  /// Returns the answer of a database: true, false, or nil where it cannot say.
  func answer(_ object: [SyncText: SyncValue]) -> Bool? {
    func compared(_ name: SyncText, _ value: SyncValue, _ test: (SyncValue, SyncValue) -> Bool) -> Bool? {
      let own = object[name] ?? .null
      guard own != .null, own.isOfSameType(as: value) else { return nil }
      return test(own, value)
    }
    switch self {
    case .unknown: return nil
    case .isNull(let name): return (object[name] ?? .null) == .null
    case .equal(let name, let value): return compared(name, value, ==)
    case .less(let name, let value): return compared(name, value, <)
    case .lessOrEqual(let name, let value): return compared(name, value) { $0 < $1 || $0 == $1 }
    case .oneOf(let name, let values):
      return values.contains { compared(name, $0, ==) == true }
        ? true : values.isEmpty ? nil : compared(name, values[0]) { _, _ in false }
    case .prefix(let name, let start):
      guard case .string(let text)? = object[name] else { return nil }
      return text.string.utf8.starts(with: start.string.utf8)
    case .and(let parts):
      let answers = parts.map { $0.answer(object) }
      return answers.contains(false) ? false : answers.contains(nil) ? nil : true
    case .or(let parts):
      let answers = parts.map { $0.answer(object) }
      return answers.contains(true) ? true : answers.contains(nil) ? nil : false
    case .not(let part): return part.answer(object).map { !$0 }
    }
  }
}

extension SyncValue {
  fileprivate func isOfSameType(as other: SyncValue) -> Bool {
    switch (self, other) {
    case (.bool, .bool), (.int, .int), (.string, .string), (.date, .date), (.uuid, .uuid), (.objectID, .objectID): true
    default: false
    }
  }
}
