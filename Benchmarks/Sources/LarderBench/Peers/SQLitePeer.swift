import Foundation

/// SQLite through its C API, every statement prepared once. WAL with `synchronous = FULL`, so a commit is durable.
final class SQLitePeer: Peer {
  static let name = "sqlite"

  private let database: SQLiteDatabase
  private var followed = FollowedIDs()
  private var followedLimit = 0.0

  static let createTable = """
    CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL, score REAL NOT NULL, \
    active INTEGER NOT NULL, created INTEGER NOT NULL, email TEXT NOT NULL)
    """
  static let createIndexes = ["CREATE INDEX person_age ON person(age)", "CREATE INDEX person_name ON person(name)"]

  init(directory: String, indexed: Bool) throws {
    database = try SQLiteDatabase(directory + "/person.sqlite")
    try database.execute(Self.createTable)
    if indexed { for index in Self.createIndexes { try database.execute(index) } }
  }

  func insert(_ rows: [PersonRow]) throws {
    try database.insertPeople(rows)
  }

  func readAll() throws -> Answer {
    let statement = try database.prepare("SELECT id, name, age, score, active, created, email FROM person")
    var digest = RowDigest()
    while try statement.step() {
      digest.add(
        id: statement.int(0), nameLength: statement.textLength(1), age: statement.int(2), score: statement.double(3),
        active: statement.int(4) != 0, created: statement.int(5), emailLength: statement.textLength(6))
    }
    return digest.answer
  }

  func lookup(_ ids: [Int]) throws -> Answer {
    let statement = try database.prepare("SELECT name FROM person WHERE id = ?")
    var digest = OrderDigest()
    try database.transaction("BEGIN") {
      for id in ids {
        statement.bind(1, id)
        if try statement.step() { digest.add(statement.textLength(0)) }
        statement.reset()
      }
    }
    return digest.answer
  }

  func countScan() throws -> Answer { Answer(try database.integer("SELECT COUNT(*) FROM person WHERE age > 50")) }

  func compoundScan() throws -> Answer {
    // GLOB is SQLite's case-sensitive prefix match; it uses an index where there is one.
    let statement = try database.prepare("SELECT id FROM person WHERE name GLOB 'ab*' OR (score < 0.1 AND active)")
    var digest = SetDigest()
    while try statement.step() { digest.add(statement.int(0)) }
    return digest.answer
  }

  func countNames(_ names: [String]) throws -> Answer {
    // One parameter for all of many: SQLite makes an index of the list by itself.
    let isList = names.count > 1
    let statement = try database.prepare(
      isList
        ? "SELECT COUNT(*) FROM person WHERE name IN (SELECT value FROM json_each(?))"
        : "SELECT COUNT(*) FROM person WHERE name = ?")
    let text = isList ? "[" + names.map { "\"\($0)\"" }.joined(separator: ",") + "]" : names[0]
    var count = 0
    try statement.withText(1, text) { if try statement.step() { count = statement.int(0) } }
    statement.reset()
    return Answer(count)
  }

  static let createLinked = [
    "CREATE TABLE country (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
    "CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country INTEGER NOT NULL)",
    "CREATE INDEX city_country ON city(country)",
  ]

  func insertCities(_ data: CityData) throws {
    for statement in Self.createLinked { try database.execute(statement) }
    let country = try database.prepare("INSERT INTO country (id, name) VALUES (?, ?)")
    let city = try database.prepare("INSERT INTO city (id, name, country) VALUES (?, ?, ?)")
    try database.transaction {
      for (number, name) in data.countries.enumerated() {
        country.bind(1, number)
        try country.withText(2, name) { _ = try country.step() }
        country.reset()
      }
      for row in data.cities {
        city.bind(1, row.id)
        city.bind(3, row.country)
        try city.withText(2, row.name) { _ = try city.step() }
        city.reset()
      }
    }
  }

  static let countLinked =
    "SELECT COUNT(*) FROM city WHERE country IN (SELECT id FROM country WHERE name = ?)"

  func countCities(inCountries names: [String]) throws -> Answer {
    let statement = try database.prepare(Self.countLinked)
    var digest = OrderDigest()
    try database.transaction("BEGIN") {
      for name in names {
        try statement.withText(1, name) { if try statement.step() { digest.add(statement.int(0)) } }
        statement.reset()
      }
    }
    return digest.answer
  }

  func countIndexed(_ ages: [Int]) throws -> Answer {
    let statement = try database.prepare("SELECT COUNT(*) FROM person WHERE age = ?")
    var digest = OrderDigest()
    try database.transaction("BEGIN") {
      for age in ages {
        statement.bind(1, age)
        if try statement.step() { digest.add(statement.int(0)) }
        statement.reset()
      }
    }
    return digest.answer
  }

  func lookupIndexed(_ names: [String]) throws -> Answer {
    let statement = try database.prepare("SELECT id FROM person WHERE name = ?")
    var digest = OrderDigest()
    try database.transaction("BEGIN") {
      for name in names {
        try statement.withText(1, name) { if try statement.step() { digest.add(statement.int(0)) } }
        statement.reset()
      }
    }
    return digest.answer
  }

  func top100() throws -> Answer { try order("SELECT id FROM person ORDER BY name LIMIT 100") }

  func sort2() throws -> Answer { try order("SELECT id FROM person ORDER BY age, score") }

  func aggregate() throws -> Answer {
    let statement = try database.prepare("SELECT SUM(score), AVG(score), MIN(score), MAX(score) FROM person")
    var answer = Answer()
    if try statement.step() { for column in 0..<4 { answer.append(statement.double(Int32(column))) } }
    statement.reset()
    return answer
  }

  func update(_ updates: [(id: Int, age: Int)]) throws {
    let statement = try database.prepare("UPDATE person SET age = ? WHERE id = ?")
    try database.transaction {
      for change in updates {
        statement.bind(1, change.age)
        statement.bind(2, change.id)
        _ = try statement.step()
        statement.reset()
      }
    }
  }

  func delete(_ ids: [Int]) throws {
    let statement = try database.prepare("DELETE FROM person WHERE id = ?")
    try database.transaction {
      for id in ids {
        statement.bind(1, id)
        _ = try statement.step()
        statement.reset()
      }
    }
  }

  func commitEach(_ rows: ArraySlice<PersonRow>) throws {
    let statement = try database.personStatement()
    for row in rows { try database.transaction { try database.insert(row, statement) } }
  }

  func commitNames(_ changes: [PersonRow]) throws {
    let statement = try database.prepare("UPDATE person SET name = ? WHERE id = ?")
    for change in changes {
      try database.transaction {
        statement.bind(2, change.id)
        try statement.withText(1, change.name) { _ = try statement.step() }
        statement.reset()
      }
    }
  }

  func beginFollowing(scoreBelow limit: Double) throws -> Bool {
    followedLimit = limit
    followed = FollowedIDs()
    _ = followed.adopt(try matches())
    return true
  }

  func changeAndFollow(_ changes: [(id: Int, name: String)]) throws -> Spent {
    let statement = try database.prepare("UPDATE person SET name = ? WHERE id = ?")
    var watch = Stopwatch()
    try database.transaction {
      for change in changes {
        statement.bind(2, change.id)
        try statement.withText(1, change.name) { _ = try statement.step() }
        statement.reset()
      }
      watch = Stopwatch()
    }
    followed.changes += followed.adopt(try matches())
    return watch.read()
  }

  func followedMatches() throws -> Answer { followed.answer }

  func rerun(scoreBelow limit: Double) throws -> Answer? {
    var digest = OrderDigest()
    for id in try matches() { digest.add(id) }
    return digest.answer
  }

  /// All there is to do without notifications: the query again.
  private func matches() throws -> [Int] {
    let statement = try database.prepare("SELECT id FROM person WHERE score < ? ORDER BY name")
    statement.bind(1, followedLimit)
    var ids: [Int] = []
    while try statement.step() { ids.append(statement.int(0)) }
    return ids
  }

  func endFollowing() { followed = FollowedIDs() }

  func contents() throws -> Answer {
    try database.peopleContents()
  }

  func fileBytes() throws -> Int { try database.fileBytes() }

  func close() throws { try database.close() }

  // MARK: - Statements

  private func order(_ sql: String) throws -> Answer {
    let statement = try database.prepare(sql)
    var digest = OrderDigest()
    while try statement.step() { digest.add(statement.int(0)) }
    return digest.answer
  }
}

extension SQLiteDatabase {
  /// All rows in one transaction.
  func insertPeople(_ rows: some Sequence<PersonRow>) throws {
    let statement = try personStatement()
    try transaction { for row in rows { try insert(row, statement) } }
  }

  func personStatement() throws -> Statement {
    try prepare("INSERT INTO person (id, name, age, score, active, created, email) VALUES (?, ?, ?, ?, ?, ?, ?)")
  }

  func insert(_ row: PersonRow, _ statement: Statement) throws {
    statement.bind(1, row.id)
    statement.bind(3, row.age)
    statement.bind(4, row.score)
    statement.bind(5, row.active ? 1 : 0)
    statement.bind(6, row.created)
    try statement.withText(2, row.name) { try statement.withText(7, row.email) { _ = try statement.step() } }
    statement.reset()
  }

  /// Count, and sum of ids and of ages.
  func peopleContents() throws -> Answer {
    Answer(
      try integer("SELECT COUNT(*) FROM person"), try integer("SELECT SUM(id) FROM person"),
      try integer("SELECT SUM(age) FROM person"))
  }
}

/// The size of a file in bytes.
func fileSize(_ path: String) throws -> Int {
  let attributes = try FileManager.default.attributesOfItem(atPath: path)
  guard let size = attributes[.size] as? NSNumber else { throw BenchmarkError("no size of \(path)") }
  return size.intValue
}
