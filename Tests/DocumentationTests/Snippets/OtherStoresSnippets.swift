import Foundation
import Larder
import TestSupport
import Testing

@Suite("Moving from other stores, by its examples") struct OtherStoresSnippets {
  class Player: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var score: Int
  }

  class Trip: Object {
    @Persisted var name: String
    @Persisted var nights: Int
  }

  class Memo: Object {
    @Persisted var text: String
    @Persisted var stars: Int
  }

  private let directory: TemporaryDirectory
  private let realm: Realm

  init() throws {
    directory = try TemporaryDirectory()
    realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: directory.url.appendingPathComponent("other.larder"),
        objectTypes: [Player.self, Trip.self, Memo.self]))
    let realm = realm
    try realm.write {
      realm.create(Player.self, value: ["id": 1, "name": "Ada", "score": 120] as [String: Any])
      realm.create(Player.self, value: ["id": 2, "name": "Bo", "score": 80] as [String: Any])
      realm.create(Trip.self, value: ["name": "Lisbon", "nights": 4] as [String: Any])
      realm.create(Trip.self, value: ["name": "Oslo", "nights": 2] as [String: Any])
      realm.create(Memo.self, value: ["text": "milk and bread", "stars": 3] as [String: Any])
      realm.create(Memo.self, value: ["text": "bread", "stars": 4] as [String: Any])
    }
  }

  @Test func grdb() throws {
    // begin: grdb
    let players = realm.objects(Player.self).where { $0.score > 100 }.sorted(byKeyPath: "name")
    try realm.write {
      realm.create(Player.self, value: ["id": 3, "name": "Cy", "score": 150] as [String: Any])
    }
    print(players.map(\.name))  // ["Ada", "Cy"]
    // end: grdb
    #expect(players.map(\.name) == ["Ada", "Cy"])
  }

  @Test func swiftData() throws {
    // begin: swiftdata
    let long = realm.objects(Trip.self).where { $0.nights > 3 }.sorted(byKeyPath: "name")
    try realm.write {
      for trip in long { trip.nights += 1 }
    }
    // end: swiftdata
    #expect(long.map(\.nights) == [5])
  }

  @Test func objectBox() throws {
    typealias Note = Memo
    // begin: objectbox
    let milk = realm.objects(Note.self).where { $0.text.contains("milk") }
    print(milk.count, milk.sum(of: \.stars))
    // end: objectbox
    #expect(milk.count == 1 && milk.sum(of: \.stars) == 3)
  }
}
