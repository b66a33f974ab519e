import Foundation
import Larder

#if canImport(Glibc)
  import Glibc
#endif

/// A store on a disk of which nothing is in memory: opened and counted, some objects looked up, the first screen of a sorted query. Each
/// begins with a file that the page cache has let go of.
enum ColdStart {
  static let trial = Trial(
    ids: ["cold-count", "cold-lookup", "cold-top100"],
    entrants: ["larder": LarderEntrant.self, "sqlite": SQLiteEntrant.self], isOnDisk: true)

  private static let lookups = 100

  /// Has the system forget the pages of a file, which must be written and closed.
  private static func forget(_ path: String) throws {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { throw BenchmarkError("\(path) cannot be opened") }
    defer { close(file) }
    guard fsync(file) == 0, posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0 else {
      throw BenchmarkError("the pages of \(path) stay in memory")
    }
  }

  private static func ids(_ data: Dataset) -> [Int] { Array(data.lookupIDs.prefix(lookups)) }

  private enum LarderEntrant: Entrant {
    private static func cold(_ directory: String, _ body: (Realm) throws -> Void) throws -> Spent {
      try ColdStart.forget(directory + "/person.larder")
      return try Meter.spent {
        let realm = try LarderPeer.open(directory, [Person.self])
        try body(realm)
        realm.invalidate()
      }
    }

    private static func fill(_ directory: String, _ data: Dataset) throws {
      let realm = try LarderPeer.open(directory, [Person.self])
      try realm.write { for row in data.rows { realm.add(Person(row)) } }
      realm.invalidate()
    }

    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      try fill(directory, data)
      var count = 0
      let counting = try cold(directory) { count = $0.objects(Person.self).filter("age > 50").count }
      var digest = OrderDigest()
      let looking = try cold(directory) { realm in
        for id in ColdStart.ids(data) {
          digest.add(realm.object(ofType: Person.self, forPrimaryKey: id)?.name.utf8.count ?? 0)
        }
      }
      let sorting = try cold(directory) { realm in
        for person in realm.objects(Person.self).sorted(byKeyPath: "name").prefix(100) { digest.add(person.id) }
      }
      digest.add(count)
      meter.add("cold-count", counting, units: 1)
      meter.add("cold-lookup", looking, units: lookups)
      meter.add("cold-top100", sorting, units: 1)
      return digest.answer
    }
  }

  private enum SQLiteEntrant: Entrant {
    private static func cold(_ path: String, _ body: (SQLiteDatabase) throws -> Void) throws -> Spent {
      try ColdStart.forget(path)
      return try Meter.spent {
        let database = try SQLiteDatabase(path)
        try body(database)
        try database.close()
      }
    }

    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let path = directory + "/person.sqlite"
      let database = try SQLiteDatabase(path)
      try database.execute(SQLitePeer.createTable)
      try database.insertPeople(data.rows)
      _ = try database.fileBytes()
      try database.close()
      var count = 0
      let counting = try cold(path) { count = try $0.integer("SELECT COUNT(*) FROM person WHERE age > 50") }
      var digest = OrderDigest()
      let looking = try cold(path) { database in
        let statement = try database.prepare("SELECT name FROM person WHERE id = ?")
        for id in ColdStart.ids(data) {
          statement.bind(1, id)
          digest.add(try statement.step() ? statement.textLength(0) : 0)
          statement.reset()
        }
      }
      let sorting = try cold(path) { database in
        let statement = try database.prepare("SELECT id FROM person ORDER BY name LIMIT 100")
        while try statement.step() { digest.add(statement.int(0)) }
      }
      digest.add(count)
      meter.add("cold-count", counting, units: 1)
      meter.add("cold-lookup", looking, units: lookups)
      meter.add("cold-top100", sorting, units: 1)
      return digest.answer
    }
  }
}
