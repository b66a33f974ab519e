import Foundation
import GRDB
import Larder

/// Objects with a UUID as primary key, in random order, in one transaction.
enum UUIDKeys {
  static let trial = Trial(
    ids: ["uuid-insert"],
    entrants: ["larder": LarderEntrant.self, "grdb": GRDBEntrant.self, "sqlite": SQLiteEntrant.self])

  private static let createTable =
    "CREATE TABLE keyed (id BLOB PRIMARY KEY NOT NULL, name TEXT NOT NULL, age INTEGER NOT NULL) WITHOUT ROWID"

  /// The keys that are looked up afterwards.
  private static func sample(_ rows: [KeyedRow]) -> [UUID] {
    stride(from: 0, to: rows.count, by: 100).map { rows[$0].uuid }
  }

  private enum LarderEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let rows = KeyedRow.rows(data)
      let realm = try LarderPeer.open(directory, [PersonByUUID.self])
      try meter.time("uuid-insert", units: rows.count) {
        try realm.write { for row in rows { realm.add(PersonByUUID(row)) } }
      }
      let objects = realm.objects(PersonByUUID.self)
      var digest = OrderDigest()
      for key in sample(rows) {
        if let object = realm.object(ofType: PersonByUUID.self, forPrimaryKey: key) {
          digest.add(object.name.utf8.count)
        }
      }
      digest.add(objects.count)
      digest.add(objects.sum(ofProperty: "age"))
      realm.invalidate()
      return digest.answer
    }
  }

  private enum SQLiteEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let rows = KeyedRow.rows(data)
      let database = try SQLiteDatabase(directory + "/keyed.sqlite")
      try database.execute(createTable)
      let insert = try database.prepare("INSERT INTO keyed (id, name, age) VALUES (?, ?, ?)")
      try meter.time("uuid-insert", units: rows.count) {
        try database.transaction {
          for row in rows {
            insert.bind(3, row.age)
            try insert.withBytes(1, of: row.uuid) { try insert.withText(2, row.name) { _ = try insert.step() } }
          }
        }
      }
      let select = try database.prepare("SELECT LENGTH(name) FROM keyed WHERE id = ?")
      var digest = OrderDigest()
      for key in sample(rows) {
        try select.withBytes(1, of: key) { if try select.step() { digest.add(select.int(0)) } }
        select.reset()
      }
      digest.add(try database.integer("SELECT COUNT(*) FROM keyed"))
      digest.add(try database.integer("SELECT SUM(age) FROM keyed"))
      try database.close()
      return digest.answer
    }
  }

  private enum GRDBEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let rows = KeyedRow.rows(data)
      let queue = try GRDBPeer.open(directory + "/keyed.sqlite")
      try queue.write { try $0.execute(sql: createTable) }
      try meter.time("uuid-insert", units: rows.count) {
        try queue.write { database in for row in rows { try KeyedRecord(row: row).insert(database) } }
      }
      let answer = try queue.read { database in
        var digest = OrderDigest()
        for key in sample(rows) {
          let length = try Int.fetchOne(database, sql: "SELECT LENGTH(name) FROM keyed WHERE id = ?", arguments: [key])
          if let length { digest.add(length) }
        }
        digest.add(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM keyed") ?? 0)
        digest.add(try Int.fetchOne(database, sql: "SELECT SUM(age) FROM keyed") ?? 0)
        return digest.answer
      }
      try queue.close()
      return answer
    }
  }

  private struct KeyedRecord: PersistableRecord {
    static let databaseTableName = "keyed"

    let row: KeyedRow

    func encode(to container: inout PersistenceContainer) {
      container["id"] = row.uuid
      container["name"] = row.name
      container["age"] = row.age
    }
  }
}

/// The model with a UUID as primary key.
final class PersonByUUID: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var name: String
  @Persisted var age: Int

  convenience init(_ row: KeyedRow) {
    self.init()
    id = row.uuid
    name = row.name
    age = row.age
  }
}
