import BenchSQLite
import Foundation
import GRDB
import Larder
import Synchronization

/// Threads that commit one object a transaction at the same time, each with its own connection to the one store.
enum ThreadCommits {
  static let memory = Trial(ids: ["commit-threads"], entrants: entrants)
  static let disk = Trial(ids: ["commit-threads-disk"], entrants: entrants, isOnDisk: true)

  private static let entrants: [String: any Entrant.Type] = [
    "larder": LarderEntrant.self, "grdb": GRDBEntrant.self, "sqlite": SQLiteEntrant.self,
  ]
  private static let threads = 8
  private static let commits = 250

  /// Runs the work of each thread on a thread of its own, and waits for all of them.
  private static func onThreads(_ work: @escaping @Sendable (Range<Int>) throws -> Void) throws {
    let failures = Mutex<[any Error]>([])
    let group = DispatchGroup()
    for number in 0..<threads {
      group.enter()
      let thread = Thread {
        do {
          try work(number * commits..<(number + 1) * commits)
        } catch {
          failures.withLock { $0.append(error) }
        }
        group.leave()
      }
      thread.stackSize = 4 << 20
      thread.start()
    }
    group.wait()
    if let failure = failures.withLock({ $0.first }) { throw failure }
  }

  /// Rows whose ids are these numbers.
  static func rows(_ data: Dataset, _ range: Range<Int>) -> [PersonRow] {
    range.map { number in
      var row = data.rows[number % data.rows.count]
      row.id = number
      return row
    }
  }

  private enum LarderEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let realm = try LarderPeer.open(directory, [Person.self])
      try meter.time(meter.ids[0], units: threads * commits) {
        try onThreads { range in
          let realm = try LarderPeer.open(directory, [Person.self])
          for row in rows(data, range) { try realm.write { realm.add(Person(row)) } }
        }
      }
      realm.refresh()
      let answer = LarderPeer.peopleContents(realm)
      realm.invalidate()
      return answer
    }
  }

  private enum SQLiteEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let database = try SQLiteDatabase(directory + "/person.sqlite")
      try database.execute(SQLitePeer.createTable)
      try meter.time(meter.ids[0], units: threads * commits) {
        try onThreads { range in
          let database = try SQLiteDatabase(directory + "/person.sqlite")
          sqlite3_busy_timeout(database.handle, 60_000)
          let statement = try database.personStatement()
          for row in rows(data, range) { try database.transaction { try database.insert(row, statement) } }
          try database.close()
        }
      }
      let answer = try database.peopleContents()
      try database.close()
      return answer
    }
  }

  /// Its queue is the connection that threads share.
  private enum GRDBEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let queue = try GRDBPeer.open(directory + "/person.sqlite")
      try queue.write { database in try database.execute(sql: SQLitePeer.createTable) }
      try meter.time(meter.ids[0], units: threads * commits) {
        try onThreads { range in
          for row in rows(data, range) { try queue.write { try PersonRecord(row).insert($0) } }
        }
      }
      let answer = try queue.peopleContents()
      try queue.close()
      return answer
    }
  }
}
