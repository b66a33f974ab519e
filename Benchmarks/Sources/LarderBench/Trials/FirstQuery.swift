import GRDB
import Larder

/// The first count by an index after each commit that changed one object. Only the count is measured.
enum FirstQuery {
  static let trial = Trial(
    ids: ["first-query-after-commit"],
    entrants: ["larder": LarderEntrant.self, "grdb": GRDBEntrant.self, "sqlite": SQLiteEntrant.self])

  private static let commits = 300

  private static func rows(_ data: Dataset) -> [PersonRow] { Array(data.rows.prefix(max(10_000, data.rows.count / 5))) }

  private static func run(
    _ rows: [PersonRow], _ meter: inout Meter, change: (_ id: Int, _ age: Int) throws -> Void,
    count: (_ age: Int) throws -> Int
  ) throws -> Answer {
    var (digest, total) = (OrderDigest(), Spent())
    for number in 0..<commits {
      try change(rows[(number * 7_919) % rows.count].id, (number * 13) % 100)
      total += try Stopwatch.measure { digest.add(try count(number % 100)) }
    }
    total.processor += Background.finish()
    meter.add("first-query-after-commit", total, units: commits)
    return digest.answer
  }

  private enum LarderEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let stored = rows(data)
      let realm = try LarderPeer.open(directory, [IndexedPerson.self])
      try realm.write { for row in stored { realm.add(IndexedPerson(row)) } }
      let people = realm.objects(IndexedPerson.self)
      let answer = try FirstQuery.run(stored, &meter) { id, age in
        try realm.write { realm.object(ofType: IndexedPerson.self, forPrimaryKey: id)?.age = age }
      } count: { age in
        people.filter("age == %@", age).count
      }
      realm.invalidate()
      return answer
    }
  }

  private enum SQLiteEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let stored = rows(data)
      let database = try SQLiteDatabase(directory + "/person.sqlite")
      try database.execute(SQLitePeer.createTable)
      for index in SQLitePeer.createIndexes { try database.execute(index) }
      try database.insertPeople(stored)
      let update = try database.prepare("UPDATE person SET age = ? WHERE id = ?")
      let select = try database.prepare("SELECT COUNT(*) FROM person WHERE age = ?")
      let answer = try FirstQuery.run(stored, &meter) { id, age in
        try database.transaction {
          update.bind(1, age)
          update.bind(2, id)
          _ = try update.step()
        }
      } count: { age in
        select.bind(1, age)
        defer { select.reset() }
        return try select.step() ? select.int(0) : 0
      }
      try database.close()
      return answer
    }
  }

  private enum GRDBEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let stored = rows(data)
      let queue = try GRDBPeer.open(directory + "/person.sqlite")
      try queue.write { database in
        try database.execute(sql: SQLitePeer.createTable)
        for index in SQLitePeer.createIndexes { try database.execute(sql: index) }
        for row in stored { try PersonRecord(row).insert(database) }
      }
      let answer = try FirstQuery.run(stored, &meter) { id, age in
        try queue.write { database in
          try database.cachedStatement(sql: "UPDATE person SET age = ? WHERE id = ?").execute(arguments: [age, id])
        }
      } count: { age in
        try queue.read { try PersonRecord.filter(PersonRecord.age == age).fetchCount($0) }
      }
      try queue.close()
      return answer
    }
  }
}
