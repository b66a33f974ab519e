import GRDB
import Larder

/// Requests of a server: each reads or writes in a block of its own, in the store of its user, from a task.
enum ScopedBlocks {
  static let trial = Trial(
    ids: ["scoped-read", "scoped-write"],
    entrants: ["larder": LarderEntrant.self, "grdb": GRDBEntrant.self])

  private static let users = 100
  private static let people = 1_000
  private static let reads = 20_000
  private static let writes = 5_000

  /// The user and the person of a request: all users in turn, in an order that no cache foresees.
  private static func request(_ number: Int, _ data: Dataset) -> (user: Int, id: Int) {
    (number * 37 % users, data.rows[number * 131 % people % data.rows.count].id)
  }

  private static func requests(_ count: Int, _ data: Dataset) -> [(user: Int, id: Int)] {
    (0..<count).map { request($0, data) }
  }

  private enum LarderEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let stores = UserStores.configurations(directory, users)
      try UserStores.fill(stores, data.rows.prefix(people))
      let (reading, writing) = (requests(reads, data), requests(writes, data))
      // The first block of each store opens it; the row is of stores that are in use.
      try UserStores.wait {
        for store in stores { _ = try await Realm.read(configuration: store) { $0.objects(Person.self).count } }
      }
      var digest = OrderDigest()
      try meter.time("scoped-read", units: reads) {
        digest = try UserStores.wait {
          var digest = OrderDigest()
          for (user, id) in reading {
            digest.add(
              try await Realm.read(configuration: stores[user]) {
                $0.object(ofType: Person.self, forPrimaryKey: id)?.name.utf8.count ?? 0
              })
          }
          return digest
        }
      }
      try meter.time("scoped-write", units: writes) {
        try UserStores.wait {
          for (user, id) in writing {
            try await Realm.write(configuration: stores[user]) { realm in
              realm.object(ofType: Person.self, forPrimaryKey: id)?.age += 1
            }
          }
        }
      }
      var ages = 0
      for store in stores {
        let realm = try Realm(configuration: store)
        for person in realm.objects(Person.self) { ages += person.age }
        realm.invalidate()
      }
      StoreKeeping.closeIdleStores()
      digest.add(ages)
      return digest.answer
    }
  }

  private enum GRDBEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let pools = try (0..<users).map { try UserStores.pool(directory, $0) }
      for pool in pools { try UserStores.fill(pool, data.rows.prefix(people)) }
      let (reading, writing) = (requests(reads, data), requests(writes, data))
      try UserStores.wait {
        for pool in pools { _ = try await pool.read { try PersonRecord.fetchCount($0) } }
      }
      var digest = OrderDigest()
      try meter.time("scoped-read", units: reads) {
        digest = try UserStores.wait {
          var digest = OrderDigest()
          for (user, id) in reading {
            digest.add(
              try await pools[user].read { database in
                let statement = try database.cachedStatement(sql: "SELECT name FROM person WHERE id = ?")
                return try String.fetchOne(statement, arguments: [id])?.utf8.count ?? 0
              })
          }
          return digest
        }
      }
      try meter.time("scoped-write", units: writes) {
        try UserStores.wait {
          for (user, id) in writing {
            try await pools[user].write { database in
              let statement = try database.cachedStatement(sql: "UPDATE person SET age = age + 1 WHERE id = ?")
              try statement.execute(arguments: [id])
            }
          }
        }
      }
      let ages = try pools.reduce(0) { sum, pool in
        sum + (try pool.read { try Int.fetchOne($0, sql: "SELECT SUM(age) FROM person") ?? 0 })
      }
      for pool in pools { try pool.close() }
      digest.add(ages)
      return digest.answer
    }
  }
}
