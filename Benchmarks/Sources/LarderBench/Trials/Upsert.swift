import Foundation
import GRDB
import Larder

/// Objects that exist are given again under their keys, in random order and with some other values, in one transaction.
enum Upsert {
  static let trial = Trial(
    ids: ["upsert", "upsert-create"],
    entrants: ["larder": LarderEntrant.self, "grdb": GRDBEntrant.self, "sqlite": SQLiteEntrant.self])

  /// Returns the rows in the store, and the given ones: half of them, a year older.
  private static func rows(_ data: Dataset) -> (stored: [PersonRow], given: [PersonRow]) {
    let stored = Array(data.rows.prefix(max(10_000, data.rows.count / 5)))
    var random = Generator(seed: 9_001)
    return (stored, Array(older(stored, by: 1).shuffled(using: &random).prefix(stored.count / 2)))
  }

  private static func older(_ rows: [PersonRow], by years: Int) -> [PersonRow] {
    rows.map { row in
      var row = row
      row.age += years
      return row
    }
  }

  private enum LarderEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let (stored, given) = rows(data)
      let realm = try LarderPeer.open(directory, [Person.self])
      try realm.write { for row in stored { realm.add(Person(row)) } }
      // Twice, the second time with what is to be there in the end: a dictionary for each, as from JSON, and an object for each.
      let dictionaries = older(given, by: 1).map { values($0) }
      try meter.time("upsert-create", units: given.count) {
        try realm.write { for value in dictionaries { realm.create(Person.self, value: value, update: .modified) } }
      }
      try meter.time("upsert", units: given.count) {
        try realm.write { for row in given { realm.add(Person(row), update: .modified) } }
      }
      let people = realm.objects(Person.self)
      let answer = Answer(people.count, people.sum(ofProperty: "id"), people.sum(ofProperty: "age"))
      realm.invalidate()
      return answer
    }

    private static func values(_ row: PersonRow) -> [String: Any] {
      [
        "id": row.id, "name": row.name, "age": row.age, "score": row.score, "active": row.active,
        "created": Date(timeIntervalSince1970: Double(row.created)), "email": row.email,
      ]
    }
  }

  private enum SQLiteEntrant: Entrant {
    private static let upsert = """
      INSERT INTO person (id, name, age, score, active, created, email) VALUES (?, ?, ?, ?, ?, ?, ?) \
      ON CONFLICT (id) DO UPDATE SET name = excluded.name, age = excluded.age, score = excluded.score, \
      active = excluded.active, created = excluded.created, email = excluded.email
      """

    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let (stored, given) = rows(data)
      let database = try SQLiteDatabase(directory + "/person.sqlite")
      try database.execute(SQLitePeer.createTable)
      try database.insertPeople(stored)
      let statement = try database.prepare(upsert)
      try meter.time("upsert", units: given.count) {
        try database.transaction { for row in given { try database.insert(row, statement) } }
      }
      let answer = try database.peopleContents()
      try database.close()
      return answer
    }
  }

  private enum GRDBEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let (stored, given) = rows(data)
      let queue = try GRDBPeer.open(directory + "/person.sqlite")
      try queue.write { database in
        try database.execute(sql: SQLitePeer.createTable)
        for row in stored { try PersonRecord(row).insert(database) }
      }
      try meter.time("upsert", units: given.count) {
        try queue.write { database in for row in given { try PersonRecord(row).upsert(database) } }
      }
      let answer = try queue.peopleContents()
      try queue.close()
      return answer
    }
  }
}
