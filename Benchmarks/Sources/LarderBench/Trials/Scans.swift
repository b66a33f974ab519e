import GRDB
import Larder

/// Questions about one column without an index: the first object of each of a hundred ages, and names that contain three letters.
enum Scans {
  static let trial = Trial(
    ids: ["distinct-int", "like"],
    entrants: ["larder": LarderEntrant.self, "grdb": GRDBEntrant.self, "sqlite": SQLiteEntrant.self])

  private enum LarderEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let realm = try LarderPeer.open(directory, [Person.self])
      try realm.write { for row in data.rows { realm.add(Person(row)) } }
      let people = realm.objects(Person.self)
      var (digest, matching) = (SetDigest(), 0)
      meter.time("distinct-int", units: data.rows.count) {
        for person in people.distinct(by: ["age"]) { digest.add(person.id) }
      }
      meter.time("like", units: data.rows.count) { matching = people.filter("name LIKE '*abc*'").count }
      digest.add(matching)
      realm.invalidate()
      return digest.answer
    }
  }

  private enum SQLiteEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let database = try SQLiteDatabase(directory + "/person.sqlite")
      try database.execute(SQLitePeer.createTable)
      try database.insertPeople(data.rows)
      var (digest, matching) = (SetDigest(), 0)
      let distinct = try database.prepare("SELECT MIN(id) FROM person GROUP BY age")
      try meter.time("distinct-int", units: data.rows.count) {
        while try distinct.step() { digest.add(distinct.int(0)) }
      }
      // GLOB tells cases apart, as LIKE does in Larder.
      try meter.time("like", units: data.rows.count) {
        matching = try database.integer("SELECT COUNT(*) FROM person WHERE name GLOB '*abc*'")
      }
      digest.add(matching)
      try database.close()
      return digest.answer
    }
  }

  private enum GRDBEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let queue = try GRDBPeer.open(directory + "/person.sqlite")
      try queue.write { database in
        try database.execute(sql: SQLitePeer.createTable)
        for row in data.rows { try PersonRecord(row).insert(database) }
      }
      var (digest, matching) = (SetDigest(), 0)
      try meter.time("distinct-int", units: data.rows.count) {
        try queue.read { database in
          let ids = try Int.fetchCursor(database, sql: "SELECT MIN(id) FROM person GROUP BY age")
          while let id = try ids.next() { digest.add(id) }
        }
      }
      try meter.time("like", units: data.rows.count) {
        matching = try queue.read { try PersonRecord.filter(sql: "name GLOB '*abc*'").fetchCount($0) }
      }
      digest.add(matching)
      try queue.close()
      return digest.answer
    }
  }
}
