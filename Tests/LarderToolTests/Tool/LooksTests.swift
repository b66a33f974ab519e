import Foundation
import LarderExchange
import TestSupport
import Testing

/// The looks of results: forms, widths, colours, the pager.
@Suite struct LooksTests {
  private func store(_ directory: TemporaryDirectory) throws -> String {
    let store = directory.file("looks.larder")
    let csv = "id,name,note\n1,<b>|&,short\n2,Tokyo,\(String(repeating: "long ", count: 50))end\n"
    try expectLarder(
      "import", try directory.write(csv, to: "a.csv"), "--into", store, "--class", "A", "--primary-key", "id")
    return store
  }

  @Test("F-72: every verb that prints tables has the forms, and what does not go together is refused")
  func forms() throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      let vertical = try expectLarder("query", store, "A", "--vertical")
      #expect(vertical.hasPrefix("id    1\nname  <b>|&\nnote  short\n\nid    2\n"), "\(vertical)")
      #expect(vertical.contains("end\n") && vertical.hasSuffix("\n2 objects\n"))
      #expect(try expectLarder("query", store, "A", "--format", "vertical") == vertical)
      let page = try expectLarder("query", store, "A", "name != '<i>'", "--format", "html")
      #expect(page.hasPrefix("<!doctype html>\n") && page.hasSuffix("<p>2 objects</p>\n</body>\n</html>\n"))
      #expect(
        page.contains("<td>&lt;b&gt;|&amp;</td>") && page.contains("<title>A name != &#39;&lt;i&gt;&#39;</title>"))
      let markdown = try expectLarder("query", store, "A", "--group-by", "name", "--format", "markdown")
      #expect(
        markdown.hasPrefix("| name | count |\n| --- | ---: |\n") && markdown.hasSuffix("\n\n2 groups\n"), "\(markdown)")
      #expect(try expectLarder("info", store, "--format", "markdown").contains("\n## Classes\n\n| class / property |"))
      let info = try expectLarder("info", store, "--format", "html")
      #expect(info.contains("<h2>Tables</h2>\n<table>") && info.hasSuffix("</html>\n"))
      #expect(try expectLarder("info", store, "--vertical").contains("class / property"))
      for arguments in [
        ["query", store, "A", "--json", "--vertical"], ["query", store, "A", "--vertical", "--format", "html"],
        ["query", store, "A", "--json", "--format", "csv"], ["info", store, "--format", "csv"],
        ["query", store, "A", "--format", "xml"], ["query", store, "A", "--color", "maybe"],
      ] {
        #expect(try WorkerProcess.run("larder", arguments).status == 2, "\(arguments)")
      }
    }
  }

  /// Verbs that have every form, with what each prints of a store with the classes A and B.
  private func looking(_ store: String, _ other: String) -> [(
    verb: [String], hasCSV: Bool, status: Int32, word: String
  )] {
    [
      (["classes", store], true, 0, "note"), (["classes", store, "A"], true, 0, "note"),
      (["du", store, "--depth", "3"], true, 0, "values"), (["check", store], true, 0, "problem"),
      (["advise", store, "A", "name == 'x'"], true, 0, "declaration"),
      (["explain", store, "A", "name == '<b>'"], true, 0, "microseconds"),
      (["query", store, "A", "name == '<b>'", "--explain"], true, 0, "microseconds"),
      (["diff", store, other], true, 1, "modified"), (["diff", store, other, "--summary"], true, 1, "modified"),
      (["diff", other, "--from", "1"], true, 1, "modified"), (["diff", store, store], true, 0, "change"),
      (["watch", store, "A", "--changes", "0"], true, 0, "found"), (["inspect", store, "A", "1"], false, 0, "name"),
      (["sql", store, "SELECT * FROM A"], true, 0, "name"), (["info", store], false, 0, "note"),
      (["query", store, "A"], true, 0, "note"), (["schema", store], true, 0, "string"),
      (["sql", store, "SELECT * FROM A WHERE name = '<b>'", "--explain"], true, 0, "step"),
    ]
  }

  @Test("F-73: every verb that looks writes CSV, Markdown and HTML, in which nothing that a store holds is markup")
  func allForms() throws {
    try withTemporaryDirectory { directory in
      let hostile = "<script>alert('x')</script>|`*_[a](b)\"&amp;\u{1B}[31m\u{202E}\r\n=1+1"
      let (store, other) = (directory.file("<b>&.larder"), directory.file("other.larder"))
      let objects = (1...2).map {
        "{\"id\": \($0), \"name\": \(JSONText.quote(hostile)), \"note\": [\(JSONText.quote(hostile))]}"
      }
      let file = try directory.write(objects.joined(separator: "\n"), to: "a.jsonl")
      try expectLarder("import", file, "--into", store, "--class", "A", "--primary-key", "id")
      try expectLarder("backup", store, other)
      try expectLarder("edit", other, "A", "1", "--set", "name=x\(hostile)", "--write")
      for (verb, hasCSV, status, word) in looking(store, other) {
        func run(_ form: String) throws -> String {
          let result = try WorkerProcess.run("larder", verb + ["--format", form])
          #expect(result.status == (form == "csv" && !hasCSV ? 2 : status), "\(verb) \(form): \(result)")
          return result.output
        }
        let page = try run("html")
        #expect(page.hasPrefix("<!doctype html>\n") && page.hasSuffix("</body>\n</html>\n"), "\(verb): \(page)")
        #expect(
          !page.contains("<script") && !page.contains("<b>") && !page.contains("\u{1B}") && !page.contains("\u{202E}"))
        #expect(page.components(separatedBy: "<table").count == page.components(separatedBy: "</table").count)
        let markdown = try run("markdown")
        for line in markdown.split(separator: "\n") where line.hasPrefix("|") {
          #expect(line.hasSuffix(" |") || line.hasSuffix("| "), "\(verb): \(line)")
        }
        #expect(
          !markdown.replacing("\\<", with: "").contains("<") && !markdown.contains("\u{1B}")
            && !markdown.contains("\u{202E}"), "\(verb)")
        #expect(try !run("vertical").isEmpty)
        guard hasCSV else {
          _ = try run("csv")
          continue
        }
        let csv = try run("csv")
        #expect(csv.contains("\n") && csv.contains(word), "\(verb): \(csv)")
        // Each line has as many cells as the first.
        let table = try directory.write(csv, to: "table.csv")
        let counted = try bash(
          "python3 -c 'import csv, sys; print(len({len(row) for row in csv.reader(open(sys.argv[1], newline=\"\"))}))' \"$1\"",
          table)
        #expect(counted.output == "1\n", "\(verb): \(csv)")
      }
    }
  }

  @Test("F-72: --format json is --json, for errors too; what has several tables is no CSV")
  func formatsAsJSON() throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      for verb in [
        ["classes", store], ["du", store], ["check", store], ["inspect", store, "A", "1"], ["schema", store],
        ["sql", store, "SELECT 1", "--explain"],
      ] {
        #expect(try expectLarder(verb + ["--format", "json"]) == expectLarder(verb + ["--json"]))
      }
      for flags in [["--json"], ["--format", "json"], ["--format=json"]] {
        let result = try WorkerProcess.run("larder", ["query", store, "Nothing"] + flags)
        #expect(result.status == 3 && result.errors.hasPrefix("{\"error\""), "\(flags): \(result)")
      }
      let missing = try WorkerProcess.run("larder", ["import", "missing", "--format", "json", "--into", store])
      #expect(missing.errors.hasPrefix("larder: error: "), "\(missing)")
      for arguments in [
        ["inspect", store, "A", "1", "--format", "csv"], ["inspect", store, "A", "1", "--incoming-links"],
        ["du", store, "--treemap", "--json"], ["du", store, "--treemap", "--format", "html"],
        ["classes", store, "--json", "--vertical"], ["schema", store, "--swift", "--format", "html"],
        ["schema", store, "--mermaid", "--json"], ["migrate", store, "schema.json", "--format", "csv"],
      ] {
        #expect(try WorkerProcess.run("larder", arguments).status == 2, "\(arguments)")
      }
    }
  }

  @Test("F-72: tables are as wide as the terminal says", arguments: [40, 80, 200])
  func terminals(_ columns: Int) throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let shown = try onTerminal(
        ["query", store, "Country", "--limit", "5"], environment: ["NO_COLOR": "1"], columns: columns)
      let lines = shown.split(separator: "\n")
      for line in lines where line.contains("  ") || line.contains("─") {
        #expect(line.count <= columns, "\(line)")
      }
      let note = lines.first { $0.hasPrefix("not shown, for want of width: ") }
      #expect((note != nil) == (columns == 40), "\(shown)")
      if let note { #expect(note.contains("neighbours; ") && note.hasSuffix("--vertical shows all"), "\(note)") }
    }
  }

  @Test("F-72: colours are for terminals, unless --color or NO_COLOR says otherwise")
  func colors() throws {
    try withTemporaryDirectory { directory in
      let (store, other) = (try store(directory), directory.file("other.larder"))
      try expectLarder("backup", store, other)
      try expectLarder("edit", other, "A", "1", "--set", "name=x", "--write")
      let red = "\u{1B}[3"
      let verb = ["diff", store, other]
      func isColored(_ arguments: [String], _ environment: [String: String] = [:]) throws -> Bool {
        try onTerminal(verb + arguments, environment: ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { $1 })
          .contains(red)
      }
      #expect(try isColored([]) && isColored(["--color", "auto"]))
      #expect(try !isColored(["--color", "never"]) && !isColored([], ["NO_COLOR": "1"]))
      #expect(try isColored(["--color", "always"], ["NO_COLOR": "1"]))
      #expect(try !WorkerProcess.run("larder", verb).output.contains(red))
      #expect(try WorkerProcess.run("larder", verb + ["--color", "always"]).output.contains(red))
      #expect(try WorkerProcess.run("larder", ["query", store, "B", "--color", "always"]).errors.contains(red))
    }
  }

  @Test("F-72: --no-pager prints to the terminal at once")
  func pager() throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      let environment = ["LARDER_PAGER": "sed 's/^/page: /'"]
      for verb in [["query", store, "A"], ["info", store], ["du", store], ["classes", store]] {
        #expect(try onTerminal(verb, environment: environment).contains("page: "), "\(verb)")
        #expect(try !onTerminal(verb + ["--no-pager"], environment: environment).contains("page: "), "\(verb)")
      }
    }
  }

  @Test("Q-100: explain and watch take RQL as query does")
  func rql() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let text = "population > 5 SORT(name DESC) LIMIT(3)"
      let plan = try expectLarder("explain", store, "Country", text, "--rql")
      #expect(plan.contains("limit 3") && plan.contains("ran: 3 results"), "\(plan)")
      let watched = try expectLarder("watch", store, "Country", text, "--rql", "--changes", "0")
      #expect(watched.hasSuffix(": 3 objects\n"), "\(watched)")
      for verb in ["query", "explain", "watch"] {
        #expect(try WorkerProcess.run("larder", [verb, store, "Country", "--rql"]).status == 2)
      }
    }
  }

  @Test("F-76: info and du show how values are spread, in ASCII where the locale has no blocks")
  func spreads() throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      let info = try bash("LC_ALL=C.UTF-8 \"$0\" info \"$1\"", store).output
      #expect(info.contains("1 ▇······▇ 2\n") && info.contains("5 ▇······▇ 253\n"), "\(info)")
      let plain = try bash("LC_ALL=C \"$0\" info \"$1\"", store).output
      #expect(plain.contains("1 #......# 2\n") && !plain.contains("▇"), "\(plain)")
      let space = try bash("LC_ALL=C.UTF-8 \"$0\" du \"$1\"", store).output
      #expect(space.contains("note  5 ▇······▇ 253\n"), "\(space)")
    }
  }
}
