import GRDB
import Larder

/// Objects of a hundred properties: many in one transaction, and commits that add one, or change one property of an old one.
enum WideClasses {
  static let trial = Trial(
    ids: ["wide-insert", "wide-commit-new", "wide-commit-old"],
    entrants: ["larder": LarderEntrant.self, "grdb": GRDBEntrant.self, "sqlite": SQLiteEntrant.self])

  private static let commits = 500

  /// Returns the rows to insert, and those after them to commit one by one.
  private static func rows(_ data: Dataset) -> (inserted: [WideRow], committed: [WideRow]) {
    var random = Generator(seed: 100)
    let size = max(1_000, data.rows.count / 50)
    let rows = (0..<size + commits).map { WideRow($0, &random) }
    return (Array(rows.prefix(size)), Array(rows.suffix(commits)))
  }

  /// Returns the old rows that change, spread over all, with their new values.
  private static func changes(_ count: Int) -> [(id: Int, value: Int)] {
    (0..<commits).map { (($0 * 7_919) % count, 20_000 + $0) }
  }

  private enum LarderEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let (inserted, committed) = rows(data)
      let realm = try LarderPeer.open(directory, [Wide.self])
      try meter.time("wide-insert", units: inserted.count) {
        try realm.write { for row in inserted { realm.add(Wide(row)) } }
      }
      try meter.time("wide-commit-new", units: commits) {
        for row in committed { try realm.write { realm.add(Wide(row)) } }
      }
      try meter.time("wide-commit-old", units: commits) {
        for change in changes(inserted.count) {
          try realm.write { realm.object(ofType: Wide.self, forPrimaryKey: change.id)?.i20 = change.value }
        }
      }
      let wide = realm.objects(Wide.self)
      let answer = Answer(
        wide.count, wide.sum(ofProperty: "i0"), wide.sum(ofProperty: "i20"), wide.sum(ofProperty: "i48"),
        wide.reduce(0) { $0 + $1.t19.utf8.count })
      realm.invalidate()
      return answer
    }
  }

  private enum SQLiteEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let (inserted, committed) = rows(data)
      let database = try SQLiteDatabase(directory + "/wide.sqlite")
      try database.execute(WideRow.createTable)
      let values = WideRow.columns.map { _ in "?" }.joined(separator: ", ")
      let insert = try database.prepare("INSERT INTO wide VALUES (\(values))")
      try meter.time("wide-insert", units: inserted.count) {
        try database.transaction { for row in inserted { try add(row, insert) } }
      }
      try meter.time("wide-commit-new", units: commits) {
        for row in committed { try database.transaction { try add(row, insert) } }
      }
      let update = try database.prepare("UPDATE wide SET i20 = ? WHERE id = ?")
      try meter.time("wide-commit-old", units: commits) {
        for change in changes(inserted.count) {
          try database.transaction {
            update.bind(1, change.value)
            update.bind(2, change.id)
            _ = try update.step()
          }
        }
      }
      let answer = Answer(
        try database.integer("SELECT COUNT(*) FROM wide"), try database.integer("SELECT SUM(i0) FROM wide"),
        try database.integer("SELECT SUM(i20) FROM wide"), try database.integer("SELECT SUM(i48) FROM wide"),
        try database.integer("SELECT SUM(LENGTH(t19)) FROM wide"))
      try database.close()
      return answer
    }

    private static func add(_ row: WideRow, _ insert: Statement) throws {
      insert.bind(1, row.id)
      var index: Int32 = 2
      for value in row.integers {
        insert.bind(index, value)
        index += 1
      }
      for value in row.doubles {
        insert.bind(index, value)
        index += 1
      }
      try insert.withTexts(from: index, row.texts[...]) { _ = try insert.step() }
    }
  }

  private enum GRDBEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let (inserted, committed) = rows(data)
      let queue = try GRDBPeer.open(directory + "/wide.sqlite")
      try queue.write { try $0.execute(sql: WideRow.createTable) }
      try meter.time("wide-insert", units: inserted.count) {
        try queue.write { database in for row in inserted { try WideRecord(row: row).insert(database) } }
      }
      try meter.time("wide-commit-new", units: commits) {
        for row in committed { try queue.write { try WideRecord(row: row).insert($0) } }
      }
      try meter.time("wide-commit-old", units: commits) {
        for change in changes(inserted.count) {
          try queue.write { database in
            try database.cachedStatement(sql: "UPDATE wide SET i20 = ? WHERE id = ?")
              .execute(arguments: [change.value, change.id])
          }
        }
      }
      let sql = "SELECT COUNT(*), SUM(i0), SUM(i20), SUM(i48), SUM(LENGTH(t19)) FROM wide"
      let sums = try queue.read { try Row.fetchOne($0, sql: sql) }
      try queue.close()
      return Answer(sums?[0] ?? 0, sums?[1] ?? 0, sums?[2] ?? 0, sums?[3] ?? 0, sums?[4] ?? 0)
    }
  }

  private struct WideRecord: PersistableRecord {
    static let databaseTableName = "wide"

    let row: WideRow

    func encode(to container: inout PersistenceContainer) {
      container["id"] = row.id
      let columns = WideRow.columns
      var place = 1
      for value in row.integers {
        container[columns[place]] = value
        place += 1
      }
      for value in row.doubles {
        container[columns[place]] = value
        place += 1
      }
      for value in row.texts {
        container[columns[place]] = value
        place += 1
      }
    }
  }
}
