import GRDB
import Synchronization

/// SQLite through GRDB's records and query interface; in loops over one query with its cached statements, as its
/// guide recommends there. The same settings as the C peer.
final class GRDBPeer: Peer {
  static let name = "grdb"

  private let queue: DatabaseQueue
  private var followed = FollowedIDs()
  private var observation: AnyDatabaseCancellable?
  private let delivery = Delivery()

  init(directory: String, indexed: Bool) throws {
    queue = try Self.open(directory + "/person.sqlite")
    try queue.write { database in
      try database.execute(sql: SQLitePeer.createTable)
      if indexed { for index in SQLitePeer.createIndexes { try database.execute(sql: index) } }
    }
  }

  /// Opens a database with the settings of the C peer.
  static func open(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.journalMode = .wal
    configuration.prepareDatabase { database in
      for pragma in SQLiteDatabase.pragmas { try database.execute(sql: pragma) }
    }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    // GRDB lowers `synchronous` when it turns WAL on; a commit must be durable here as in every other peer.
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    return queue
  }

  func insert(_ rows: [PersonRow]) throws {
    try queue.write { database in
      for row in rows { try PersonRecord(row).insert(database) }
    }
  }

  func readAll() throws -> Answer {
    try queue.read { database in
      var digest = RowDigest()
      let people = try PersonRecord.fetchCursor(database)
      while let person = try people.next() {
        digest.add(
          id: person.id, nameLength: person.name.utf8.count, age: person.age, score: person.score,
          active: person.active, created: person.created, emailLength: person.email.utf8.count)
      }
      return digest.answer
    }
  }

  func lookup(_ ids: [Int]) throws -> Answer {
    try queue.read { database in
      var digest = OrderDigest()
      let statement = try database.cachedStatement(sql: "SELECT name FROM person WHERE id = ?")
      for id in ids {
        if let name = try String.fetchOne(statement, arguments: [id]) { digest.add(name.utf8.count) }
      }
      return digest.answer
    }
  }

  func countScan() throws -> Answer {
    try queue.read { Answer(try PersonRecord.filter(PersonRecord.age > 50).fetchCount($0)) }
  }

  func compoundScan() throws -> Answer {
    try queue.read { database in
      var digest = SetDigest()
      let condition =
        sql("name GLOB 'ab*'") || (PersonRecord.score < 0.1 && PersonRecord.active == true)
      let ids = try PersonRecord.filter(condition).select(PersonRecord.id, as: Int.self).fetchCursor(database)
      while let id = try ids.next() { digest.add(id) }
      return digest.answer
    }
  }

  func countNames(_ names: [String]) throws -> Answer {
    try queue.read { Answer(try PersonRecord.filter(names.contains(PersonRecord.name)).fetchCount($0)) }
  }

  func insertCities(_ data: CityData) throws {
    try queue.write { database in
      for statement in SQLitePeer.createLinked { try database.execute(sql: statement) }
      let country = try database.cachedStatement(sql: "INSERT INTO country (id, name) VALUES (?, ?)")
      for (number, name) in data.countries.enumerated() { try country.execute(arguments: [number, name]) }
      let city = try database.cachedStatement(sql: "INSERT INTO city (id, name, country) VALUES (?, ?, ?)")
      for row in data.cities { try city.execute(arguments: [row.id, row.name, row.country]) }
    }
  }

  func countCities(inCountries names: [String]) throws -> Answer {
    try queue.read { database in
      var digest = OrderDigest()
      let statement = try database.cachedStatement(sql: SQLitePeer.countLinked)
      for name in names { digest.add(try Int.fetchOne(statement, arguments: [name]) ?? 0) }
      return digest.answer
    }
  }

  func countIndexed(_ ages: [Int]) throws -> Answer {
    try queue.read { database in
      var digest = OrderDigest()
      for age in ages { digest.add(try PersonRecord.filter(PersonRecord.age == age).fetchCount(database)) }
      return digest.answer
    }
  }

  func lookupIndexed(_ names: [String]) throws -> Answer {
    try queue.read { database in
      var digest = OrderDigest()
      let statement = try database.cachedStatement(sql: "SELECT id FROM person WHERE name = ?")
      for name in names {
        if let id = try Int.fetchOne(statement, arguments: [name]) { digest.add(id) }
      }
      return digest.answer
    }
  }

  func top100() throws -> Answer {
    try queue.read { database in
      var digest = OrderDigest()
      for person in try PersonRecord.order(PersonRecord.name).limit(100).fetchAll(database) { digest.add(person.id) }
      return digest.answer
    }
  }

  func sort2() throws -> Answer {
    try queue.read { database in
      var digest = OrderDigest()
      let ids = try PersonRecord.order(PersonRecord.age, PersonRecord.score).select(PersonRecord.id, as: Int.self)
        .fetchCursor(database)
      while let id = try ids.next() { digest.add(id) }
      return digest.answer
    }
  }

  func aggregate() throws -> Answer {
    try queue.read { database in
      let score = PersonRecord.score
      let request = PersonRecord.select(sum(score), average(score), min(score), max(score))
      var answer = Answer()
      if let row = try Row.fetchOne(database, request) { for column in 0..<4 { answer.append(row[column] as Double) } }
      return answer
    }
  }

  func update(_ updates: [(id: Int, age: Int)]) throws {
    try queue.write { database in
      let statement = try database.cachedStatement(sql: "UPDATE person SET age = ? WHERE id = ?")
      for change in updates { try statement.execute(arguments: [change.age, change.id]) }
    }
  }

  func delete(_ ids: [Int]) throws {
    try queue.write { database in
      let statement = try database.cachedStatement(sql: "DELETE FROM person WHERE id = ?")
      for id in ids { try statement.execute(arguments: [id]) }
    }
  }

  func commitEach(_ rows: ArraySlice<PersonRow>) throws {
    for row in rows { try queue.write { try PersonRecord(row).insert($0) } }
  }

  func commitNames(_ changes: [PersonRow]) throws {
    for change in changes {
      try queue.write { database in
        let statement = try database.cachedStatement(sql: "UPDATE person SET name = ? WHERE id = ?")
        try statement.execute(arguments: [change.name, change.id])
      }
    }
  }

  func beginFollowing(scoreBelow limit: Double) throws -> Bool {
    followed = FollowedIDs()
    let observation = ValueObservation.tracking { database in
      try PersonRecord.filter(PersonRecord.score < limit).order(PersonRecord.name)
        .select(PersonRecord.id, as: Int.self).fetchAll(database)
    }
    self.observation = observation.start(in: queue, scheduling: .async(onQueue: .main)) { _ in
    } onChange: { [delivery] ids in
      delivery.put(ids)
    }
    _ = followed.adopt(try nextDelivery())
    return true
  }

  func changeAndFollow(_ changes: [(id: Int, name: String)]) throws -> Spent {
    let watch = try queue.write { database in
      let statement = try database.cachedStatement(sql: "UPDATE person SET name = ? WHERE id = ?")
      for change in changes { try statement.execute(arguments: [change.name, change.id]) }
      return Stopwatch()
    }
    followed.changes += followed.adopt(try nextDelivery())
    return watch.read()
  }

  func followedMatches() throws -> Answer { followed.answer }

  func rerun(scoreBelow limit: Double) throws -> Answer? {
    let ids = try queue.read { database in
      try PersonRecord.filter(PersonRecord.score < limit).order(PersonRecord.name)
        .select(PersonRecord.id, as: Int.self).fetchAll(database)
    }
    var digest = OrderDigest()
    for id in ids { digest.add(id) }
    return digest.answer
  }

  /// Runs the main queue until the observation has delivered.
  private func nextDelivery() throws -> [Int] {
    var ids: [Int]?
    try waitOnMainRunLoop("grdb") {
      ids = delivery.take()
      return ids != nil
    }
    return ids ?? []
  }

  func endFollowing() { observation = nil }

  func contents() throws -> Answer {
    try queue.peopleContents()
  }

  func fileBytes() throws -> Int { try queue.fileBytes() }

  func close() throws {
    endFollowing()
    try queue.close()
  }

  private func sql(_ text: String) -> SQL { SQL(sql: text) }
}

extension DatabaseQueue {
  /// Count, and sum of ids and of ages.
  func peopleContents() throws -> Answer {
    try read { database in
      let row = try Row.fetchOne(database, sql: "SELECT COUNT(*), SUM(id), SUM(age) FROM person")
      return Answer(row?[0] ?? 0, row?[1] ?? 0, row?[2] ?? 0)
    }
  }

  /// Size of the file when everything is in it.
  func fileBytes() throws -> Int {
    try writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    return try fileSize(path)
  }
}

/// The ids that an observation has delivered and that were not taken yet.
private final class Delivery: Sendable {
  private let ids = Mutex<[Int]?>(nil)

  func put(_ new: [Int]) { ids.withLock { $0 = new } }

  func take() -> [Int]? {
    ids.withLock { ids in
      defer { ids = nil }
      return ids
    }
  }
}

/// The record: columns by position when read, by name when written.
struct PersonRecord: FetchableRecord, PersistableRecord {
  static let databaseTableName = "person"

  static let id = Column("id")
  static let name = Column("name")
  static let age = Column("age")
  static let score = Column("score")
  static let active = Column("active")

  var id: Int
  var name: String
  var age: Int
  var score: Double
  var active: Bool
  var created: Int
  var email: String

  init(_ row: PersonRow) {
    id = row.id
    name = row.name
    age = row.age
    score = row.score
    active = row.active
    created = row.created
    email = row.email
  }

  init(row: Row) {
    id = row[0]
    name = row[1]
    age = row[2]
    score = row[3]
    active = row[4]
    created = row[5]
    email = row[6]
  }

  func encode(to container: inout PersistenceContainer) {
    container["id"] = id
    container["name"] = name
    container["age"] = age
    container["score"] = score
    container["active"] = active
    container["created"] = created
    container["email"] = email
  }
}
