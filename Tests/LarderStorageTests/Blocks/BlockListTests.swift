import Dispatch
import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

/// Tests what an index answers over a list of its blocks, beside what it answers through cursors, and walks in the order of a sort.
@Suite("Lists of blocks")
struct BlockListTests {
  private static func texts(_ random: inout SeededRandom, _ count: Int) -> [StoredValue] {
    let head = String(repeating: "long head ", count: 24)
    return (0..<count).map { _ in
      switch random.int(0...9) {
      case 0: .null
      case 1, 2: .string(head + random.string(maxLength: 2))
      case 3, 4, 5: .string("same text for many")
      default: .string(random.string(maxLength: 12))
      }
    }
  }

  private static func numbers(_ random: inout SeededRandom, _ count: Int) -> [StoredValue] {
    (0..<count).map { number in
      random.oneIn(20) ? .null : .int(random.oneIn(2) ? Int64(random.int(0...6)) : Int64(number / 3) - 20)
    }
  }

  private func check(_ values: [StoredValue], _ type: ColumnType, _ random: inout SeededRandom) throws {
    let fixture = try IndexViewTests.Fixture(values, type)
    let transaction = try fixture.environment.beginRead()
    let tree = fixture.tree
    let plain = PairReader(tree) { try transaction.cursor(tree.table) }
    let list = try BlockList(plain)
    let listed = PairReader(tree, verified: nil, list: list) { try transaction.cursor(tree.table) }
    let views = [plain, listed].map { IndexView($0, type: type) { values[Int($0.rawValue)] } }
    for _ in 0..<60 {
      let value = random.pick(values)
      let expected = values.indices.filter { values[$0] == value }.map { ObjectKey(rawValue: UInt64($0)) }
      let (lower, upper) = (bound(random.pick(values), &random), bound(random.pick(values), &random))
      let inside = values.indices.filter { !values[$0].isNull && isInside(values[$0], lower, upper) }
      switch value {
      case .string(let text) where text.utf8.count <= PairLimits.valueBytes:
        #expect(try list.firstKey(equalTo: text) == expected.first)
        // Longer texts would be cut, which the list does not look for.
        let other = String(text.dropLast()) + "x"
        #expect(try list.firstKey(equalTo: other) == plain.firstKey(equalTo: .bytes(Array(other.utf8))))
      case .int(let number):
        #expect(try list.count(equalTo: IndexValue.word(number)) == expected.count)
        #expect(
          try list.count(equalTo: IndexValue.word(number) + 1) == plain.count(equalTo: IndexValue.word(number) + 1))
      default: break
      }
      for view in views {
        #expect(try view.count(equalTo: value) == expected.count)
        #expect(try view.firstKey(equalTo: value) == expected.first)
        #expect(try view.keys(equalTo: value) == expected)
        #expect(try view.count(from: lower, to: upper) == inside.count, "\(lower) \(upper)")
        for descending in [false, true] {
          let withNulls = random.oneIn(2)
          let nulls = withNulls ? values.indices.filter { values[$0].isNull } : []
          let sorted = inside.sorted { a, b in
            let order = StoredOrder.compare(values[a], values[b])
            return order == 0 ? a < b : (order < 0) != descending
          }
          let wanted = (descending ? sorted + nulls : nulls + sorted).map { ObjectKey(rawValue: UInt64($0)) }
          let limit = random.oneIn(2) ? wanted.count : random.int(0...max(1, wanted.count))
          var visited: [ObjectKey] = []
          try view.forEachSorted(from: lower, to: upper, withNulls: withNulls, descending: descending) { key in
            if visited.count < limit { visited.append(key) }
            return visited.count < limit
          }
          #expect(visited == Array(wanted.prefix(limit)), "\(lower) \(upper) descending \(descending)")
        }
      }
    }
  }

  private func bound(_ value: StoredValue, _ random: inout SeededRandom) -> IndexBound {
    if value.isNull { return .unbounded }
    return random.oneIn(2) ? .inclusive(value) : .exclusive(value)
  }

  private func isInside(_ value: StoredValue, _ lower: IndexBound, _ upper: IndexBound) -> Bool {
    func order(_ bound: StoredValue) -> Int { StoredOrder.compare(value, bound) }
    let isAbove =
      switch lower {
      case .unbounded: true
      case .inclusive(let bound): order(bound) >= 0
      case .exclusive(let bound): order(bound) > 0
      }
    return switch upper {
    case .unbounded: isAbove
    case .inclusive(let bound): isAbove && order(bound) <= 0
    case .exclusive(let bound): isAbove && order(bound) < 0
    }
  }

  @Test("Texts, long and equal ones among them: counts, look-ups, ranges and sorted walks")
  func texts() throws {
    var random = SeededRandom.forTest()
    for count in [1, 40, 400] { try check(Self.texts(&random, count), .string, &random) }
  }

  @Test("Integers: counts, look-ups, ranges and sorted walks")
  func integers() throws {
    var random = SeededRandom.forTest()
    for count in [1, 60, 700] { try check(Self.numbers(&random, count), .int, &random) }
  }

  @Test("Look-ups by several threads at once find what one thread finds, while each notes what it reads")
  func threads() throws {
    var random = SeededRandom.forTest()
    // Many begin alike, some in more than eight bytes, and one has no bytes.
    let texts =
      [""] + (0..<3_000).map { _ in random.pick(["", "common beginning ", "c"]) + random.string(maxLength: 6) }
    let fixture = try IndexViewTests.Fixture(texts.map { .string($0) }, .string)
    let transaction = try fixture.environment.beginRead()
    let tree = fixture.tree
    let plain = PairReader(tree) { try transaction.cursor(tree.table) }
    let list = try BlockList(plain)
    var firsts: [String: ObjectKey] = [:]
    for (number, text) in texts.enumerated() where firsts[text] == nil {
      firsts[text] = ObjectKey(rawValue: UInt64(number))
    }
    let (expected, seed) = (firsts, random.next())
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      var random = SeededRandom(seed: seed &+ UInt64(number))
      for _ in 0..<4_000 {
        let text = random.pick(texts)
        #expect((try? list.firstKey(equalTo: text)) == expected[text])
      }
    }
  }

  @Test("A snapshot that is asked often answers as before")
  func snapshots() throws {
    let temporary = try TemporaryStore(clusterSize: 64)
    let item = try temporary.write { writer in
      try writer.apply(
        [
          ClassDeclaration(
            name: "Item",
            columns: [
              ColumnDeclaration(name: "name", type: .string, isIndexed: true),
              ColumnDeclaration(name: "age", type: .int, isIndexed: true), ColumnDeclaration(name: "rest", type: .int),
            ])
        ], schemaVersion: 1)
      let item = try #require(writer.schema["Item"])
      for number in 0..<3000 {
        let key = try writer.create(item.id)
        try writer.set(item.id, item.columns[0].id, key, .string("n\(number % 500)"))
        try writer.set(item.id, item.columns[1].id, key, .int(Int64(number % 7)))
      }
      return item
    }
    let snapshot = try temporary.snapshot
    for number in 0..<300 {
      let (name, age) = (StoredValue.string("n\(number * 2)"), StoredValue.int(Int64(number % 9)))
      let expected = number * 2 < 500 ? IndexedKey.key(ObjectKey(rawValue: UInt64(number * 2))) : .none
      #expect(try snapshot.indexedKey(item.id, item.columns[0].id, equalTo: name) == expected)
      let count = number % 9 < 7 ? (3000 - number % 9 + 6) / 7 : 0
      #expect(try snapshot.indexedCount(item.id, item.columns[1].id, equalTo: age) == count)
      #expect(try snapshot.index(item.id, item.columns[1].id)?.count(equalTo: age) == count)
    }
    #expect(try snapshot.indexedKey(item.id, item.columns[2].id, equalTo: .int(0)) == .noIndex)
    #expect(try snapshot.indexedCount(item.id, item.columns[2].id, equalTo: .int(0)) == nil)
    #expect(try snapshot.indexedKey(item.id, item.columns[0].id, equalTo: .null) == .none)
  }
}
