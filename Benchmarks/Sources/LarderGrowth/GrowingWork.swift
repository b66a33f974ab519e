import Foundation
import Larder

final class Grown: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var first: Int
  @Persisted var second: String
  @Persisted var third: Double?
  @Persisted var numbers: List<Int>
  @Persisted var names: MutableSet<String>
  @Persisted var places: Map<String, Int>
  @Persisted var linked: List<Grown>
  @Persisted var linkedByName: Map<String, Grown?>
}

/// Work in one transaction whose cost should follow its amount.
struct GrowingWork {
  let name: String
  /// Makes a store and returns what is measured.
  let prepare: (Int) throws -> () throws -> Void

  private static func store() throws -> Realm {
    try Realm(
      configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Grown.self]))
  }

  private static func filled(_ count: Int) throws -> (Realm, [Grown]) {
    let realm = try store()
    try realm.write {
      for id in 0..<count { realm.create(Grown.self, value: ["id": id]) }
    }
    return (realm, Array(realm.objects(Grown.self)))
  }

  private static func named(_ name: String, _ change: @escaping (Realm, [Grown]) throws -> Void) -> GrowingWork {
    GrowingWork(name: name) { count in
      let (realm, objects) = try filled(count)
      let order = objects.shuffled()
      return { try realm.write { try change(realm, order) } }
    }
  }

  static var all: [GrowingWork] {
    [
      GrowingWork(name: "defaults, then assigned in random order") { count in
        let realm = try store()
        let order = (0..<count).shuffled()
        return {
          try realm.write {
            let objects = (0..<count).map { realm.create(Grown.self, value: ["id": $0]) }
            for id in order {
              objects[id].first = id
              objects[id].second = "n\(id)"
              objects[id].third = 1.5
            }
          }
        }
      },
      named("assigned in random order") { _, objects in
        for (number, object) in objects.enumerated() { object.first = number }
      },
      named("a list of each object opened, kept, appended") { _, objects in
        let lists = objects.map(\.numbers)
        for round in 0..<3 { lists.forEach { $0.append(round) } }
      },
      named("a set and a map of each, in turn") { _, objects in
        for round in 0..<3 {
          for object in objects {
            object.names.insert("n\(round)")
            object.places["p\(round)"] = round
          }
        }
      },
      named("a nested write for each object") { realm, objects in
        for (number, object) in objects.enumerated() {
          try realm.write {
            object.first = number
            object.numbers.append(number)
          }
        }
      },
      named("a nested write for each, every second undone") { realm, objects in
        struct Undone: Error {}
        for (number, object) in objects.enumerated() {
          try? realm.write {
            object.first = number
            object.numbers.append(number)
            if number % 2 == 1 { throw Undone() }
          }
        }
      },
      GrowingWork(name: "objects of one list deleted in random order") { count in
        let (realm, objects) = try filled(count)
        try realm.write {
          let holder = realm.create(Grown.self, value: ["id": -1])
          holder.linked.append(objectsIn: objects)
        }
        return { try realm.write { objects.shuffled().forEach { realm.delete($0) } } }
      },
      GrowingWork(name: "objects of one map deleted in random order") { count in
        let (realm, objects) = try filled(count)
        try realm.write {
          let holder = realm.create(Grown.self, value: ["id": -1])
          for object in objects { holder.linkedByName["n\(object.id)"] = object }
        }
        return { try realm.write { objects.shuffled().forEach { realm.delete($0) } } }
      },
      named("all deleted at once, in random order") { realm, objects in realm.delete(objects) },
    ]
  }
}
