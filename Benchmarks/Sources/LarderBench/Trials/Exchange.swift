import Foundation

/// Files of ten columns imported and exported, by the programs that a user runs: `larder`, and the shell of SQLite for what it can do.
enum Exchange {
  static let trial = Trial(
    ids: ["csv-import", "json-import", "sqlite-import", "export"],
    entrants: ChildProcess.sqlite == nil
      ? ["larder": LarderEntrant.self] : ["larder": LarderEntrant.self, "sqlite": SQLiteEntrant.self])

  private static let columns = "id,name,email,city,age,height,score,active,created,note"
  private static let cities = ["Berlin", "München", "Zürich", "Wien", "Hamburg", "Köln", "Basel", "Graz"]

  /// The ten values of a row as CSV has them; the last one is empty in every third.
  private static func cells(_ row: PersonRow) -> [String] {
    [
      "\(row.id)", row.name, row.email, cities[row.id % cities.count], "\(row.age)", "1.\(50 + row.id % 50)",
      "\(row.score)",
      "\(row.active)", date(row), row.id % 3 == 0 ? "" : "note \(row.id % 1_000)",
    ]
  }

  private static func date(_ row: PersonRow) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let number = row.id
    return
      "20\(10 + number % 15)-\(two(1 + number % 12))-\(two(1 + number % 28))T\(two(number % 24)):\(two(number % 60)):00Z"
  }

  private static func write(_ rows: [PersonRow], _ path: String, _ line: (PersonRow) -> String, header: String = "")
    throws
  {
    guard FileManager.default.createFile(atPath: path, contents: Data(header.utf8)) else {
      throw BenchmarkError("\(path) cannot be made")
    }
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? file.close() }
    try file.seekToEnd()
    // In pieces: one write takes two gigabytes at most, and ten million rows are more.
    var text = Data()
    for row in rows {
      text += Data(line(row).utf8)
      if text.count > 1 << 24 {
        try file.write(contentsOf: text)
        text.removeAll(keepingCapacity: true)
      }
    }
    try file.write(contentsOf: text)
  }

  private static func csv(_ data: Dataset, _ path: String) throws {
    try write(data.rows, path, { cells($0).joined(separator: ",") + "\n" }, header: columns + "\n")
  }

  private static func json(_ data: Dataset, _ path: String) throws {
    let names = columns.split(separator: ",")
    let bare: Set<Int> = [0, 4, 5, 6, 7]
    try write(data.rows, path) { row in
      let fields = zip(names, cells(row)).enumerated().map { place, field in
        "\"\(field.0)\": \(bare.contains(place) ? field.1 : field.1.isEmpty ? "null" : "\"\(field.1)\"")"
      }
      return "{\(fields.joined(separator: ", "))}\n"
    }
  }

  private static func table(_ data: Dataset, _ path: String) throws {
    let database = try SQLiteDatabase(path)
    try database.execute(
      "CREATE TABLE Person (id INTEGER PRIMARY KEY, name TEXT, email TEXT, city TEXT, age INTEGER, height REAL, score REAL, "
        + "active INTEGER, created TEXT, note TEXT)")
    let insert = try database.prepare("INSERT INTO Person VALUES (?, ?, ?, ?, ?, 1.5, 0.25, ?, ?, 'note')")
    try database.transaction {
      for row in data.rows {
        insert.bind(1, row.id)
        insert.bind(5, row.age)
        insert.bind(6, row.active ? 1 : 0)
        try insert.withText(2, row.name) {
          try insert.withText(3, row.email) {
            try insert.withText(4, cities[row.id % cities.count]) {
              try insert.withText(7, date(row)) { _ = try insert.step() }
            }
          }
        }
      }
    }
    // One file, without a log beside it.
    try database.execute("PRAGMA journal_mode = DELETE")
    try database.close()
  }

  private enum LarderEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      let tool = try ChildProcess.larder()
      let count = data.rows.count
      try csv(data, directory + "/in.csv")
      try json(data, directory + "/in.jsonl")
      try table(data, directory + "/in.db")
      for (id, file, flags) in [
        ("csv-import", "in.csv", ["--class", "Person"]), ("json-import", "in.jsonl", ["--class", "Person"]),
        ("sqlite-import", "in.db", []),
      ] {
        let store = "\(directory)/\(id).larder"
        meter.add(id, try tool.run(["import", "\(directory)/\(file)", "--into", store] + flags).spent, units: count)
      }
      let exported = try tool.run(
        ["export", directory + "/csv-import.larder", "--class", "Person", "--into", directory + "/out.csv"])
      meter.add("export", exported.spent, units: count)
      return Answer(try lines(directory + "/out.csv") - 1)
    }
  }

  private enum SQLiteEntrant: Entrant {
    static func run(_ directory: String, _ data: Dataset, _ meter: inout Meter) throws -> Answer {
      guard let shell = ChildProcess.sqlite else { throw BenchmarkError("the shell of SQLite is not installed") }
      let count = data.rows.count
      try csv(data, directory + "/in.csv")
      let database = directory + "/x.db"
      meter.add(
        "csv-import", try shell.run([database, ".import --csv \(directory)/in.csv Person"]).spent, units: count)
      let exported = try shell.run(
        ["-csv", "-header", database, ".once \(directory)/out.csv", "SELECT * FROM Person"])
      meter.add("export", exported.spent, units: count)
      return Answer(try lines(directory + "/out.csv") - 1)
    }
  }

  private static func lines(_ path: String) throws -> Int {
    try Data(contentsOf: URL(fileURLWithPath: path)).count { $0 == UInt8(ascii: "\n") }
  }
}
