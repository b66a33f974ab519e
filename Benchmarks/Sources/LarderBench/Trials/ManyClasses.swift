import Foundation
import GRDB
import Larder

/// A store of a thousand classes: opening it until one of them is counted, and the first write after that.
enum ManyClasses {
  static let trial = Trial(
    ids: ["open-1000-classes", "first-write-1000-classes"],
    entrants: ["larder": LarderEntrant.self, "grdb": GRDBEntrant.self, "sqlite": SQLiteEntrant.self])

  /// The number of times that the store is opened and written to; the first time, in which a process learns its classes, is not measured.
  private static let opens = 5

  private static let createTables = (0..<1_000).map {
    "CREATE TABLE item\($0) (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL)"
  }

  private static func run(
    _ meter: inout Meter, open: () throws -> Int, write: (_ id: Int) throws -> Void, close: () throws -> Void
  ) throws -> Answer {
    var (digest, opening, writing) = (OrderDigest(), Spent(), Spent())
    for number in 0...opens {
      let open = try Meter.spent { digest.add(try open()) }
      let write = try Meter.spent { try write(number) }
      try close()
      guard number > 0 else { continue }
      opening += open
      writing += write
    }
    meter.add("open-1000-classes", opening, units: opens)
    meter.add("first-write-1000-classes", writing, units: opens)
    return digest.answer
  }

  private enum LarderEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let types = ItemTypes.all
      try LarderPeer.open(directory, types).invalidate()
      var realm: Realm?
      return try ManyClasses.run(&meter) {
        let opened = try LarderPeer.open(directory, types)
        realm = opened
        return opened.objects(Item<Digit5, Digit0, Digit0>.self).count
      } write: { id in
        guard let realm else { return }
        try realm.write { realm.add(Item<Digit5, Digit0, Digit0>(id: id)) }
      } close: {
        realm?.invalidate()
        realm = nil
      }
    }
  }

  private enum SQLiteEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let path = directory + "/items.sqlite"
      var database = try SQLiteDatabase(path)
      try database.transaction { for table in createTables { try database.execute(table) } }
      try database.close()
      return try ManyClasses.run(&meter) {
        database = try SQLiteDatabase(path)
        return try database.integer("SELECT COUNT(*) FROM item500")
      } write: { id in
        let insert = try database.prepare("INSERT INTO item500 (id, name, age) VALUES (?, ?, ?)")
        try database.transaction {
          insert.bind(1, id)
          insert.bind(3, id)
          try insert.withText(2, "name") { _ = try insert.step() }
        }
      } close: {
        try database.close()
      }
    }
  }

  private enum GRDBEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let path = directory + "/items.sqlite"
      var queue = try GRDBPeer.open(path)
      try queue.write { database in for table in createTables { try database.execute(sql: table) } }
      try queue.close()
      return try ManyClasses.run(&meter) {
        queue = try GRDBPeer.open(path)
        return try queue.read { try ItemRecord.fetchCount($0) }
      } write: { id in
        try queue.write { try ItemRecord(id: id).insert($0) }
      } close: {
        try queue.close()
      }
    }
  }

  private struct ItemRecord: PersistableRecord, TableRecord {
    static let databaseTableName = "item500"

    let id: Int

    func encode(to container: inout PersistenceContainer) {
      container["id"] = id
      container["name"] = "name"
      container["age"] = id
    }
  }
}
