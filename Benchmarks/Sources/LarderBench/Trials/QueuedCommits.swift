import Foundation
import GRDB
import Larder
import Synchronization

/// Writes of one object each that are queued at once, and until the last one is reported to be durable.
enum QueuedCommits {
  static let trial = Trial(
    ids: ["commit-queued-disk"], entrants: ["larder": LarderEntrant.self, "grdb": GRDBEntrant.self], isOnDisk: true)

  private static let commits = 500

  private enum LarderEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let realm = try LarderPeer.open(directory, [Person.self])
      let rows = ThreadCommits.rows(data, 0..<commits)
      var (reported, failure) = (0, (any Error)?.none)
      try meter.time("commit-queued-disk", units: rows.count) {
        for row in rows {
          realm.writeAsync {
            realm.add(Person(row))
          } onComplete: { error in
            reported += 1
            failure = failure ?? error
          }
        }
        try waitOnMainRunLoop("larder", seconds: 60) { reported == rows.count }
      }
      if let failure { throw failure }
      let answer = LarderPeer.peopleContents(realm)
      realm.invalidate()
      return answer
    }
  }

  private enum GRDBEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let queue = try GRDBPeer.open(directory + "/person.sqlite")
      try queue.write { database in try database.execute(sql: SQLitePeer.createTable) }
      let rows = ThreadCommits.rows(data, 0..<commits)
      let reported = Mutex((count: 0, failure: (any Error)?.none))
      try meter.time("commit-queued-disk", units: rows.count) {
        for row in rows {
          queue.asyncWrite {
            try PersonRecord(row).insert($0)
          } completion: { _, result in
            reported.withLock { reported in
              reported.count += 1
              if case .failure(let error) = result { reported.failure = error }
            }
          }
        }
        try waitOnMainRunLoop("grdb", seconds: 60) { reported.withLock { $0.count } == rows.count }
      }
      if let failure = reported.withLock({ $0.failure }) { throw failure }
      let answer = try queue.peopleContents()
      try queue.close()
      return answer
    }
  }
}
