import Foundation
import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

@Suite("Index views")
struct IndexViewTests {
  /// An index over an array of values: object k holds `values[k]`.
  final class Fixture {
    let directory: TemporaryDirectory
    let environment: Environment
    let tree: PairTree
    let type: ColumnType
    let values: [StoredValue]

    init(_ values: [StoredValue], _ type: ColumnType, limits: PairLimits = PairLimits(pairs: 5, bytes: 640)) throws {
      directory = try TemporaryDirectory("index")
      var options = EnvironmentOptions(tables: ["indexes"])
      options.durability = .none
      environment = try Environment.open(path: directory.file("store"), options: options)
      tree = try #require(
        PairTree.index(
          table: environment.table("indexes"), ClassID(rawValue: 1), ColumnID(rawValue: 1), type: type, limits: limits))
      self.type = type
      self.values = values
      var changes = PairChanges(codec: tree.codec)
      for (key, value) in values.enumerated() {
        changes.add(try #require(IndexValue(value, type: type)), ObjectKey(rawValue: UInt64(key)), 1)
      }
      let transaction = try environment.beginWrite()
      try tree.apply(&changes, in: transaction)
      try transaction.commit()
    }

    func view() throws -> IndexView {
      let transaction = try environment.beginRead()
      let (tree, values) = (tree, values)
      let reader = PairReader(tree) { try transaction.cursor(tree.table) }
      return IndexView(reader, type: type) { values[Int($0.rawValue)] }
    }
  }

  @Test("cut strings with equal heads are distinguished and ordered by their whole values")
  func cutStrings() throws {
    var random = TestSupport.SeededRandom.forTest()
    let head = String(repeating: "long head ", count: 24)
    #expect(head.utf8.count == PairLimits.valueBytes)
    var texts = ["", "a", head, head + "\0", String(head.dropLast()), String(head.dropLast()) + "zz", "zzz"]
    for _ in 0..<80 { texts.append(head + random.string(maxLength: 3)) }
    for _ in 0..<20 { texts.append("m" + head + random.string(maxLength: 2)) }
    texts.shuffle(using: &random)
    let fixture = try Fixture(texts.map { .string($0) } + [.null], .string)
    let view = try fixture.view()
    let order = texts.indices.sorted { left, right in
      let (first, second) = (Array(texts[left].utf8), Array(texts[right].utf8))
      return first == second ? left < right : first.lexicographicallyPrecedes(second)
    }
    var visited: [Int] = []
    try view.forEach(descending: false) {
      visited.append(Int($0.rawValue))
      return true
    }
    #expect(visited == [texts.count] + order)
    visited = []
    try view.forEach(descending: true) {
      visited.append(Int($0.rawValue))
      return true
    }
    #expect(visited == order.reversed() + [texts.count])
    visited = []
    try view.forEach(descending: false) {
      visited.append(Int($0.rawValue))
      return visited.count < 10
    }
    #expect(visited.count == 10)
    for text in texts + ["absent", head + "absent"] {
      let bytes = Array(text.utf8)
      let equal = texts.indices.filter { Array(texts[$0].utf8) == bytes }
      #expect(try view.keys(equalTo: .string(text)).map { Int($0.rawValue) } == equal)
      #expect(try view.count(equalTo: .string(text)) == equal.count)
      #expect(try view.firstKey(equalTo: .string(text)).map { Int($0.rawValue) } == equal.first)
      let below = order.filter { Array(texts[$0].utf8).lexicographicallyPrecedes(bytes) }
      #expect(try view.keys(from: .unbounded, to: .exclusive(.string(text))).map { Int($0.rawValue) } == below)
      let notAbove = order.filter { !bytes.lexicographicallyPrecedes(Array(texts[$0].utf8)) }
      #expect(try view.count(from: .unbounded, to: .inclusive(.string(text))) == notAbove.count)
      let above = order.filter { bytes.lexicographicallyPrecedes(Array(texts[$0].utf8)) }
      #expect(try view.keys(from: .exclusive(.string(text)), to: .unbounded).map { Int($0.rawValue) } == above)
      #expect(try view.count(from: .inclusive(.string(text)), to: .unbounded) == texts.count - below.count)
    }
  }

  @Test("integers order by value through zero, and nulls are in no range")
  func integers() throws {
    let numbers: [Int64] = [5, -1, .min, .max, 0, 5, -300, 70_000, 5]
    let fixture = try Fixture(numbers.map { .int($0) } + [.null, .null], .int)
    let view = try fixture.view()
    #expect(try view.keys(equalTo: .int(5)).map(\.rawValue) == [0, 5, 8])
    #expect(try view.firstKey(equalTo: .int(5))?.rawValue == 0)
    #expect(try view.firstKey(equalTo: .int(6)) == nil)
    #expect(try view.keys(equalTo: .null).map(\.rawValue) == [9, 10])
    #expect(try view.firstKey(equalTo: .null)?.rawValue == 9)
    #expect(try view.keys(from: .inclusive(.int(-1)), to: .exclusive(.int(70_000))).map(\.rawValue) == [1, 4, 0, 5, 8])
    #expect(try view.keys(from: .unbounded, to: .exclusive(.int(0))).map(\.rawValue) == [2, 6, 1])
    #expect(try view.count(from: .unbounded, to: .unbounded) == numbers.count)
    #expect(try view.count(from: .inclusive(.int(9)), to: .inclusive(.int(8))) == 0)
    #expect(try view.count(from: .inclusive(.null), to: .inclusive(.null)) == 0)
    #expect(try view.entryCount() == numbers.count + 2)
    #expect(throws: StorageError.self) { try view.count(equalTo: .string("5")) }
  }

  @Test("doubles order by value, with one zero")
  func doubles() throws {
    let numbers: [Double] = [0, -0.0, 1.5, -1.5, .infinity, -.infinity, .leastNonzeroMagnitude]
    let fixture = try Fixture(numbers.map { .double($0) }, .double)
    let view = try fixture.view()
    #expect(try view.keys(equalTo: .double(-0.0)).map(\.rawValue) == [0, 1])
    #expect(try view.keys(from: .unbounded, to: .unbounded).map(\.rawValue) == [5, 3, 0, 1, 6, 2, 4])
  }

  @Test("dates, UUIDs and ObjectIds order by their bytes")
  func fixedBytes() throws {
    let dates: [Timestamp] = [
      .init(seconds: 5), .init(seconds: -5, nanoseconds: 9), .init(seconds: 5, nanoseconds: 1), .init(seconds: .min),
      .init(seconds: -5),
    ]
    let view = try Fixture(dates.map { .date($0) }, .date).view()
    #expect(try view.keys(from: .unbounded, to: .unbounded).map(\.rawValue) == [3, 4, 1, 0, 2])
    #expect(try view.keys(equalTo: .date(dates[2])).map(\.rawValue) == [2])
    #expect(
      try view.keys(from: .exclusive(.date(dates[4])), to: .inclusive(.date(dates[0]))).map(\.rawValue) == [1, 0])

    var random = TestSupport.SeededRandom.forTest()
    let identifiers = (0..<50).map { _ in
      ObjectIdBytes(high: random.next(), low: UInt32(truncatingIfNeeded: random.next()))
    }
    let order = identifiers.indices.sorted { identifiers[$0] < identifiers[$1] }
    let objectIds = try Fixture(identifiers.map { .objectId($0) }, .objectId).view()
    #expect(try objectIds.keys(from: .unbounded, to: .unbounded).map { Int($0.rawValue) } == order)

    let uuids = (0..<20).map { _ in UUID() }
    let byUUID = try Fixture(uuids.map { .uuid($0) }, .uuid).view()
    for (key, uuid) in uuids.enumerated() {
      #expect(try byUUID.firstKey(equalTo: .uuid(uuid))?.rawValue == UInt64(key))
    }
  }
}
