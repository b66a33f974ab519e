import BenchSQLite
import Foundation

/// SQLite through its C API, every statement prepared once. WAL with `synchronous = FULL`, so a commit is durable.
final class SQLitePeer: Peer {
  static let name = "sqlite"

  private let path: String
  private var database: OpaquePointer?
  private var statements: [String: Statement] = [:]
  private var followed = FollowedIDs()
  private var followedLimit = 0.0

  /// The settings that both SQLite peers share: durable commits, and caches that hold the whole store.
  static let pragmas = [
    "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA cache_size = -262144",
    "PRAGMA mmap_size = 1073741824", "PRAGMA temp_store = MEMORY",
  ]
  static let createTable = """
    CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL, score REAL NOT NULL, \
    active INTEGER NOT NULL, created INTEGER NOT NULL, email TEXT NOT NULL)
    """
  static let createIndexes = ["CREATE INDEX person_age ON person(age)", "CREATE INDEX person_name ON person(name)"]

  init(directory: String, indexed: Bool) throws {
    path = directory + "/person.sqlite"
    guard sqlite3_open(path, &database) == SQLITE_OK else { throw BenchmarkError("sqlite3_open failed for \(path)") }
    for pragma in Self.pragmas { try execute(pragma) }
    try execute(Self.createTable)
    if indexed { for index in Self.createIndexes { try execute(index) } }
  }

  func insert(_ rows: [PersonRow]) throws {
    let statement = try insertStatement()
    try transaction { for row in rows { try insert(row, statement) } }
  }

  func readAll() throws -> Answer {
    let statement = try prepare("SELECT id, name, age, score, active, created, email FROM person")
    var digest = RowDigest()
    while try statement.step() {
      digest.add(
        id: statement.int(0), nameLength: statement.textLength(1), age: statement.int(2), score: statement.double(3),
        active: statement.int(4) != 0, created: statement.int(5), emailLength: statement.textLength(6))
    }
    return digest.answer
  }

  func lookup(_ ids: [Int]) throws -> Answer {
    let statement = try prepare("SELECT name FROM person WHERE id = ?")
    var digest = OrderDigest()
    try transaction("BEGIN") {
      for id in ids {
        statement.bind(1, id)
        if try statement.step() { digest.add(statement.textLength(0)) }
        statement.reset()
      }
    }
    return digest.answer
  }

  func countScan() throws -> Answer { Answer(try integer("SELECT COUNT(*) FROM person WHERE age > 50")) }

  func compoundScan() throws -> Answer {
    // GLOB is SQLite's case-sensitive prefix match; it uses an index where there is one.
    let statement = try prepare("SELECT id FROM person WHERE name GLOB 'ab*' OR (score < 0.1 AND active)")
    var digest = SetDigest()
    while try statement.step() { digest.add(statement.int(0)) }
    return digest.answer
  }

  func countNames(_ names: [String]) throws -> Answer {
    // One parameter for all of many: SQLite makes an index of the list by itself.
    let isList = names.count > 1
    let statement = try prepare(
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
    for statement in Self.createLinked { try execute(statement) }
    let country = try prepare("INSERT INTO country (id, name) VALUES (?, ?)")
    let city = try prepare("INSERT INTO city (id, name, country) VALUES (?, ?, ?)")
    try transaction {
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
    let statement = try prepare(Self.countLinked)
    var digest = OrderDigest()
    try transaction("BEGIN") {
      for name in names {
        try statement.withText(1, name) { if try statement.step() { digest.add(statement.int(0)) } }
        statement.reset()
      }
    }
    return digest.answer
  }

  func countIndexed(_ ages: [Int]) throws -> Answer {
    let statement = try prepare("SELECT COUNT(*) FROM person WHERE age = ?")
    var digest = OrderDigest()
    try transaction("BEGIN") {
      for age in ages {
        statement.bind(1, age)
        if try statement.step() { digest.add(statement.int(0)) }
        statement.reset()
      }
    }
    return digest.answer
  }

  func lookupIndexed(_ names: [String]) throws -> Answer {
    let statement = try prepare("SELECT id FROM person WHERE name = ?")
    var digest = OrderDigest()
    try transaction("BEGIN") {
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
    let statement = try prepare("SELECT SUM(score), AVG(score), MIN(score), MAX(score) FROM person")
    var answer = Answer()
    if try statement.step() { for column in 0..<4 { answer.append(statement.double(Int32(column))) } }
    statement.reset()
    return answer
  }

  func update(_ updates: [(id: Int, age: Int)]) throws {
    let statement = try prepare("UPDATE person SET age = ? WHERE id = ?")
    try transaction {
      for change in updates {
        statement.bind(1, change.age)
        statement.bind(2, change.id)
        _ = try statement.step()
        statement.reset()
      }
    }
  }

  func delete(_ ids: [Int]) throws {
    let statement = try prepare("DELETE FROM person WHERE id = ?")
    try transaction {
      for id in ids {
        statement.bind(1, id)
        _ = try statement.step()
        statement.reset()
      }
    }
  }

  func commitEach(_ rows: ArraySlice<PersonRow>) throws {
    let statement = try insertStatement()
    for row in rows { try transaction { try insert(row, statement) } }
  }

  func beginFollowing(scoreBelow limit: Double) throws -> Bool {
    followedLimit = limit
    followed = FollowedIDs()
    _ = followed.adopt(try matches())
    return true
  }

  func changeAndFollow(_ changes: [(id: Int, name: String)]) throws -> Duration {
    let statement = try prepare("UPDATE person SET name = ? WHERE id = ?")
    var start = ContinuousClock.now
    try transaction {
      for change in changes {
        statement.bind(2, change.id)
        try statement.withText(1, change.name) { _ = try statement.step() }
        statement.reset()
      }
      start = .now
    }
    followed.changes += followed.adopt(try matches())
    return start.duration(to: .now)
  }

  func followedMatches() throws -> Answer { followed.answer }

  func rerun(scoreBelow limit: Double) throws -> Answer? {
    var digest = OrderDigest()
    for id in try matches() { digest.add(id) }
    return digest.answer
  }

  /// All there is to do without notifications: the query again.
  private func matches() throws -> [Int] {
    let statement = try prepare("SELECT id FROM person WHERE score < ? ORDER BY name")
    statement.bind(1, followedLimit)
    var ids: [Int] = []
    while try statement.step() { ids.append(statement.int(0)) }
    return ids
  }

  func endFollowing() { followed = FollowedIDs() }

  func contents() throws -> Answer {
    Answer(
      try integer("SELECT COUNT(*) FROM person"), try integer("SELECT SUM(id) FROM person"),
      try integer("SELECT SUM(age) FROM person"))
  }

  func fileBytes() throws -> Int {
    try execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return try fileSize(path)
  }

  func close() throws {
    statements = [:]
    guard sqlite3_close(database) == SQLITE_OK else { throw failure("close") }
    database = nil
  }

  // MARK: - Statements

  private func insertStatement() throws -> Statement {
    try prepare("INSERT INTO person (id, name, age, score, active, created, email) VALUES (?, ?, ?, ?, ?, ?, ?)")
  }

  private func insert(_ row: PersonRow, _ statement: Statement) throws {
    statement.bind(1, row.id)
    statement.bind(3, row.age)
    statement.bind(4, row.score)
    statement.bind(5, row.active ? 1 : 0)
    statement.bind(6, row.created)
    try statement.withText(2, row.name) { try statement.withText(7, row.email) { _ = try statement.step() } }
    statement.reset()
  }

  private func order(_ sql: String) throws -> Answer {
    let statement = try prepare(sql)
    var digest = OrderDigest()
    while try statement.step() { digest.add(statement.int(0)) }
    return digest.answer
  }

  private func integer(_ sql: String) throws -> Int {
    let statement = try prepare(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.int(0) : 0
  }

  private func transaction(_ opening: String = "BEGIN IMMEDIATE", _ body: () throws -> Void) throws {
    let begin = try prepare(opening)
    let commit = try prepare("COMMIT")
    _ = try begin.step()
    begin.reset()
    try body()
    _ = try commit.step()
    commit.reset()
  }

  private func prepare(_ sql: String) throws -> Statement {
    if let known = statements[sql] { return known }
    var pointer: OpaquePointer?
    guard sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil) == SQLITE_OK,
      let pointer
    else { throw failure(sql) }
    let statement = Statement(pointer)
    statements[sql] = statement
    return statement
  }

  private func execute(_ sql: String) throws {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
  }

  private func failure(_ what: String) -> BenchmarkError {
    BenchmarkError("sqlite: \(what): \(String(cString: sqlite3_errmsg(database)))")
  }
}

/// The ids of a followed query, and what changed between two runs of it.
struct FollowedIDs {
  private(set) var ids: [Int] = []
  var changes = 0

  /// Takes over the new result; says how many ids are not where they were.
  mutating func adopt(_ new: [Int]) -> Int {
    var first = 0
    let shared = min(ids.count, new.count)
    while first < shared, ids[first] == new[first] { first += 1 }
    var last = 0
    while last < shared - first, ids[ids.count - 1 - last] == new[new.count - 1 - last] { last += 1 }
    let changed = max(ids.count, new.count) - first - last
    ids = new
    return changed
  }

  var answer: Answer {
    var digest = OrderDigest()
    for id in ids { digest.add(id) }
    return digest.answer
  }
}

/// A prepared statement. `step` resets it by itself at the end of its rows.
private final class Statement {
  private let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { sqlite3_finalize(pointer) }

  /// True when there is a row.
  @inline(__always)
  func step() throws -> Bool {
    switch sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      sqlite3_reset(pointer)
      return false
    default: throw BenchmarkError("sqlite: \(String(cString: sqlite3_errmsg(sqlite3_db_handle(pointer))))")
    }
  }

  @inline(__always) func reset() { sqlite3_reset(pointer) }
  @inline(__always) func bind(_ index: Int32, _ value: Int) { sqlite3_bind_int64(pointer, index, Int64(value)) }
  @inline(__always) func bind(_ index: Int32, _ value: Double) { sqlite3_bind_double(pointer, index, value) }
  @inline(__always) func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(pointer, column)) }
  @inline(__always) func double(_ column: Int32) -> Double { sqlite3_column_double(pointer, column) }

  /// Fetches the text, and says its length without making a Swift string: the least a program can do.
  @inline(__always)
  func textLength(_ column: Int32) -> Int {
    _ = sqlite3_column_text(pointer, column)
    return Int(sqlite3_column_bytes(pointer, column))
  }

  /// Binds a string in place for the time of `body`.
  @inline(__always)
  func withText(_ index: Int32, _ text: String, _ body: () throws -> Void) throws {
    let done: Void? = try text.utf8.withContiguousStorageIfAvailable { bytes in
      try bytes.withMemoryRebound(to: CChar.self) { characters in
        _ = sqlite3_bind_text(pointer, index, characters.baseAddress, Int32(characters.count), nil)
        try body()
      }
    }
    if done == nil { throw BenchmarkError("sqlite: a string is not contiguous UTF-8") }
  }
}

/// The size of a file in bytes.
func fileSize(_ path: String) throws -> Int {
  let attributes = try FileManager.default.attributesOfItem(atPath: path)
  guard let size = attributes[.size] as? NSNumber else { throw BenchmarkError("no size of \(path)") }
  return size.intValue
}
