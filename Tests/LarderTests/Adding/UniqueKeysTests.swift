import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import Larder

/// Seats of halls: a hall has each number once, and each ticket is used once.
final class Seat: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var hall: String
  @Persisted var number: Int
  @Persisted var ticket: String?
  @Persisted var price: Double

  override class var uniqueKeys: [[AnyKeyPath]] { [[\Seat.hall, \Seat.number], [\Seat.ticket]] }
  override class var compositeIndexes: [[AnyKeyPath]] { [[\Seat.hall, \Seat.price]] }
}

@Suite("Unique values and indexes over several properties") struct UniqueKeysTests {
  private let realm: Realm
  private let seat: Seat

  init() throws {
    let realm = try makeRealm([Seat.self])
    self.realm = realm
    seat = try realm.write {
      realm.create(Seat.self, value: ["id": 2, "hall": "A", "number": 2])
      return realm.create(Seat.self, value: ["id": 1, "hall": "A", "number": 1, "ticket": "t1"] as [String: Any])
    }
  }

  @Test("U-13: throwing forms look at once and change nothing") func throwing() throws {
    try realm.write {
      let error = #expect(throws: Realm.Error.self) {
        try realm.throwing.create(Seat.self, value: ["id": 3, "hall": "A", "number": 1] as [String: Any])
      }
      #expect(error?.message.hasPrefix("Seat with hall = 'A', number = 1 exists: hall, number must be unique") == true)
      #expect(error?.code == .invalidInput && error?.className == "Seat" && error?.propertyName == "hall, number")
      #expect(throws: Realm.Error.self) {
        try realm.throwing.create(Seat.self, value: ["id": 3, "hall": "B", "ticket": "t1"] as [String: Any])
      }
      #expect(throws: Realm.Error.self) { try seat.throwing.setValue(2, forKey: "number") }
      #expect(throws: Realm.Error.self) {
        try realm.throwing.create(Seat.self, value: ["id": 2, "number": 1] as [String: Any], update: .modified)
      }
      let (one, two) = (Seat(value: [5, "C", 1] as [Any]), Seat(value: [6, "C", 1] as [Any]))
      #expect(throws: Realm.Error.self) { try realm.throwing.add([one, two]) }
      #expect(realm.objects(Seat.self).count == 2 && seat.number == 1)
      // Nil is exempt; an object is not in its own way.
      try realm.throwing.create(Seat.self, value: ["id": 3, "hall": "A", "number": 3] as [String: Any])
      try realm.throwing.create(
        Seat.self, value: ["id": 1, "number": 1, "price": 4] as [String: Any], update: .modified)
      try seat.throwing.setValue("t1", forKey: "ticket")
      try seat.throwing.setValue(9, forKey: "number")
      try realm.throwing.create(Seat.self, value: ["id": 4, "hall": "A", "number": 1] as [String: Any])
    }
    #expect(realm.objects(Seat.self).count == 4 && seat.price == 4)
  }

  @Test("U-13: two objects with one primary key become one row, and share its values") func sameRow() throws {
    try realm.write {
      let twice = [Seat(value: [7, "D", 1] as [Any]), Seat(value: [7, "D", 1] as [Any])]
      try realm.throwing.add(twice, update: .modified)
      let third = Seat(value: [8, "D", 1] as [Any])
      #expect(throws: Realm.Error.self) { try realm.throwing.add(twice + [third], update: .modified) }
    }
    #expect(realm.objects(Seat.self).map(\.id).sorted() == [1, 2, 7])
  }

  @Test("U-13: a commit that breaks a rule throws and changes nothing") func commit() throws {
    let error = #expect(throws: Realm.Error.self) {
      try realm.write {
        seat.price = 7
        realm.create(Seat.self, value: ["id": 3, "hall": "A", "number": 1] as [String: Any])
      }
    }
    #expect(error?.code == .invalidInput && error?.message.contains("must be unique") == true)
    #expect(!realm.isInWriteTransaction && realm.objects(Seat.self).count == 2 && seat.price == 0)
    // Values may change places within one transaction.
    try realm.write {
      let other = try #require(realm.object(ofType: Seat.self, forPrimaryKey: 2))
      (seat.number, other.number) = (2, 1)
    }
    #expect(seat.number == 2)
  }

  @Test("U-14: indexes over several properties are kept, and come and go without a version") func indexes() throws {
    let folder = try TemporaryDirectory()
    let url = folder.url.appendingPathComponent("a.realm")
    enum Plain {
      final class Seat: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var hall: String
        @Persisted var number: Int
        @Persisted var ticket: String?
        @Persisted var price: Double
      }
    }
    do {
      let realm = try Realm(configuration: .init(fileURL: url, objectTypes: [Plain.Seat.self]))
      try realm.write {
        for id in 0..<3 {
          realm.create(Plain.Seat.self, value: ["id": id, "hall": "A", "number": id % 2] as [String: Any])
        }
      }
    }
    do {
      // Two seats have one number: the rule cannot be added, and the store stays as it is.
      #expect(throws: Realm.Error.self) { try Realm(configuration: .init(fileURL: url, objectTypes: [Seat.self])) }
      let realm = try Realm(configuration: .init(fileURL: url, objectTypes: [Plain.Seat.self]))
      try realm.write { realm.object(ofType: Plain.Seat.self, forPrimaryKey: 2)?.number = 2 }
    }
    do {
      let realm = try Realm(configuration: .init(fileURL: url, objectTypes: [Seat.self]))
      #expect(realm.core.schema["Seat"]?.indexes.count == 3)
      #expect(realm.objects(Seat.self).filter("hall = 'A' AND number = 2").map(\.id) == [2])
      try realm.write { realm.create(Seat.self, value: ["id": 7, "hall": "B", "price": 2.5] as [String: Any]) }
      #expect(try StoreVerifier.verify(realm.core.store.snapshot()).isEmpty)
    }
    do {
      let realm = try Realm(configuration: .init(fileURL: url, objectTypes: [Plain.Seat.self]))
      #expect(realm.core.schema["Seat"]?.indexes.isEmpty == true && realm.objects(Plain.Seat.self).count == 4)
    }
  }

  @Test("U-13: declarations that cannot be fail to open, with the reason") func declarations() throws {
    enum Wrong {
      final class Linked: Object {
        @Persisted var name: String
        @Persisted var next: Linked?
        @Persisted var words: List<String>
        var plain = 0
        override class var uniqueKeys: [[AnyKeyPath]] { [[\Linked.next?.name]] }
        override class var compositeIndexes: [[AnyKeyPath]] {
          [[\Linked.words], [\Linked.plain], [\Linked.name, \Linked.name]]
        }
      }
    }
    let error = #expect(throws: Realm.Error.self) { try makeRealm([Wrong.Linked.self]) }
    for part in ["'next.name'", "'words'", "what is not stored", "twice"] {
      #expect(error?.message.contains(part) == true, "\(part) in \(error?.message ?? "")")
    }
    let refusal = #expect(throws: Realm.Error.self) { try makeRealm([Measurement.self]) }
    #expect(refusal?.message.contains("asymmetric") == true)
  }
}
