import Foundation
import Larder
import Testing

class CasePet: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var friends: MutableSet<CasePet>
  @Persisted(originProperty: "pets") var owners: LinkingObjects<CaseMan>
}

class CaseAddress: EmbeddedObject {
  @Persisted var city: String?
  @Persisted var code: Int
}

class CaseMan: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var number: Int
  @Persisted var pets: List<CasePet>
  @Persisted var best: CasePet?
  @Persisted var numbers: List<Int>
  @Persisted var doubles: List<Double?>
  @Persisted var map: Map<String, Int>
  @Persisted var petMap: Map<String, CasePet?>
  @Persisted var mixed: AnyRealmValue
  @Persisted var values: List<AnyRealmValue>
  @Persisted var address: CaseAddress?
  @Persisted var set: MutableSet<Int>
  @Persisted var note: String?
  @Persisted var data: Data
  @Persisted var boss: CaseMan?
}

class CaseCoded: Object, Codable {
  @Persisted var born: Date
  @Persisted var died: Date?
  @Persisted var number: Int?
  @Persisted var map: Map<String, Int>
  @Persisted var numbers: List<Int>
  @Persisted var optionals: List<Double?>
}

final class CaseLine: Projection<CaseMan> {
  @Projected(\CaseMan.name) var name
  @Projected(\CaseMan.address?.city) var city
  @Projected(\CaseMan.address?.code) var code
}

/// Faults that other object databases have had and that their change logs name. The answers were written down before the first run.
@Suite("Reported cases: faults of others") @MainActor final class HistoryCaseTests {
  private let realm: Realm
  private var log: [String] = []
  private var tokens: [NotificationToken] = []
  private var men: Results<CaseMan> { realm.objects(CaseMan.self) }

  init() throws {
    realm = try Realm(
      configuration: .init(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [CasePet.self, CaseMan.self, CaseAddress.self]))
  }

  private func fill(_ count: Int, _ set: (CaseMan, Int) -> Void = { _, _ in }) throws {
    try realm.write {
      realm.deleteAll()
      for id in 0..<count {
        let man = CaseMan()
        man.id = id
        set(man, id)
        realm.add(man)
      }
    }
  }

  private func ids(_ format: String, _ arguments: Any...) throws -> [Int] {
    try men.throwing.filter(NSPredicate.parsing(format, argumentArray: arguments)).map(\.id)
  }

  private func pet(_ id: Int) -> CasePet { realm.object(ofType: CasePet.self, forPrimaryKey: id)! }

  private func observe(_ token: NotificationToken...) {
    tokens = token
    realm.refresh()
  }

  private func told(_ body: () throws -> Void) throws -> [String] {
    log = []
    try realm.write(body)
    realm.refresh()
    return log.sorted()
  }

  @Test("observers that ask for an inverse property are told of the other side")
  func inverse() throws {
    try fill(1)
    try realm.write { realm.create(CasePet.self, value: ["id": 1]) }
    let man = men[0]
    let pet = pet(1)
    observe(
      realm.objects(CasePet.self).observe(keyPaths: ["owners"]) { change in
        if case .update(_, let deletions, let insertions, let modifications) = change {
          self.log.append("-\(deletions) +\(insertions) ~\(modifications)")
        }
      },
      pet.observe(keyPaths: ["owners.name"]) { (change: ObjectChange<CasePet>) in
        if case .change(_, let properties) = change { self.log.append("\(properties.map(\.name))") }
      })
    #expect(try told { man.pets.append(pet) } == ["-[] +[] ~[0]", "[\"owners\"]"])
    #expect(try told { man.name = "M" } == ["[\"owners\"]"])
    #expect(try told { pet.name = "Bo" } == [])
    #expect(try told { man.pets.removeAll() } == ["-[] +[] ~[0]", "[\"owners\"]"])
  }

  @Test("Codable keeps the coder's strategy for dates, null of optionals, and maps")
  func coding() throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = .sortedKeys
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let object = CaseCoded()
    object.born = Date(timeIntervalSince1970: 0)
    object.map["a"] = 1
    object.numbers.append(1)
    object.optionals.append(nil)
    let text = String(decoding: try encoder.encode(object), as: UTF8.self)
    #expect(
      text
        == #"{"born":"1970-01-01T00:00:00Z","died":null,"map":{"a":1},"number":null,"numbers":[1],"optionals":[null]}"#)
    let json =
      #"{"born":"1970-01-01T00:00:05Z","died":null,"number":null,"map":{"x":2},"numbers":[3],"optionals":[null,1]}"#
    let back = try decoder.decode(CaseCoded.self, from: Data(json.utf8))
    #expect(back.born == Date(timeIntervalSince1970: 5))
    #expect(back.died == nil)
    #expect(back.number == nil)
    #expect(back.map["x"] == 2)
    #expect(Array(back.numbers) == [3])
    #expect(Array(back.optionals) == [nil, 1])
  }

  @Test("a set with itself")
  func setWithItself() throws {
    try fill(1)
    let set = men[0].set
    try realm.write {
      set.insert(objectsIn: [1, 2, 3])
      set.formIntersection(set)
      set.formUnion(set)
      #expect(set.count == 3)
      set.subtract(set)
    }
    #expect(set.isEmpty)
  }

  @Test("projections are told of nested properties and of several at once")
  func projections() throws {
    try fill(1) { man, _ in man.address = CaseAddress() }
    let man = men[0]
    let line = try #require(realm.objects(CaseLine.self).first)
    observe(
      line.observe { (change: ObjectChange<CaseLine>) in
        if case .change(_, let properties) = change { self.log.append("\(properties.map(\.name).sorted())") }
      })
    #expect(try told { man.address?.city = "X" } == ["[\"city\"]"])
    #expect(try told { man.address = CaseAddress() } == ["[\"city\", \"code\"]"])
    #expect(
      try told {
        man.name = "N"
        man.address?.code = 4
      } == ["[\"code\", \"name\"]"])
    #expect(try told { man.number = 9 } == [])
  }

  @Test("text operators on values of any type")
  func anyTexts() throws {
    let values: [AnyRealmValue] = [.string("Foo"), .string("foo"), .int(3), .none, .data(Data("foo".utf8))]
    try fill(5) { man, id in man.mixed = values[id] }
    #expect(try ids("mixed == 'Foo'") == [0])
    #expect(try ids("mixed ==[c] 'FOO'") == [0, 1])
    #expect(try ids("mixed CONTAINS 'oo'") == [0, 1])
    #expect(try ids("mixed BEGINSWITH[c] 'F'") == [0, 1])
    #expect(try ids("mixed LIKE 'f*'") == [1])
    #expect(try ids("mixed ENDSWITH 'O'") == [])
    #expect(try ids("mixed != 'foo'") == [0, 2, 3, 4])
    #expect(try ids("mixed IN {'foo', 3}") == [1, 2])
    #expect(try ids("mixed LIKE[c] 'FO?'") == [0, 1])
  }

  @Test("sections whose first change is one of a linked object")
  func sections() throws {
    try fill(4) { man, id in man.number = id % 2 }
    try realm.write {
      let pet = realm.create(CasePet.self, value: ["id": 5])
      for man in men where man.id > 0 { man.best = pet }
    }
    observe(
      men.sectioned(by: \.number).observe { change in
        guard case .update(_, let deletions, let insertions, let modifications, let came, let went) = change else {
          return
        }
        let places = modifications.map { "\($0.section).\($0.item)" }
        self.log.append("-\(deletions) +\(insertions) ~\(places) +\(Array(came)) -\(Array(went))")
      })
    #expect(try told { pet(5).name = "new" } == ["-[] +[] ~[\"0.1\", \"1.0\", \"1.1\"] +[] -[]"])
  }

  @Test("aggregates over a link that is nil, and nil at the end of a path")
  func nilLinks() throws {
    try fill(3) { man, id in man.numbers.append(objectsIn: id == 1 ? [1] : []) }
    try realm.write {
      men[2].boss = men[1]
      men[1].boss = men[0]
    }
    #expect(try ids("boss.numbers.@sum == 0") == [0, 1])
    #expect(try ids("boss.numbers.@count == 0") == [0, 1])
    #expect(try ids("boss.numbers.@max == nil") == [0, 1])
    #expect(try ids("boss.boss.note == nil") == [0, 1, 2])
    #expect(try ids("nil == boss.boss.note") == [0, 1, 2])
    #expect(try ids("boss.boss == nil") == [0, 1])
    #expect(try ids("boss.map.@sum == 0") == [0, 1, 2])
  }

  @Test("what is distinct is deleted and counted before it was read")
  func deletingDistinct() throws {
    try fill(9) { man, id in man.number = id % 3 }
    let distinct = men.distinct(by: ["number"])
    try realm.write { realm.delete(distinct) }
    #expect(men.count == 6)
    #expect(distinct.count == 3)
    #expect(men.first?.id == 3)
  }

  @Test("equal values have equal hashes")
  func hashes() throws {
    let decimals = try ["1.0", "1.00", "1E+1", "10"].map { try Decimal128(string: $0) }
    #expect(decimals[0] == decimals[1])
    #expect(decimals[0].hashValue == decimals[1].hashValue)
    #expect(Set(decimals).count == 2)
    #expect(AnyRealmValue.int(1) != .double(1))
    #expect(Set<AnyRealmValue>([.decimal128(decimals[0]), .decimal128(decimals[1])]).count == 1)
  }

  @Test("the objects of a map are deleted, its keys stay; a map of objects may begin with nil")
  func mapOfObjects() throws {
    try fill(1)
    let man = men[0]
    try realm.write {
      for id in 0..<3 { man.petMap["p\(id)"] = realm.create(CasePet.self, value: ["id": id]) }
      man.petMap["none"] = .some(nil)
      realm.delete(man.petMap)
    }
    #expect(realm.objects(CasePet.self).isEmpty)
    #expect(man.petMap.count == 4)
    #expect(CaseMan(value: ["id": 7, "petMap": ["a": NSNull()]] as [String: Any]).petMap.count == 1)
  }

  @Test("results that were read see an object with a smaller key, and one that is made again and again")
  func madeAgain() throws {
    try fill(0)
    try realm.write { realm.create(CaseMan.self, value: ["id": 50]) }
    let men = men
    #expect(men.first?.id == 50)
    try realm.write { realm.create(CaseMan.self, value: ["id": 3]) }
    #expect(men.map(\.id) == [50, 3])
    try realm.write {
      for _ in 0..<3 {
        realm.delete(men)
        let man = CaseMan()
        man.id = 1
        man.address = CaseAddress(value: ["code": 5])
        realm.add(man)
      }
    }
    #expect(men.count == 1)
    #expect(men.first?.address?.code == 5)
  }

  @Test("objects that are in each other's sets are told of once each, lists of any values follow their links")
  func cycles() throws {
    try realm.write {
      let pets = (1...2).map { realm.create(CasePet.self, value: ["id": $0]) }
      pets[0].friends.insert(pets[1])
      pets[1].friends.insert(pets[0])
      let man = realm.create(CaseMan.self, value: ["id": 1])
      man.values.append(objectsIn: [.object(pets[0]), .object(pets[1]), .int(1)])
    }
    func note<C>(_ name: String, _ change: RealmCollectionChange<C>) {
      if case .update(_, let deletions, let insertions, let modifications) = change {
        log.append("\(name) -\(deletions) +\(insertions) ~\(modifications)")
      }
    }
    observe(
      men.observe { note("men", $0) }, men[0].values.observe { note("values", $0) },
      pet(1).friends.observe { note("set", $0) })
    #expect(
      try told { pet(2).name = "z" } == ["men -[] +[] ~[0]", "set -[] +[] ~[0]", "values -[] +[] ~[0, 1]"])
    #expect(
      try told { realm.delete(pet(2)) } == ["men -[] +[] ~[0]", "set -[0] +[] ~[]", "values -[] +[] ~[0, 1]"])
    #expect(men[0].values.count == 3)
  }

  @Test("three thousand conditions joined by OR")
  func manyConditions() throws {
    try fill(3000) { man, id in
      man.number = id
      man.name = "n\(id)"
    }
    let conditions = (0..<1500).map { "number == \($0 * 2) OR name ==[c] 'N\($0 * 2 + 1)'" }
    #expect(men.filter(conditions.joined(separator: " OR ")).count == 3000)
  }

  @Test("nil and NaN in a list of doubles: sorted, averaged, found")
  func doubles() throws {
    try fill(1) { man, _ in man.doubles.append(objectsIn: [nil, 2, nil, -1, .nan]) }
    let doubles = men[0].doubles
    #expect(doubles.count == 5)
    #expect(doubles.sorted(ascending: true).map { $0.map { "\($0)" } } == [nil, nil, "nan", "-1.0", "2.0"])
    #expect(doubles.average() as Double? == 0.5)
    #expect(doubles.index(of: nil) == 0)
    #expect(try ids("ANY doubles == nil") == [0])
    #expect(try ids("doubles.@count == 5") == [0])
  }

  @Test("F-124: data is sorted by its bytes, which have no sign")
  func data() throws {
    try fill(3) { man, id in man.data = [Data([0x80]), Data([0x7f]), Data()][id] }
    #expect(try men.throwing.sorted(byKeyPath: "data").map(\.id) == [2, 1, 0])
  }

  @Test("results and lists are assigned by name, also a list to itself; nil empties")
  func assignedByName() throws {
    try fill(2)
    let man = men[0]
    try realm.write {
      for id in 0..<3 { realm.create(CasePet.self, value: ["id": id]) }
      man.setValue(realm.objects(CasePet.self).filter("id > 0"), forKey: "pets")
      #expect(man.pets.count == 2)
      man.setValue(man.pets, forKey: "pets")
      #expect(man.pets.count == 2)
      man["numbers"] = [1, 2]
      #expect(man.numbers.count == 2)
      man.doubles.append(1)
      man.setValue(nil, forKey: "doubles")
      #expect(man.doubles.isEmpty)
    }
  }

  @Test("an observer that begins within a write is told of what there was before its first change")
  func beginningInAWrite() throws {
    try fill(2)
    func note<C>(_ change: RealmCollectionChange<C>) {
      switch change {
      case .initial: log.append("initial")
      case .update(_, let deletions, let insertions, let modifications):
        log.append("-\(deletions) +\(insertions) ~\(modifications)")
      case .error(let error): Issue.record(error)
      }
    }
    realm.beginWrite()
    tokens = [men.observe { note($0) }]
    try realm.commitWrite()
    realm.refresh()
    #expect(log == ["initial"])
    #expect(try told { realm.delete(men.last!) } == ["-[1] +[] ~[]"])
  }
}
