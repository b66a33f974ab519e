import Foundation
import GRDB
import Larder
import Synchronization

/// Writes of one object each that are queued at once, and until the last one is reported to be durable.
enum QueuedCommits {
  static let trial = Trial(
    ids: ["commit-queued-disk"], entrants: ["larder": LarderEntrant.self, "grdb": GRDBEntrant.self], isOnDisk: true)

  private static let commits = 500

  private static func rows(_ data: Dataset) -> [PersonRow] {
    (0..<commits).map { number in
      var row = data.rows[number % data.rows.count]
      row.id = number
      return row
    }
  }

  private enum LarderEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let realm = try LarderPeer.open(directory, [Person.self])
      let rows = rows(data)
      var (told, failure) = (0, (any Error)?.none)
      try meter.time("commit-queued-disk", units: rows.count) {
        for row in rows {
          realm.writeAsync {
            realm.add(Person(row))
          } onComplete: { error in
            told += 1
            failure = failure ?? error
          }
        }
        try waitOnMainRunLoop("larder", seconds: 60) { told == rows.count }
      }
      if let failure { throw failure }
      let all = realm.objects(Person.self)
      let answer = Answer(all.count, all.sum(ofProperty: "id"), all.sum(ofProperty: "age"))
      realm.invalidate()
      return answer
    }
  }

  private enum GRDBEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let queue = try GRDBPeer.open(directory + "/person.sqlite")
      try queue.write { database in try database.execute(sql: SQLitePeer.createTable) }
      let rows = rows(data)
      let told = Mutex((count: 0, failure: (any Error)?.none))
      try meter.time("commit-queued-disk", units: rows.count) {
        for row in rows {
          queue.asyncWrite {
            try PersonRecord(row).insert($0)
          } completion: { _, result in
            told.withLock { told in
              told.count += 1
              if case .failure(let error) = result { told.failure = error }
            }
          }
        }
        try waitOnMainRunLoop("grdb", seconds: 60) { told.withLock { $0.count } == rows.count }
      }
      if let failure = told.withLock({ $0.failure }) { throw failure }
      let answer = try queue.peopleContents()
      try queue.close()
      return answer
    }
  }
}
