import Foundation
import Testing

import class RealmSwift.Object
import class RealmSwift.List
import struct RealmSwift.Persisted
import struct RealmSwift.Realm
import RealmSwift

/// A class of a program that was written for RealmSwift: nothing in it names Larder.
class Ship: RealmSwift.Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var name: String
  @RealmSwift.Persisted var length = 12.5
  @Persisted var crew: RealmSwift.List<Sailor>
}

class Sailor: EmbeddedObject {
  @Persisted var name: String
}

@Suite struct RealmSwiftTests {
  @Test("a program that imports RealmSwift and names its module uses Larder's Realm")
  func program() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "RealmSwiftTests-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let configuration = RealmSwift.Realm.Configuration(
      fileURL: folder.appending(path: "ships.realm"), objectTypes: [Ship.self, Sailor.self])
    let realm: RealmSwift.Realm = try RealmSwift.Realm(configuration: configuration)
    try realm.write {
      let crew: [[String: Any]] = [["name": "Ann"], ["name": "Bo"]]
      let values: [String: Any] = ["name": "Nautilus", "crew": crew]
      realm.create(Ship.self, value: values)
    }
    let ships: RealmSwift.Results<Ship> = realm.objects(Ship.self).where { $0.length > 12 }
    #expect(ships.count == 1)
    #expect(ships.first?.crew.map(\.name) == ["Ann", "Bo"])
    do {
      try realm.write { try realm.throwing.create(Ship.self, value: ["name": "Nautilus"]) }
      Issue.record("a primary key was taken twice")
    } catch let error as RealmSwift.Realm.Error {
      #expect(error.localizedDescription.contains("Nautilus"))
    }
  }
}
