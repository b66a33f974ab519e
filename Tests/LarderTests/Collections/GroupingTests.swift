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
}
