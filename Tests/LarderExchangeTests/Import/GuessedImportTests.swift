import LarderStorage
import TestSupport
import Testing

@testable import LarderExchange

/// A file whose first records tell what the others are likely to hold is imported as if all had been read before.
@Suite struct GuessedImportTests {
  /// The result of an import, or the reason that it did nothing.
  private struct Outcome: Equatable {
    var error: String?
    var report = ""
    var types: [String] = []
    var rows: [[StoredValue]] = []
  }

  private func outcome(
    _ text: String, _ name: String, sample: Int, _ change: (inout ImportOptions) -> Void
  ) throws -> (Outcome, steps: [String]) {
    let store = try TemporaryStore()
    var options = ImportOptions(path: try store.directory.write(Array(text.utf8), to: name))
    options.className = "T"
    options.sample = sample
    change(&options)
    var (steps, result) = ([String](), Outcome())
    do {
      let report = try Importer(store: store.store, options: options) { steps.append($0.step) }.run()
      // Faults name the file, which is another one in each store.
      result.report = report.json.replacing(options.path, with: name)
    } catch {
      result.error = "\(error)".replacing(options.path, with: name)
    }
    let snapshot = try store.store.snapshot()
    guard let entry = snapshot.schema["T"] else { return (result, steps) }
    result.types = entry.columns.map { "\($0.name) \(TypeName.describe($0, in: snapshot.schema))" }
    try snapshot.forEachKey(of: entry.id) { key in
      result.rows.append(try entry.columns.map { try snapshot.value(entry.id, $0.id, key) })
      return true
    }
    return (result, steps)
  }

  private func compare(_ text: String, _ name: String, _ change: (inout ImportOptions) -> Void = { _ in }) throws {
    let (whole, _) = try outcome(text, name, sample: .max, change)
    for sample in [1, 3] {
      let (guessed, _) = try outcome(text, name, sample: sample, change)
      #expect(guessed == whole, "\(name), \(sample) records: \(text)")
    }
  }

  /// Values of one kind for a while, and then of others.
  private func column(_ count: Int, _ kinds: [[String]], _ random: inout SeededRandom) -> [String] {
    var (kind, result) = (random.pick(kinds), [String]())
    while result.count < count {
      if random.oneIn(12) { kind = random.pick(kinds) }
      result.append(random.pick(kind))
    }
    return result
  }

  @Test func anyTable() throws {
    var random = SeededRandom.forTest()
    let kinds = [
      ["1", "22", "-3"], ["1.5", "2"], ["x", "y z", "\"q,r\""], ["", "5"], ["true", "false"], ["2013-01-31"],
      ["\"s\"\"t\""],
      ["9007199254740993"],
    ]
    for _ in 0..<60 {
      let columns = (0..<3).map { _ in column(14, kinds, &random) }
      var lines = (0..<14).map { row in columns.map { $0[row] }.joined(separator: ",") }
      if random.oneIn(4) { lines[random.int(0..<14)] += ",one too many" }
      let (keepsGoing, isTrial) = (random.oneIn(2), random.oneIn(4))
      try compare("a,b,c\n" + lines.joined(separator: "\n") + "\n", "x.csv") {
        $0.keepsGoing = keepsGoing
        $0.isTrial = isTrial
      }
    }
  }

  @Test func anyJSONLines() throws {
    var random = SeededRandom.forTest()
    let kinds = [
      ["1", "22", "-3"], ["1.5", "2"], ["\"x\"", "\"y\\\"z\""], ["null", "5"], ["true", "false"], ["[1, 2]"],
      ["{\"e\": 1}"],
    ]
    for _ in 0..<60 {
      let columns = (0..<3).map { _ in column(14, kinds, &random) }
      let lines = (0..<14).map { row in
        let fields = columns.enumerated().filter { _ in !random.oneIn(20) }.map {
          "\"\("abc".map(String.init)[$0])\": \($1[row])"
        }
        return "{\(fields.joined(separator: ", "))}\(random.oneIn(80) ? "x" : "")"
      }
      let keepsGoing = random.oneIn(2)
      try compare(lines.joined(separator: "\n"), "x.jsonl") { $0.keepsGoing = keepsGoing }
    }
  }

  @Test func keysThatAreThereTwiceAreFound() throws {
    let lines = (0..<30).map { "\($0 == 29 ? 3 : $0),x" }.joined(separator: "\n")
    try compare("a,b\n\(lines)\n", "x.csv") { $0.mapping.primaryKey = "a" }
    try compare("a,b\n\(lines)\n", "x.csv") {
      $0.mapping.primaryKey = "a"
      $0.keepsGoing = true
    }
  }

  @Test func aFileThatGoesOnAsItBeganIsReadOnce() throws {
    let same = (0..<2_000).map { "{\"a\": \($0), \"b\": \"t\"}" }
    let other = same.dropLast() + ["{\"a\": 1.5, \"b\": \"t\"}"]
    for (lines, readings) in [(same, 0), (Array(other), 1)] {
      let (_, steps) = try outcome(lines.joined(separator: "\n"), "x.jsonl", sample: 600) { _ in }
      // Reported once for each 512 records: of the first ones, and of all where these were no guide.
      #expect(steps.count { $0 == "reading types" } == 1 + 3 * readings, "\(steps)")
    }
  }
}
