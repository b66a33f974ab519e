import Foundation
import Larder

/// An encrypted store: `lookup` and `update` once more, with the same objects.
enum Encrypted {
  static let trial = Trial(
    ids: ["encrypted-lookup", "encrypted-update"], entrants: ["larder": LarderEntrant.self])

  private enum LarderEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let url = URL(fileURLWithPath: directory + "/sealed.larder")
      var configuration = Realm.Configuration(fileURL: url, objectTypes: [Person.self])
      configuration.encryptionKey = Data((0..<64).map { UInt8($0) })
      let realm = try Realm(configuration: configuration)
      try realm.write { for row in data.rows { realm.add(Person(row)) } }
      var digest = OrderDigest()
      meter.time("encrypted-lookup", units: data.lookupIDs.count) {
        for id in data.lookupIDs {
          if let person = realm.object(ofType: Person.self, forPrimaryKey: id) { digest.add(person.name.utf8.count) }
        }
      }
      try meter.time("encrypted-update", units: data.updates.count) {
        try realm.write {
          for change in data.updates { realm.object(ofType: Person.self, forPrimaryKey: change.id)?.age = change.age }
        }
      }
      realm.invalidate()
      return digest.answer
    }
  }
}
