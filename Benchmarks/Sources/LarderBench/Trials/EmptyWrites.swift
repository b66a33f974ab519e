import GRDB
import Larder

/// Write transactions that change nothing: without a change, and with one to the value that is there.
enum EmptyWrites {
  static let trial = Trial(
    ids: ["commit-nothing", "commit-equal"],
    entrants: ["larder": LarderEntrant.self, "grdb": GRDBEntrant.self, "sqlite": SQLiteEntrant.self])

  private static let writes = 2_000
  private static let stored = 10_000

  private static func rows(_ data: Dataset) -> ArraySlice<PersonRow> { data.rows.prefix(stored) }

  private enum LarderEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let realm = try LarderPeer.open(directory, [Person.self])
      let people = rows(data).map { Person($0) }
      try realm.write { realm.add(people) }
      try meter.time("commit-nothing", units: writes) { for _ in 0..<writes { try realm.write {} } }
      let ages = rows(data).map(\.age)
      try meter.time("commit-equal", units: writes) {
        for number in 0..<writes {
          let index = (number * 37) % people.count
          try realm.write { people[index].age = ages[index] }
        }
      }
      let answer = LarderPeer.peopleContents(realm)
      realm.invalidate()
      return answer
    }
  }

  private enum SQLiteEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let database = try SQLiteDatabase(directory + "/person.sqlite")
      try database.execute(SQLitePeer.createTable)
      try database.insertPeople(rows(data))
      try meter.time("commit-nothing", units: writes) { for _ in 0..<writes { try database.transaction {} } }
      let people = Array(rows(data))
      let update = try database.prepare("UPDATE person SET age = ? WHERE id = ?")
      try meter.time("commit-equal", units: writes) {
        for number in 0..<writes {
          let person = people[(number * 37) % people.count]
          try database.transaction {
            update.bind(1, person.age)
            update.bind(2, person.id)
            _ = try update.step()
          }
        }
      }
      let answer = try database.peopleContents()
      try database.close()
      return answer
    }
  }

  private enum GRDBEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let queue = try GRDBPeer.open(directory + "/person.sqlite")
      try queue.write { database in
        try database.execute(sql: SQLitePeer.createTable)
        for row in rows(data) { try PersonRecord(row).insert(database) }
      }
      try meter.time("commit-nothing", units: writes) { for _ in 0..<writes { try queue.write { _ in } } }
      var people = rows(data).map { PersonRecord($0) }
      let ages = people.map(\.age)
      // What GRDB recommends: only what differs is written.
      try meter.time("commit-equal", units: writes) {
        for number in 0..<writes {
          let index = (number * 37) % people.count
          _ = try queue.write { database in try people[index].updateChanges(database) { $0.age = ages[index] } }
        }
      }
      let answer = try queue.peopleContents()
      try queue.close()
      return answer
    }
  }
}
