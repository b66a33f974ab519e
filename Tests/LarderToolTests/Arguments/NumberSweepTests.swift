import Foundation
import TestSupport
import TestTraits
import Testing

/// Numbers from outside, at zero, beside it, and at the ends of what numbers hold: every command answers or refuses, and none ends by a signal.
@Suite("Numbers from outside") struct NumberSweepTests {
  private static let numbers = [
    "0", "1", "-1", "2147483647", "2147483648", "4294967296", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551615", "18446744073709551616", "1e400", "nan", "inf", "",
  ]
  /// The command lines that take a number, written `@`.
  private static let commands = [
    "query STORE Item --limit=@", "query STORE Item --limit=@ --offset=@",
    "query STORE Item --sort=price --offset=@ --limit=2",
    "query STORE Item --depth=@ --json", "query STORE Item --percentile=price:@",
    "query STORE Item --group-by=name --limit=@ --offset=@",
    "explain STORE Item --limit=@", "advise STORE Item price>1 --limit=@", "diff STORE --from=@",
    "diff STORE --from=1 --to=@",
    "inspect STORE Item --key=@", "inspect STORE Item 1 --depth=@", "inspect STORE Item 1 --list-limit=@",
    "edit STORE Item --key=@ --set name=x", "sql STORE select+*+from+Item --timeout=@",
    "sql STORE select+*+from+Item+limit+1+offset+@",
    "sql STORE select+*+from+Item+where+rowid>=@+order+by+rowid+desc", "query STORE Item id==@",
    "query STORE Item id+@>1",
    "query STORE Item id*@>1", "query STORE Item price/@>1", "query STORE Item tags.@count>@",
    "dump STORE --max-line=@",
    "import ITEMS --into NEW --class Other --max-line=@ --dry-run",
    "import TABLE --into NEW --class Other --skip=@ --dry-run",
    "studio STORE --port=@ --help",
  ]
  private static let variables = [
    "LARDER_KEY", "LARDER_PAGER", "LARDER_HISTORY", "LARDER_STUDIO_TOKEN", "LARDER_SYNC_URL",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME", "COLUMNS", "LINES", "TERM", "TZ", "LC_ALL",
  ]

  private func store(_ directory: TemporaryDirectory) throws -> (store: String, items: String) {
    let items = directory.file("items.jsonl")
    let lines = (0..<20).map {
      "{\"id\": \($0), \"name\": \"n\($0 % 3)\", \"price\": \($0).5, \"tags\": [\"a\", \"b\"]}"
    }
    try lines.joined(separator: "\n").write(toFile: items, atomically: true, encoding: .utf8)
    let path = directory.file("store.larder")
    let made = try WorkerProcess.run(
      "larder", ["import", items, "--into", path, "--class", "Item", "--primary-key", "id"])
    #expect(made.status == 0, "\(made)")
    return (path, items)
  }

  @Test("F-137: every option of the tool that takes a number takes any or refuses it", .long, arguments: commands)
  func options(_ command: String) throws {
    let directory = try TemporaryDirectory("sweep")
    let (store, items) = try store(directory)
    let table = directory.file("items.csv")
    try "sep=;\nid;name\n1;a\n2;b\n".write(toFile: table, atomically: true, encoding: .utf8)
    let paths = ["STORE": store, "ITEMS": items, "TABLE": table, "NEW": directory.file("new.larder")]
    for number in Self.numbers {
      let words = command.split(separator: " ").map { word in
        let text = word.replacingOccurrences(of: "@count", with: "\u{1}").replacingOccurrences(of: "@", with: number)
          .replacingOccurrences(of: "\u{1}", with: "@count")
        return paths[text] ?? (word.hasPrefix("select") ? text.replacingOccurrences(of: "+", with: " ") : text)
      }
      let result = try WorkerProcess.run("larder", words)
      #expect((0..<128).contains(result.status), "\(words): \(result.status) \(result.errors.suffix(500))")
    }
  }

  @Test(
    "F-137: so does every variable of the environment that the library and the tool read", .long, arguments: variables)
  func environment(_ name: String) throws {
    let directory = try TemporaryDirectory("sweep")
    let (store, _) = try store(directory)
    for value in Self.numbers + ["/", "\u{1}", String(repeating: "9", count: 100_000)] {
      let result = try WorkerProcess.run("larder", ["info", store], environment: [name: value])
      #expect(
        (0..<128).contains(result.status), "\(name)=\(value.prefix(40)): \(result.status) \(result.errors.suffix(500))")
    }
  }
}
