import Foundation
import GRDB
import Larder

/// Each object by its indexed name, its id read, where the condition is written in Swift: as a closure, and as Foundation's predicate.
/// To be compared with `lookup-indexed`, whose condition is a text.
enum LookupForms {
  static let trial = Trial(
    ids: ["lookup-where", "lookup-predicate"], entrants: ["larder": LarderEntrant.self, "grdb": GRDBEntrant.self])

  private enum LarderEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let realm = try LarderPeer.open(directory, [IndexedPerson.self])
      try realm.write { for row in data.rows { realm.add(IndexedPerson(row)) } }
      let people = realm.objects(IndexedPerson.self)
      var digest = OrderDigest()
      meter.time("lookup-where", units: data.lookupNames.count) {
        for name in data.lookupNames {
          if let person = people.where({ $0.name == name }).first { digest.add(person.id) }
        }
      }
      meter.time("lookup-predicate", units: data.lookupNames.count) {
        for name in data.lookupNames {
          if let person = people.filter(#Predicate { $0.name == name }).first { digest.add(person.id) }
        }
      }
      realm.invalidate()
      return digest.answer
    }
  }

  /// The query interface, where others have a closure; there is one form of it.
  private enum GRDBEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let queue = try GRDBPeer.open(directory + "/person.sqlite")
      try queue.write { database in
        try database.execute(sql: SQLitePeer.createTable)
        for index in SQLitePeer.createIndexes { try database.execute(sql: index) }
        for row in data.rows { try PersonRecord(row).insert(database) }
      }
      var digest = OrderDigest()
      for id in meter.ids {
        try meter.time(id, units: data.lookupNames.count) {
          try queue.read { database in
            for name in data.lookupNames {
              let request = PersonRecord.filter(PersonRecord.name == name).select(PersonRecord.id, as: Int.self)
              if let found = try request.fetchOne(database) { digest.add(found) }
            }
          }
        }
      }
      try queue.close()
      return digest.answer
    }
  }
}
