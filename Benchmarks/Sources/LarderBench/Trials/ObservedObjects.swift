import BenchSQLite
import Foundation
import GRDB
import Larder
import Synchronization

/// Ten thousand single objects, each with an observer of its own, of which one or all change in a transaction: from the beginning of its
/// commit until all whose object changed were reported, and have read the new value.
enum ObservedObjects {
  static let one = Trial(
    ids: ["observe-10k-one"],
    entrants: ["larder": LarderEntrant.self, "grdb": GRDBEntrant.self, "sqlite": SQLiteEntrant.self])
  /// Without GRDB: it asks every observation about every change, which takes minutes here.
  static let all = Trial(
    ids: ["observe-10k-all"], entrants: ["larder": LarderEntrant.self, "sqlite": SQLiteEntrant.self])

  private static let count = 10_000
  private static let (oneTransactions, allTransactions) = (20, 3)

  private static func rows(_ data: Dataset) -> [PersonRow] {
    (0..<count).map { index in
      var row = data.rows[index % data.rows.count]
      row.id = index
      return row
    }
  }

  /// The transactions of a row of the report: whose age changes to what. The first is not measured.
  private static func run(
    _ meter: inout Meter, _ change: (_ ids: [Int], _ age: Int) throws -> Spent
  ) throws {
    for id in meter.ids {
      let isAll = id == "observe-10k-all"
      let transactions = isAll ? allTransactions : oneTransactions
      var total = Spent()
      for number in 0...transactions {
        let ids = isAll ? Array(0..<count) : [(number * 37) % count]
        var spent = try change(ids, 1_000 + number)
        spent.processor += Background.finish()
        if number > 0 { total += spent }
      }
      meter.add(id, total, units: transactions)
    }
  }

  /// The number of reports, and the sum of the values that they read.
  private final class Told: Sendable {
    private let state = Mutex((count: 0, sum: 0))

    func add(_ age: Int) {
      state.withLock {
        $0.count += 1
        $0.sum += age
      }
    }

    var count: Int { state.withLock { $0.count } }
    var answer: Answer { state.withLock { Answer($0.count, $0.sum) } }
  }

  private enum LarderEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let realm = try LarderPeer.open(directory, [Person.self])
      let people = rows(data).map { Person($0) }
      try realm.write { realm.add(people) }
      let told = Told()
      let tokens = people.map { person in
        person.observe { (change: ObjectChange<Person>) in
          if case .change(let person, _) = change { told.add(person.age) }
        }
      }
      try ObservedObjects.run(&meter) { ids, age in
        let expected = told.count + ids.count
        realm.beginWrite()
        for id in ids { people[id].age = age }
        return try Stopwatch.measure {
          try realm.commitWrite()
          try waitOnMainRunLoop("larder") { told.count >= expected }
        }
      }
      for token in tokens { token.invalidate() }
      realm.invalidate()
      return told.answer
    }
  }

  private enum GRDBEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let queue = try GRDBPeer.open(directory + "/person.sqlite")
      try queue.write { database in
        try database.execute(sql: SQLitePeer.createTable)
        for row in rows(data) { try PersonRecord(row).insert(database) }
      }
      let (told, ready) = (Told(), Told())
      let observations = (0..<count).map { id in
        let isFirst = Mutex(true)
        return ValueObservation.tracking {
          try PersonRecord.filter(key: id).select(PersonRecord.age, as: Int.self).fetchOne($0)
        }
        .start(in: queue, scheduling: .async(onQueue: .main)) { _ in
        } onChange: { age in
          let counter = isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst ? ready : told
          }
          counter.add(age ?? 0)
        }
      }
      try waitOnMainRunLoop("grdb", seconds: 120) { ready.count == count }
      try ObservedObjects.run(&meter) { ids, age in
        let expected = told.count + ids.count
        let watch = try queue.write { database in
          let statement = try database.cachedStatement(sql: "UPDATE person SET age = ? WHERE id = ?")
          for id in ids { try statement.execute(arguments: [age, id]) }
          return Stopwatch()
        }
        try waitOnMainRunLoop("grdb", seconds: 120) { told.count >= expected }
        return watch.read()
      }
      withExtendedLifetime(observations) {}
      for observation in observations { observation.cancel() }
      try queue.close()
      return told.answer
    }
  }

  /// The update hook says which rows change; their observers are found by id after the commit.
  private enum SQLiteEntrant: Entrant {
    private final class Changes {
      var ids: Set<Int> = []
    }

    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let database = try SQLiteDatabase(directory + "/person.sqlite")
      try database.execute(SQLitePeer.createTable)
      try database.insertPeople(rows(data))
      let (told, changes) = (Told(), Changes())
      let observers = Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, { (age: Int) in told.add(age) }) })
      let hook:
        @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, Int64) -> Void =
          {
            context, _, _, _, id in
            guard let context else { return }
            Unmanaged<Changes>.fromOpaque(context).takeUnretainedValue().ids.insert(Int(id))
          }
      sqlite3_update_hook(database.handle, hook, Unmanaged.passUnretained(changes).toOpaque())
      let update = try database.prepare("UPDATE person SET age = ? WHERE id = ?")
      let select = try database.prepare("SELECT age FROM person WHERE id = ?")
      try ObservedObjects.run(&meter) { ids, age in
        var watch = Stopwatch()
        try database.transaction {
          for id in ids {
            update.bind(1, age)
            update.bind(2, id)
            _ = try update.step()
          }
          watch = Stopwatch()
        }
        try database.transaction("BEGIN") {
          for id in changes.ids {
            select.bind(1, id)
            if try select.step() { observers[id]?(select.int(0)) }
            select.reset()
          }
        }
        changes.ids.removeAll()
        return watch.read()
      }
      try withExtendedLifetime(changes) { try database.close() }
      return told.answer
    }
  }
}
