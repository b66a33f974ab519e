import Foundation
import Larder
import Testing

extension Kind: Codable {}

private class Tag: EmbeddedObject, Codable { @Persisted var text: String }

/// Names that the base class uses inside.
private class Names: Object {
  @Persisted var tag: Int
  @Persisted var slot: Int
  @Persisted var states: Int
  @Persisted var objectKey: Int
  @Persisted var core: Int
  @Persisted var epoch: Int
  @Persisted var trace: String
  @Persisted var model: String
  @Persisted var throwing: Bool
}

private class Item: Object, Codable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String = "unnamed"
  @Persisted var note: String?
  @Persisted var price: Decimal128
  @Persisted var key: ObjectId
  @Persisted var uuid: UUID
  @Persisted var bytes: Data
  @Persisted var made: Date
  @Persisted var kind: Kind
  @Persisted var other: Kind?
  @Persisted var numbers: List<Int>
  @Persisted var gaps: List<String?>
  @Persisted var tag: Tag?
  @Persisted var parent: Item?
}

@Suite("Objects and Codable") struct CodableTests {
  private let full = """
    {"id": 7, "name": "box", "note": null, "price": "12.50", "key": "507f1f77bcf86cd799439011",
     "uuid": "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "bytes": "AQI=", "made": 5, "kind": "special",
     "numbers": [1, 2], "gaps": ["a", null], "tag": {"text": "t"},
     "parent": {"id": 8, "name": "crate", "price": 3, "key": "000000000000000000000000",
                "uuid": "6BA7B810-9DAD-11D1-80B4-00C04FD430C9", "bytes": "", "made": 0, "kind": "plain",
                "numbers": [], "gaps": []}}
    """

  private func decode(_ text: String) throws -> Item { try JSONDecoder().decode(Item.self, from: Data(text.utf8)) }

  @Test("O-104: an object decodes into an unmanaged one with its links and lists, and can be added") func decoding()
    throws
  {
    let item = try decode(full)
    #expect(item.realm == nil && item.id == 7 && item.name == "box" && item.note == nil && item.price == 12.5)
    #expect(item.key == (try ObjectId(string: "507f1f77bcf86cd799439011")) && item.bytes == Data([1, 2]))
    #expect(item.made == Date(timeIntervalSinceReferenceDate: 5) && item.kind == .special && item.other == nil)
    #expect(Array(item.numbers) == [1, 2] && Array(item.gaps) == ["a", nil] && item.tag?.text == "t")
    #expect(item.parent?.name == "crate" && item.parent?.price == 3 && item.parent?.parent == nil)
    let realm = try makeRealm([Item.self, Tag.self])
    try realm.write { realm.add(item) }
    #expect(realm.objects(Item.self).count == 2 && item.tag?.text == "t" && Array(item.numbers) == [1, 2])
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(item) }
  }

  @Test("O-104: an unmanaged object encodes and decodes to the same values") func roundTrip() throws {
    let item = try decode(full)
    let again = try JSONDecoder().decode(Item.self, from: JSONEncoder().encode(item))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(try encoder.encode(again) == encoder.encode(item))
    let fresh = Item()
    let copy = try JSONDecoder().decode(Item.self, from: JSONEncoder().encode(fresh))
    #expect(copy.uuid == fresh.uuid && copy.key == fresh.key && copy.made == fresh.made && copy.name == "unnamed")
  }

  @Test("O-104: results, lists, sets, erased collections and maps of values encode; nulls stay") func collections()
    throws
  {
    let realm = try makeBagRealm()
    let bag = try realm.write {
      realm.create(
        Bag.self,
        value: ["id": 1, "ints": [2, 1], "optInts": [NSNull(), 3], "optCounts": ["a": 1, "b": NSNull()]]
          as [String: Any])
    }
    func text(_ value: some Encodable) throws -> String {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
    #expect(try text(bag.ints.sorted(ascending: false)) == "[2,1]" && text(AnyRealmCollection(bag.ints)) == "[1,2]")
    #expect(try text(bag.optInts) == "[null,3]" && text(bag.optCounts) == "{\"a\":1,\"b\":null}")
    #expect(try text(bag.ints.freeze()) == "[1,2]" && text(List<Int>()) == "[]")
    let map = try JSONDecoder().decode(Map<String, Int?>.self, from: Data("{\"a\":1,\"b\":null}".utf8))
    #expect(map.count == 2 && map["b"] == .some(nil) && map["a"] == 1)
  }

  @Test("A missing key is nil for optional properties, and an error for required ones and collections") func missing()
    throws
  {
    #expect(try decode(full.replacingOccurrences(of: "\"note\": null,", with: "")).note == nil)
    for key in ["\"name\": \"box\",", "\"numbers\": [1, 2],"] {
      #expect(throws: DecodingError.self) { try decode(full.replacingOccurrences(of: key, with: "")) }
    }
  }

  @Test("Null gives the default of a type that has one") func nulls() throws {
    let item = try decode(
      full.replacingOccurrences(of: "\"box\"", with: "null").replacingOccurrences(of: "[1, 2]", with: "null"))
    #expect(item.name.isEmpty && item.numbers.isEmpty)
    let error = #expect(throws: DecodingError.self) {
      try decode(full.replacingOccurrences(of: "\"special\"", with: "null"))
    }
    guard case .typeMismatch? = error else { return #expect(Bool(false), "\(error as Any)") }
  }

  @Test("A model may use the names that the base class uses inside") func names() throws {
    let realm = try makeRealm([Names.self])
    let names = try realm.write {
      realm.create(Names.self, value: ["tag": 1, "slot": 2, "core": 3, "model": "m"] as [String: Any])
    }
    #expect(names.tag == 1 && names.slot == 2 && names.core == 3 && names.model == "m" && !names.throwing)
  }

  @Test("Malformed identifiers and numbers") func malformed() throws {
    #expect(throws: DecodingError.self) { try decode(full.replacingOccurrences(of: "507f1f", with: "xyz")) }
    #expect(try decode(full.replacingOccurrences(of: "12.50", with: "much")).price.isNaN)
  }
}
