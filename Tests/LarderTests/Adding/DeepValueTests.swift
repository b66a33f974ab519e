import Foundation
import Testing

@testable import Larder

@Suite("Deep values") struct DeepValueTests {
  private static func arrays(_ levels: Int) -> Any { (0..<levels).reduce(1 as Any) { inner, _ in [inner] as [Any] } }

  private static func dictionaries(_ levels: Int) -> Any {
    (0..<levels).reduce(1 as Any) { inner, _ in ["a": inner] as [String: Any] }
  }

  /// A person, and a best friend in each.
  private static func chain(_ levels: Int) -> [String: Any] {
    (1..<levels).reduce(["id": 0]) { inner, id in ["id": id, "best": inner] as [String: Any] }
  }

  @Test("F-44: values that nest thousands of levels are refused by every call that throws, with nothing changed")
  func refused() throws {
    let realm = try makeRealm([Crate.self, Person.self, Dog.self, Address.self, Room.self])
    for value in [Self.arrays(8_000), Self.dictionaries(8_000)] {
      #expect(throws: Realm.Error.self) { try Crate(validating: ["id": 1, "value": value] as [String: Any]) }
      #expect(throws: Realm.Error.self) { try Person(validating: ["id": 1, "name": value] as [String: Any]) }
      try realm.write {
        for name in ["value", "values", "byName"] {
          let error = #expect(throws: Realm.Error.self) {
            try realm.throwing.create(Crate.self, value: ["id": 1, name: value] as [String: Any])
          }
          #expect(error?.message.contains("Crate.\(name)") == true)
        }
        // An object can be made from any dictionary: names that it does not have are left out.
        let links = value is [String: Any] ? [] : ["best", "address"]
        for name in ["id", "name", "age", "score", "active", "created", "dogs"] + links {
          #expect(throws: Realm.Error.self) {
            try realm.throwing.create(Person.self, value: (["id": 1] as [String: Any]).merging([name: value]) { $1 })
          }
        }
      }
      let crates = realm.objects(Crate.self)
      #expect(throws: Realm.Error.self) { try crates.throwing.filter("value == %@", value) }
      #expect(throws: Realm.Error.self) { try crates.throwing.filter("id IN %@", value) }
    }
    #expect(realm.objects(Crate.self).isEmpty && realm.objects(Person.self).isEmpty)
  }

  @Test("F-44: objects in each other may nest 500 levels; more are refused before anything is made")
  func chains() throws {
    let realm = try makeRealm()
    try realm.write {
      #expect(throws: Realm.Error.self) { try realm.throwing.create(Person.self, value: Self.chain(5_000)) }
      #expect(throws: Realm.Error.self) { try Person(validating: Self.chain(5_000)) }
      #expect(realm.objects(Person.self).isEmpty)
      try realm.throwing.create(Person.self, value: Self.chain(501))
    }
    #expect(realm.objects(Person.self).count == 501)
    var (length, person) = (0, realm.object(ofType: Person.self, forPrimaryKey: 500))
    while let here = person { (length, person) = (length + 1, here.best) }
    #expect(length == 501)
    #expect(try Person(validating: Self.chain(501)).best?.best?.id == 498)
  }

  @Test("F-44: 100 levels of arrays and dictionaries can be stored, read and compared")
  func stored() throws {
    let realm = try makeRealm([Crate.self])
    for (id, value) in [Self.arrays(100), Self.dictionaries(100)].enumerated() {
      try realm.write { try realm.throwing.create(Crate.self, value: ["id": id, "value": value] as [String: Any]) }
      let crate = try #require(realm.object(ofType: Crate.self, forPrimaryKey: id))
      #expect(realm.objects(Crate.self).where { $0.value == crate.value }.crateIDs == [id])
    }
    try realm.write {
      #expect(throws: Realm.Error.self) {
        try realm.throwing.create(Crate.self, value: ["id": 9, "value": Self.arrays(101)] as [String: Any])
      }
    }
  }
}
