import Foundation
import Larder

enum Kind: String, PersistableEnum { case plain, special }
enum Level: Int, PersistableEnum { case low = 1, high = 10 }

class Person: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name: String = ""
  @Persisted var age: Int
  @Persisted var score: Double
  @Persisted var active: Bool = true
  @Persisted var created: Date
  @Persisted var email: String?
  @Persisted var best: Person?
  @Persisted var dogs: List<Dog>
  @Persisted var address: Address?

  convenience init(id: Int, name: String = "", age: Int = 0) {
    self.init()
    self.id = id
    self.name = name
    self.age = age
  }
}

class Dog: Object {
  @Persisted var name: String
  @Persisted var kind: Kind
  @Persisted var owner: Person?
  @Persisted var tags: List<String>

  convenience init(name: String) {
    self.init()
    self.name = name
  }
}

class Address: EmbeddedObject {
  @Persisted var city: String?
  @Persisted var rooms: List<Room>
}

class Room: EmbeddedObject {
  @Persisted var size: Int
  @Persisted var guest: Dog?

  convenience init(size: Int) {
    self.init()
    self.size = size
  }
}

/// Every type that can be stored.
class Everything: Object {
  @Persisted(primaryKey: true) var key: ObjectId
  @Persisted var bool: Bool
  @Persisted var int: Int
  @Persisted var int8: Int8
  @Persisted var int16: Int16
  @Persisted var int32: Int32
  @Persisted var int64: Int64
  @Persisted var float: Float
  @Persisted var double: Double
  @Persisted var string: String
  @Persisted var data: Data
  @Persisted var date: Date
  @Persisted var uuid: UUID
  @Persisted var objectId: ObjectId
  @Persisted var decimal: Decimal128
  @Persisted var kind: Kind
  @Persisted var level: Level
  @Persisted var optBool: Bool?
  @Persisted var optInt: Int?
  @Persisted var optInt8: Int8?
  @Persisted var optFloat: Float?
  @Persisted var optDouble: Double?
  @Persisted var optString: String?
  @Persisted var optData: Data?
  @Persisted var optDate: Date?
  @Persisted var optUuid: UUID?
  @Persisted var optObjectId: ObjectId?
  @Persisted var optDecimal: Decimal128?
  @Persisted var optKind: Kind?
  @Persisted var optLevel: Level?
  @Persisted var ints: List<Int>
  @Persisted var optInts: List<Int?>
  @Persisted var strings: List<String>
  @Persisted var dates: List<Date>
  @Persisted var kinds: List<Kind>
}

func makeRealm(_ types: [ObjectBase.Type] = [Person.self, Dog.self, Address.self, Room.self, Everything.self]) throws
  -> Realm
{
  try Realm(configuration: temporaryConfiguration(types))
}

func temporaryConfiguration(
  _ types: [ObjectBase.Type] = [Person.self, Dog.self, Address.self, Room.self, Everything.self]
) -> Realm.Configuration {
  _ = MisuseCleanup.installed
  return Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: types)
}

func temporaryConfiguration(at path: String) -> Realm.Configuration {
  Realm.Configuration(
    fileURL: URL(fileURLWithPath: path), objectTypes: [Person.self, Dog.self, Address.self, Room.self])
}
