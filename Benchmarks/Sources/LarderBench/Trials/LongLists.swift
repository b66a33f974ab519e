import GRDB
import Larder

/// One list of as many integers as there are rows: elements at random positions, and the sum of all.
///
/// The peers that have tables keep a row for each element, found by owner and position.
enum LongLists {
  static let trial = Trial(
    ids: ["list-int-access", "list-int-sum"],
    entrants: ["larder": LarderEntrant.self, "grdb": GRDBEntrant.self, "sqlite": SQLiteEntrant.self])

  private static let createTable = """
    CREATE TABLE number (owner INTEGER NOT NULL, position INTEGER NOT NULL, value INTEGER NOT NULL, \
    PRIMARY KEY (owner, position)) WITHOUT ROWID
    """
  private static let insert = "INSERT INTO number (owner, position, value) VALUES (1, ?, ?)"
  private static let select = "SELECT value FROM number WHERE owner = 1 AND position = ?"
  private static let sum = "SELECT SUM(value) FROM number WHERE owner = 1"

  private static func values(_ data: Dataset) -> [Int] {
    var random = Generator(seed: 31)
    return data.rows.map { _ in random.below(1_000_000) }
  }

  private static func positions(_ data: Dataset) -> [Int] {
    var random = Generator(seed: 32)
    return (0..<max(1_000, data.rows.count / 2)).map { _ in random.below(data.rows.count) }
  }

  private enum LarderEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let positions = positions(data)
      let realm = try LarderPeer.open(directory, [NumberList.self])
      let owner = try realm.write {
        let owner = realm.create(NumberList.self)
        owner.numbers.append(objectsIn: values(data))
        return owner
      }
      let numbers = owner.numbers
      var (digest, sum) = (OrderDigest(), 0)
      meter.time("list-int-access", units: positions.count) {
        for position in positions { digest.add(numbers[position]) }
      }
      meter.time("list-int-sum", units: data.rows.count) { sum = numbers.sum() }
      digest.add(sum)
      realm.invalidate()
      return digest.answer
    }
  }

  private enum SQLiteEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let positions = positions(data)
      let database = try SQLiteDatabase(directory + "/number.sqlite")
      try database.execute(createTable)
      let insert = try database.prepare(insert)
      try database.transaction {
        for (position, value) in values(data).enumerated() {
          insert.bind(1, position)
          insert.bind(2, value)
          _ = try insert.step()
        }
      }
      let select = try database.prepare(select)
      var (digest, sum) = (OrderDigest(), 0)
      try meter.time("list-int-access", units: positions.count) {
        try database.transaction("BEGIN") {
          for position in positions {
            select.bind(1, position)
            if try select.step() { digest.add(select.int(0)) }
            select.reset()
          }
        }
      }
      try meter.time("list-int-sum", units: data.rows.count) { sum = try database.integer(LongLists.sum) }
      digest.add(sum)
      try database.close()
      return digest.answer
    }
  }

  private enum GRDBEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let positions = positions(data)
      let queue = try GRDBPeer.open(directory + "/number.sqlite")
      try queue.write { database in
        try database.execute(sql: createTable)
        let statement = try database.cachedStatement(sql: insert)
        for (position, value) in values(data).enumerated() { try statement.execute(arguments: [position, value]) }
      }
      var (digest, sum) = (OrderDigest(), 0)
      try meter.time("list-int-access", units: positions.count) {
        try queue.read { database in
          let statement = try database.cachedStatement(sql: select)
          for position in positions {
            if let value = try Int.fetchOne(statement, arguments: [position]) { digest.add(value) }
          }
        }
      }
      try meter.time("list-int-sum", units: data.rows.count) {
        sum = try queue.read { try Int.fetchOne($0, sql: LongLists.sum) ?? 0 }
      }
      digest.add(sum)
      try queue.close()
      return digest.answer
    }
  }
}

/// The owner of one list.
final class NumberList: Object {
  @Persisted var numbers: List<Int>
}
