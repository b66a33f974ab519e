import Foundation
import LarderInspection
import LarderStorage
import TestSupport
import Testing

@testable import LarderExchange

/// The examples of docs/tool.md, of docs/studio.md and of the tool's help, and what they work on: a store of the demo, and files of the names they use.
struct ToolExamples {
  struct Example: Sendable, CustomTestStringConvertible {
    var line: String
    /// The lines that the page shows as output; empty where it shows none.
    var output: [String] = []
    var testDescription: String { line }
  }

  /// Every line of a page that begins with `larder`, in the blocks that are set off by four spaces.
  static func ofPage(_ name: String) throws -> [Example] {
    let page = try String(contentsOfFile: "\(repository)/docs/\(name)", encoding: .utf8)
    var examples: [Example] = []
    var isOpen = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("    ") else {
        isOpen = false
        continue
      }
      let text = line.dropFirst(4)
      let command = text.hasPrefix("$ ") ? text.dropFirst(2) : text
      if command.hasPrefix("larder ") {
        examples.append(Example(line: String(command)))
        isOpen = text.hasPrefix("$ ")
      } else if isOpen {
        examples[examples.count - 1].output.append(String(text))
      }
    }
    return examples
  }

  /// The examples of the help of each verb.
  static func ofHelp() throws -> [Example] {
    let page = try expectLarder("--experimental-dump-help")
    let parsed = try JSONSerialization.jsonObject(with: Data(page.utf8)) as? [String: Any]
    var examples: [Example] = []
    func collect(_ command: [String: Any]?) {
      let discussion = command?["discussion"] as? String ?? ""
      var before: [String] = []
      for line in discussion.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) })
      where ["larder ", "echo ", "(umask "].contains(where: { line.hasPrefix($0) }) {
        // Some verbs go on with what the example before made.
        before = ["edit", "rekey"].contains(command?["commandName"] as? String) ? before + [line] : [line]
        examples.append(Example(line: before.joined(separator: " && ")))
      }
      for inner in command?["subcommands"] as? [[String: Any]] ?? [] { collect(inner) }
    }
    collect(parsed?["command"] as? [String: Any])
    return examples
  }

  private static var repository: String { URL(fileURLWithPath: fixtures).deletingLastPathComponent().path }

  // MARK: What they work on

  /// A folder with everything that an example may name.
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory("examples")
    let world = folder.file("world.larder")
    // The demo with a twentieth of its cities, and those that examples name.
    let cut = try bash(
      """
      set -e; cd "$1"; mkdir data; cp "$2"/continents.jsonl "$2"/countries.jsonl data
      gzip -dc "$2/cities15000.jsonl.gz" | awk 'NR % 20 == 1 || /"geonameid": (1850147|2950159),/' | gzip > data/cities15000.jsonl.gz
      """, folder.path, "\(fixtures)/geonames")
    #expect(cut.status == 0, "\(cut)")
    let demo = try WorkerProcess.run(
      "geonames-demo", ["--fixtures", folder.file("data"), "--store", world])
    #expect(demo.status == 0, "\(demo)")
    try makeFlights()
    try commit(45, to: world)
    try makeStores(world)
    try makeFiles(world)
  }

  /// A twentieth of January's flights from New York, with airlines, planes and the weather of each hour.
  private func makeFlights() throws {
    let source = "\(fixtures)/nycflights13"
    let cut = try bash(
      """
      set -e; cd "$1"; gzip -dc "$2/flights-january.csv.gz" | awk 'NR % 20 == 1' > flights.csv
      gzip -dc "$2/weather-january.csv.gz" > weather.csv; cp "$2/airlines.csv" "$2/planes.csv" .
      """, folder.path, source)
    #expect(cut.status == 0, "\(cut)")
    for name in ["airlines", "planes", "flights", "weather"] {
      try expectLarder(
        "import", folder.file("\(name).csv"), "--into", folder.file("nyc.larder"), "--mapping",
        "\(source)/\(name).map.json",
        "--write")
    }
  }

  /// Brings a store to a version.
  private func commit(_ version: UInt64, to path: String) throws {
    let store = try StoreAccess.open(writing: path)
    var current = try store.snapshot().version
    while current < version {
      let writer = try store.beginWrite()
      let entry = try StoreAccess.entry(named: "City", in: writer.schema)
      let column = try #require(entry.column(named: "population"))
      let key = try StoreAccess.object(entry, primaryKey: "2950159", in: writer)
      try writer.set(entry.id, column.id, key, .int(3_426_354 + Int64(current)))
      current = try writer.commit()
    }
  }

  private func makeStores(_ world: String) throws {
    for name in ["monday.larder", "tuesday.larder", "broken.larder", "archive.larder"] {
      try FileManager.default.copyItem(atPath: world, toPath: folder.file(name))
    }
    try expectLarder("edit", folder.file("tuesday.larder"), "City", "2950159", "--set", "population=370", "--write")
    let notes = try folder.write("{\"body\": \"swift and no other\"}\n", to: "notes.jsonl")
    try expectLarder("import", notes, "--into", folder.file("plain.larder"), "--class", "Note")
    let schema = try folder.write(
      "{\"classes\": {\"Note\": {\"properties\": {\"body\": \"string fullText\"}}}}", to: "notes.json")
    try expectLarder("migrate", folder.file("plain.larder"), schema, "--write")
    try FileManager.default.moveItem(atPath: folder.file("plain.larder"), toPath: folder.file("notes.larder"))
    let flights = try folder.write("hour,via\n2013-01-31T23:00:00Z,JFK\n", to: "fly.csv")
    let fly = folder.file("fly.larder")
    let airports = try folder.write("code\nJFK\n", to: "airports.csv")
    try expectLarder("import", airports, "--into", fly, "--class", "Airport", "--primary-key", "code")
    try expectLarder("import", flights, "--into", fly, "--class", "Flight", "--link", "via=Airport.code", "--write")
    try folder.write(String(repeating: "ef", count: 64), to: "newer.key")
    for name in ["old", "new"] {
      let key = try folder.write(String(repeating: name == "old" ? "ab" : "cd", count: 64), to: "\(name).key")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
      try expectLarder(
        "import", flights, "--into", folder.file("\(name).larder"), "--class", "Flight", "--key-file", key)
    }
  }

  private func makeFiles(_ world: String) throws {
    try FileManager.default.copyItem(
      atPath: "\(fixtures)/realm/schema-version.realm", toPath: folder.file("old.realm"))
    try folder.write("City timezone == 'Asia/Tokyo'\n", to: "slow.txt")
    try folder.write("{\"iso\": \"XX\"}\n", to: "lands.jsonl")
    try folder.write("id,name\n1,Springfield\n", to: "cities.csv")
    try folder.write("{\"class\": \"Town\", \"properties\": {\"name\": \"string\"}}", to: "towns.json")
    let shop = try SQLiteFile(folder.file("shop.db"), isNew: true)
    try shop.run(
      """
      CREATE TABLE basket (id INTEGER PRIMARY KEY, bought DATETIME); CREATE TABLE product (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE basket_product (basket REFERENCES basket, product REFERENCES product);
      INSERT INTO basket VALUES (1, '2013-01-31 10:00:00'); INSERT INTO product VALUES (7, 'Tea'); INSERT INTO basket_product VALUES (1, 7)
      """)
    let made = try bash(
      """
      set -e; cd "$1"; echo '{"name": "A"}' | gzip > towns.jsonl.gz
      "$0" schema world.larder --json > schema.json
      "$0" dump world.larder --out world.jsonl --quiet; gzip -k world.jsonl
      mkdir -p .zfunc .config/fish/completions
      """, folder.path)
    #expect(made.status == 0, "\(made)")
    try expectLarder("export", world, "--into", folder.file("world.sqlite"))
    try expectLarder("export", world, "--into", folder.file("world"), "--format", "csv")
  }

  // MARK: Running

  static let hasJQ = (try? bash("command -v jq").status) == 0

  /// Runs an example in a copy of the folder.
  func run(_ example: Example) throws -> (status: Int32, output: String, errors: String) {
    let copy = try TemporaryDirectory("example")
    let line = Self.adapted(example.line)
    return try bash(
      """
      cp -r "$1/." "$2"; cd "$2"; export HOME="$2" PATH="$(dirname "$0"):$PATH"
      for made in \(Self.made(by: line)); do rm -rf "$made" "$made-lock"; done
      \(line)
      """, folder.path, copy.path)
  }

  /// The files and folders that a line makes, which must not be there.
  private static func made(by line: String) -> String {
    let words = line.split(separator: " ").map(String.init)
    return zip(words, words.dropFirst()).filter { flag, _ in
      flag == "--out" || (flag == "--into" && !line.contains("--write"))
    }.map(\.1).joined(separator: " ")
  }

  /// The line, with an end for what has none, and without what only the system's owner may write.
  private static func adapted(_ line: String) -> String {
    var line = line
    if line.hasPrefix("larder watch") { line += " --changes 0" }
    if line.hasPrefix("larder shell") { line += " < /dev/null" }
    // It serves until it is ended; the address comes first.
    if line.hasPrefix("larder studio") { line = "timeout 3 \(line) | head -n 1 | grep -q token" }
    for folder in ["/etc/bash_completion.d/", "/usr/local/share/man/man1/"] {
      line = line.replacing(folder, with: "./")
    }
    return line
  }
}
