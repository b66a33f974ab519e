import Foundation
import Larder

/// The contents of the fixture `format-1-tails`: every kind of value and collection, and objects that were added one at a time.
enum NewestObjects {
  class Second: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: .fullText) var text = ""
    @Persisted(indexed: true) var mark: ObjectId?
    @Persisted(indexed: true) var flag: Bool
    @Persisted var decimal: Decimal128
    @Persisted var optionalFloat: Float?
    @Persisted var data = Data()
    @Persisted var any: AnyRealmValue
    @Persisted var next: Second?
    @Persisted var inner: Inner?
    @Persisted var decimals: List<Decimal128>
    @Persisted var dates: List<Date?>
    @Persisted var blobs: List<Data>
    @Persisted var numbers: MutableSet<Double>
    @Persisted var friends: MutableSet<Second>
    @Persisted var values: MutableSet<AnyRealmValue>
    @Persisted var byName: Map<String, Second?>
    @Persisted var inners: Map<String, Inner?>
    @Persisted var anyByName: Map<String, AnyRealmValue>
    @Persisted var uuids: Map<String, UUID?>

    override class var compositeIndexes: [[AnyKeyPath]] { [[\Second.flag, \Second.id]] }
  }
  class Inner: EmbeddedObject {
    @Persisted var name = ""
    @Persisted var next: Second?
    @Persisted var deeper: List<Deep>
  }
  class Deep: EmbeddedObject { @Persisted var number: Int }

  static let types: [ObjectBase.Type] = [Second.self, Inner.self, Deep.self]
  /// Objects that were added at once, and those that came one at a time.
  static let first = 40
  static let newest = 5
  /// Objects whose text speaks of oaks.
  static let oaks = 9

  static func fill(_ realm: Realm) throws {
    try realm.write { for id in 0..<first { add(id, realm) } }
    try realm.write { realm.delete(realm.objects(Second.self).where { $0.id == 11 }) }
    for id in first..<first + newest { try realm.write { add(id, realm) } }
  }

  private static func add(_ id: Int, _ realm: Realm) {
    let object = realm.create(Second.self, value: ["id": id])
    object.text = id % 5 == 0 ? "an oak and \(id) beeches" : "elm \(id)"
    object.mark = id % 3 == 0 ? nil : try? ObjectId(string: String(format: "%024x", id * 7))
    object.flag = id % 2 == 0
    if id % 4 != 0 { object.decimal = Decimal128(integerLiteral: Int64(id * 1_000)) }
    object.optionalFloat = id % 3 == 1 ? nil : id % 3 == 2 ? .infinity : Float(id) / 3
    object.data = Data((0..<(id == 7 ? 20_000 : id)).map { UInt8(truncatingIfNeeded: $0 &* 13) })
    guard id < first else { return }
    let before = realm.object(ofType: Second.self, forPrimaryKey: id / 2)
    object.next = before
    object.any = any(id, before)
    if id % 4 == 0 {
      object.inner = Inner(value: ["name": "inner \(id)", "deeper": [["number": id], ["number": -id]]])
    }
    object.decimals.append(objectsIn: (0..<id % 4).map { Decimal128(integerLiteral: Int64($0)) })
    object.dates.append(objectsIn: (0..<id % 5).map { $0 == 2 ? nil : Date(timeIntervalSince1970: Double($0) + 0.25) })
    object.blobs.append(objectsIn: (0..<id % 3).map { Data(repeating: UInt8($0), count: id == 8 ? 3_000 : $0) })
    object.numbers.insert(objectsIn: (0..<id % 6).map { Double($0) / 2 })
    if let before { object.friends.insert(objectsIn: [before, object]) }
    object.values.insert(objectsIn: [.int(id), .string("x"), .none, .decimal128(Decimal128(integerLiteral: 3))])
    for number in 0..<id % 3 {
      object.byName["key \(number)"] = number == 1 ? nil : before
      object.inners["key \(number)"] = Inner(value: ["name": "of \(number)"])
      object.anyByName["key \(number)"] = .fromArray([.int(number), .fromDictionary(["a": .bool(true)])])
      object.uuids["key \(number)"] = UUID(uuidString: "00000000-0000-4000-8000-00000000000\(number)")
    }
  }

  private static func any(_ id: Int, _ other: Second?) -> AnyRealmValue {
    switch id % 7 {
    case 0: .none
    case 1: .double(Double(id) + 0.5)
    case 2: other.map { .object($0) } ?? .none
    case 3:
      .fromDictionary(["list": .fromArray([.int(id), .string("deep")]), "date": .date(Date(timeIntervalSince1970: 5))])
    case 4: .data(Data([1, 2, 3]))
    case 5: .uuid(UUID(uuidString: "00000000-0000-4000-8000-0000000000aa") ?? UUID())
    default: .string(String(repeating: "any ", count: id == 6 ? 600 : 2))
    }
  }
}
