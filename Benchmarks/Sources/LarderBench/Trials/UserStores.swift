import Foundation
import GRDB
import Larder
import Synchronization

/// One store for each user, as a server has them.
enum UserStores {
  /// The configurations of the stores of a directory, by number of the user.
  static func configurations(_ directory: String, _ count: Int) -> [Realm.Configuration] {
    (0..<count).map {
      Realm.Configuration(
        fileURL: URL(fileURLWithPath: "\(directory)/user-\($0).larder"), objectTypes: [Person.self])
    }
  }

  /// Makes the stores of all users with the same people in each, and leaves none open.
  static func fill(_ configurations: [Realm.Configuration], _ people: ArraySlice<PersonRow>) throws {
    for configuration in configurations {
      let realm = try Realm(configuration: configuration)
      try realm.write { for row in people { realm.add(Person(row)) } }
      realm.invalidate()
    }
  }

  /// A pool of connections with the settings of the C peer.
  static func pool(_ directory: String, _ user: Int) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.prepareDatabase { database in
      for pragma in SQLiteDatabase.pragmas { try database.execute(sql: pragma) }
    }
    let pool = try DatabasePool(path: "\(directory)/user-\(user).sqlite", configuration: configuration)
    // GRDB lowers `synchronous` in a pool; a commit must be durable here as in every other peer.
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    return pool
  }

  /// Makes the table of people in a pool.
  static func fill(_ pool: DatabasePool, _ people: ArraySlice<PersonRow>) throws {
    try pool.write { database in
      try database.execute(sql: SQLitePeer.createTable)
      for row in people { try PersonRecord(row).insert(database) }
    }
  }

  /// Runs asynchronous work in a task of its own, and waits for it on a thread that has none.
  static func wait<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) throws -> Result {
    let result = Mutex<Swift.Result<Result, any Error>?>(nil)
    let end = DispatchSemaphore(value: 0)
    Task.detached {
      let value: Swift.Result<Result, any Error>
      do { value = .success(try await work()) } catch { value = .failure(error) }
      result.withLock { $0 = value }
      end.signal()
    }
    end.wait()
    guard let value = result.withLock({ $0 }) else { throw BenchmarkError("a task ended without a result") }
    return try value.get()
  }
}
