import Foundation
import Testing

@testable import Larder

final class GroupedSale: Object {
  @Persisted var kind: String
  @Persisted var pieces: Int
  @Persisted var price: Double?
  @Persisted var parent: GroupedSale?
  @Persisted var parts: List<GroupedSale>
  @Persisted var words: List<String>

  override class func propertiesMapping() -> [String: String] { ["pieces": "stored_pieces"] }

  convenience init(_ kind: String, _ pieces: Int, _ price: Double? = nil) {
    self.init()
    (self.kind, self.pieces, self.price) = (kind, pieces, price)
  }
}

@Suite("Groups of objects")
struct ObjectGroupingTests {
  let folder: TemporaryFolder
  let realm: Realm

  init() throws {
    folder = try TemporaryFolder()
    realm = try Realm(configuration: folder.configuration([GroupedSale.self]))
    try realm.write {
      let first = GroupedSale("b", 1, 2)
      realm.add(first)
      for sale in [GroupedSale("a", 2, 4), GroupedSale("b", 3), GroupedSale("a", 4, 8)] {
        sale.parent = first
        realm.add(sale)
      }
      first.parts.append(objectsIn: realm.objects(GroupedSale.self).filter("pieces > 2"))
    }
  }

  private var sales: Results<GroupedSale> { realm.objects(GroupedSale.self) }

  @Test("U-16: groups by key paths as text and in Swift, in order, with every aggregate")
  func aggregates() throws {
    let groups = try sales.grouped(
      by: "kind", .count, .sum("pieces"), .min("price"), .max(\GroupedSale.price), .average(\GroupedSale.pieces))
    #expect(groups.map(\.key.stringValue) == ["a", "b"] && groups.map(\.count) == [2, 2])
    #expect(groups.map { $0[.sum("pieces")].intValue } == [6, 4])
    #expect(groups.map { $0[.min(\GroupedSale.price)].doubleValue } == [4, 2])
    #expect(groups[1][.max("price")] == .double(2) && groups[0][.average("pieces")] == .double(3))
    #expect(groups[0][.count] == .int(2))
    let byParent = try sales.grouped(by: [\.parent?.kind, \.kind], .sum("price"))
    #expect(
      byParent.map(\.keys) == [[.none, .string("b")], [.string("b"), .string("a")], [.string("b"), .string("b")]])
    #expect(byParent.map { $0[.sum("price")].doubleValue } == [2, 12, 0])
    #expect(try sales.grouped(by: \.kind).map(\.count) == [2, 2])
    #expect(try sales.grouped(by: ["parts.@count"]).map { [$0.key.intValue, $0.count] } == [[0, 3], [2, 1]])
  }

  @Test("U-16: of filtered results, lists, in write transactions and frozen")
  func sources() throws {
    #expect(try sales.filter("pieces > 1").grouped(by: "kind").map(\.count) == [2, 1])
    #expect(try sales.where { $0.pieces > 9 }.grouped(by: "kind").isEmpty)
    #expect(try sales[0].parts.grouped(by: "kind", .sum("pieces")).map { $0[.sum("pieces")].intValue } == [4, 3])
    let frozen = sales.freeze()
    try realm.write {
      realm.add(GroupedSale("c", 1))
      let counts = try sales.grouped(by: "kind").map(\.count)
      #expect(counts == [2, 2, 1])
    }
    #expect(try frozen.grouped(by: "kind").map(\.count) == [2, 2])
  }

  @Test("U-16: what cannot be is a typed error")
  func mistakes() throws {
    #expect(throws: Realm.Error.self) { try sales.grouped(by: "words") }
    #expect(throws: Realm.Error.self) { try sales.grouped(by: "knid") }
    #expect(throws: Realm.Error.self) { try sales.grouped(by: [String]()) }
    #expect(throws: Realm.Error.self) { try sales.grouped(by: "kind", .sum("kind")) }
    #expect(throws: Realm.Error.self) { try sales[0].words.grouped(by: "self") }
  }

  @Test("Q-77: groups are described, and found by rows: conditions, orders, offsets and limits")
  func described() throws {
    let groups = sales.group(by: \.kind, \.parent?.kind).aggregate(.count, .sum(\GroupedSale.pieces))
    #expect(try groups.rows().map(\.keys).count == 3)
    #expect(try groups.having("sum(pieces) > 2").rows().map { $0[.sum("pieces")].intValue } == [6, 3])
    #expect(try groups.having("max(price) == nil").rows().map(\.count) == [1])
    #expect(try groups.having("kind == %@ AND count < %@", "b", 9).rows().count == 2)
    #expect(try groups.having { $0.count == 1 }.limit(1).rows().count == 1)
    let sorted = groups.sorted(by: .sum("pieces"), ascending: false).sorted(byKeyPath: "kind")
    #expect(try sorted.rows().map { $0[.sum("pieces")].intValue } == [6, 3, 1])
    #expect(try sorted.offset(1).limit(1).rows().map { $0[.sum("pieces")].intValue } == [3])
    #expect(try sales.group(by: ["parts.@count"]).having("count > 1").rows().map(\.count) == [3])
    #expect(try groups.explain().root.text.hasPrefix("group by columns kind, parent.kind: count, sum("))
  }

  @Test("Q-77: medians, percentiles and different values, and all objects as one group")
  func moreAggregates() throws {
    let all = try sales.aggregated(
      .median(\GroupedSale.price), .percentile("pieces", 90), .distinct(\GroupedSale.kind), .sum("parent.pieces"))
    #expect(all.count == 4 && all.keys.isEmpty && all[.median("price")] == .double(4))
    #expect(all[.distinct("kind")] == .int(2) && all[.sum("parent.pieces")] == .int(3))
    #expect(abs((all[.percentile("pieces", 90)].doubleValue ?? 0) - 3.7) < 1e-9)
    #expect(try sales.filter("pieces > 99").aggregated(.count, .median("price"))[.median("price")] == .none)
  }

  @Test("Q-77: groups by what is computed, in text and in Swift")
  func computed() throws {
    let text = try sales.group(by: ["pieces / 2", "lowercase(parent.kind)"]).aggregate(.sum("pieces * price")).rows()
    #expect(text.map(\.keys) == [[.int(0), .none], [.int(1), .string("b")], [.int(2), .string("b")]])
    #expect(text.map(\.count) == [1, 2, 1] && text.map { $0[.sum("pieces * price")].doubleValue } == [2, 8, 32])
    let total = GroupAggregate.sum { (sale: Query<GroupedSale>) in sale.pieces * sale.price }
    let swift = sales.group(by: { $0.pieces / 2 }, { $0.parent.kind.lowercased() }).aggregate(total)
      .sorted(by: total, ascending: false)
    #expect(try swift.rows().map { $0[total].doubleValue } == [32, 8, 2])
    #expect(try swift.rows().map(\.keys) == [text[2], text[1], text[0]].map(\.keys))
    #expect(try swift.having("pieces / 2 > 0 AND sum(pieces * price) > 9").rows().map(\.count) == [1])
    #expect(try swift.sorted(byKeyPath: "pieces/2").rows().count == 3)
    #expect(try sales.group { $0.kind }.rows().map(\.count) == [2, 2])
    #expect(try sales.group { $0.parts.count }.rows().map(\.count) == [3, 1])
    #expect(
      try sales.grouped(by: "length(kind)", .median("pieces * 2")).map { $0[.median("pieces * 2")] } == [.double(5)])
    #expect(try sales.aggregated(.percentile(100) { (sale: Query<GroupedSale>) in sale.pieces + 1 }, .count).count == 4)
    let mixed = try sales.group { $0.price / 0.5 }.aggregate(.distinct("kind"), .max("pieces - 1")).rows()
    #expect(mixed.map(\.key) == [.none, .double(4), .double(8), .double(16)])
  }

  @Test("Q-77: what cannot be computed is a typed error of rows, with the place in the text")
  func computedMistakes() throws {
    for (key, place) in [("pieces / nothing", "position 9"), ("hour(kind)", "position 5"), ("pieces /", "position 8")] {
      let error = #expect(throws: Realm.Error.self) { try sales.group(by: [key]).rows() }
      #expect(error?.message.contains(place) ?? false, "\(String(describing: error))")
    }
    let error = #expect(throws: Realm.Error.self) {
      try sales.group(by: \.kind).aggregate(.sum("pieces / prise")).rows()
    }
    #expect(error?.message.contains("price") ?? false, "\(String(describing: error))")
    #expect(throws: Realm.Error.self) { try sales.group(by: \.kind).aggregate(.sum("lowercase(kind)")).rows() }
    #expect(throws: Realm.Error.self) { try sales.group { $0.parts }.rows() }
    #expect(throws: Realm.Error.self) { try sales.group { $0.pieces > 3 }.rows() }
    #expect(throws: Realm.Error.self) { try sales.group(by: ["pieces / 2"]).having("pieces > 2").rows() }
    #expect(throws: Realm.Error.self) { try sales.group(by: ["pieces / 2"]).sorted(byKeyPath: "pieces").rows() }
  }

  @Test("Q-78: groups of pairs by what is computed of either side")
  func computedPairs() throws {
    let pairs = try sales.joined(with: sales.filter("pieces == 3"), on: [("kind", "kind")], kind: .left)
    let groups = pairs.group(by: .left { $0.pieces / 2 }, .right { $0.pieces * 10 })
      .aggregate(.sum("pieces * 2"), .max("pieces * 3").ofRight)
    let rows = try groups.rows()
    #expect(rows.map(\.keys) == [[.int(0), .int(30)], [.int(1), .none], [.int(1), .int(30)], [.int(2), .none]])
    #expect(rows.map { $0[.sum("pieces * 2")].intValue } == [2, 4, 6, 8])
    #expect(rows.map { $0[.max("pieces * 3").ofRight].intValue } == [9, nil, 9, nil])
    #expect(try groups.having("max(right.pieces * 3) == 9 AND right.pieces * 10 == 30").rows().count == 2)
    #expect(try groups.sorted(byKeyPath: "right.pieces * 10", ascending: false).rows().map(\.count) == [1, 1, 1, 1])
    #expect(throws: Realm.Error.self) { try groups.having("max(right.pieces * pieces) == 9").rows() }
  }

  @Test("Q-78: pairs of objects with equal values, and groups over them")
  func pairs() throws {
    let pairs = try sales.joined(with: sales.filter("pieces > 1"), on: (\.kind, \.kind))
    #expect(
      pairs.map { [$0.left.pieces, $0.right?.pieces ?? 0] } == [[1, 3], [2, 2], [2, 4], [3, 3], [4, 2], [4, 4]])
    let left = try sales.joined(with: sales.filter("pieces == 3"), on: [("kind", "kind")], kind: .left)
    #expect(left.map { $0.right?.pieces } == [3, nil, 3, nil] && left.count == 4)
    let groups = try left.group(by: .left(\.kind), .right(\.pieces))
      .aggregate(.sum(\GroupedSale.pieces), .max(\GroupedSale.pieces).ofRight).rows()
    #expect(groups.map(\.keys) == [[.string("a"), .none], [.string("b"), .int(3)]])
    #expect(groups.map { $0[.sum("pieces")].intValue } == [6, 4] && groups[1][.max("pieces").ofRight] == .int(3))
    let kept = try left.group(by: .right(\.kind)).having("max(right.pieces) == 3 AND right.kind == 'b'").rows()
    #expect(kept.map(\.count) == [2])
    #expect(try left.explain().root.text == "left join by hash on GroupedSale.kind == GroupedSale.kind")
  }

  @Test("Q-78: pairs of objects by what is computed of either side, in text and in Swift")
  func pairsByWhatIsComputed() throws {
    let halves = try sales.joined(with: sales, on: [("pieces / 2", "pieces"), ("kind", "lowercase(kind)")])
    #expect(halves.map { [$0.left.pieces, $0.right?.pieces ?? 0] } == [[3, 1], [4, 2]])
    let typed = try sales.joined(
      with: sales, on: ({ $0.pieces / 2 }, { $0.pieces }), ({ $0.kind }, { $0.kind.lowercased() }))
    #expect(typed.map { [$0.left.pieces, $0.right?.pieces ?? 0] } == [[3, 1], [4, 2]])
    let only = try sales.joined(with: sales, on: ({ $0.pieces / 2 }, { $0.pieces }), kind: .left)
    #expect(only.map { $0.right?.pieces } == [nil, 1, 1, 2])
    #expect(try only.group(by: .right { $0.pieces }).rows().map(\.count) == [1, 2, 1])
    #expect(try only.explain().root.text.contains(" / 2"))
    let error = #expect(throws: Realm.Error.self) {
      try sales.joined(with: sales, on: ({ $0.pieces / 2 }, { $0.kind }))
    }
    #expect(error?.message.contains("one type") ?? false, "\(String(describing: error))")
    #expect(throws: Realm.Error.self) { try sales.joined(with: sales, on: ({ $0.pieces > 3 }, { $0.pieces > 3 })) }
  }

  @Test("Q-78: pairs stay as they were found; deleted objects in them are invalidated")
  func pairsStay() throws {
    let pairs = try sales.joined(with: sales, on: (\.pieces, \.pieces))
    try realm.write { realm.delete(sales.filter("pieces == 2")) }
    #expect(pairs.count == 4 && pairs.filter { $0.left.isInvalidated }.count == 1)
    #expect(try pairs.group(by: .left(\.kind)).rows().map(\.count) == [1, 2])
  }

  @Test("Q-77, Q-78: what cannot be grouped, worked out or joined is a typed error")
  func moreMistakes() throws {
    #expect(throws: Realm.Error.self) { try sales.group(by: ["words"]).rows() }
    #expect(throws: Realm.Error.self) { try sales.group(by: \.kind).having("knid == 1").rows() }
    #expect(throws: Realm.Error.self) { try sales.group(by: \.kind).sorted(byKeyPath: "pieces").rows() }
    #expect(throws: Realm.Error.self) { try sales.aggregated(.percentile("pieces", 101)) }
    #expect(throws: Realm.Error.self) { try sales.aggregated(.median("kind")) }
    #expect(throws: Realm.Error.self) { try sales.aggregated(.sum("pieces").ofRight) }
    #expect(throws: Realm.Error.self) { try sales.joined(with: sales, on: (\.kind, \.pieces)) }
    #expect(throws: Realm.Error.self) { try sales.joined(with: sales, on: [("words", "words")]) }
    #expect(throws: Realm.Error.self) { try sales.joined(with: sales.freeze(), on: (\.kind, \.kind)) }
  }
}
