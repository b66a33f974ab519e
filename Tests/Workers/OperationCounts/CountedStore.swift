import Foundation
import Larder

/// A store in memory with a thousand objects.
struct CountedStore {
  static let size = 1_000

  let realm: Realm
  let objects: [Counted]

  init() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Counted.self]))
    try realm.write { for id in 0..<Self.size { realm.add(Self.object(id)) } }
    self.realm = realm
    objects = Array(realm.objects(Counted.self).sorted(byKeyPath: "id"))
  }

  static func object(_ id: Int) -> Counted {
    let made = Counted()
    made.id = id
    made.number = id % 100
    made.name = "a name of more than fifteen bytes"
    made.score = Double(id)
    return made
  }
}
