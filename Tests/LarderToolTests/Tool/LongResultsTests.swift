import Foundation
import LarderExchange
import LarderInspection
import TestSupport
import Testing

@testable import LarderTool

/// Results that are longer than a screen.
@Suite struct LongResultsTests {
  private func store(_ directory: TemporaryDirectory, rows: Int) throws -> String {
    let store = directory.file("rows.larder")
    let csv = "id,name\n" + (1...rows).map { "\($0),name \($0)\n" }.joined()
    try expectLarder(
      "import", try directory.write(csv, to: "rows.csv"), "--into", store, "--class", "Row", "--primary-key", "id")
    return store
  }

  @Test("F-72: on a terminal query prints so many objects and says so, elsewhere all of them")
  func limits() throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory, rows: 1_200)
      let shown = try onTerminal(["query", store, "Row"])
      #expect(shown.contains("\n1000  name 1000\n") && !shown.contains("name 1001"), "\(shown.suffix(200))")
      #expect(shown.contains("1000 of 1200 objects; --limit all prints all\n"), "\(shown.suffix(200))")
      for (arguments, word) in [
        (["query", store, "Row", "--limit", "all"], "\n1200 objects\n"),
        (["query", store, "Row", "--limit", "3"], "\n3 of 1200 objects\n"),
        (["query", store, "Row", "--json"], "\nlarder: 1000 of 1200 objects; --limit all prints all\n"),
        (["query", store, "Row", "--group-by", "id"], "\n1000 of 1200 groups; --limit all prints all\n"),
        (["query", store, "Row", "--count"], "1200\n"),
      ] {
        let shown = try onTerminal(arguments)
        #expect(shown.hasSuffix(word) || shown == word, "\(arguments): \(shown.suffix(200))")
      }
      #expect(try expectLarder("query", store, "Row").hasSuffix("\n1200 objects\n"))
      #expect(try expectLarder("query", store, "Row", "--json").split(separator: "\n").count == 1_200)
      for arguments in [["query", store, "Row", "--limit", "-1"], ["query", store, "Row", "--limit", "few"]] {
        #expect(try WorkerProcess.run("larder", arguments).status == 2)
      }
    }
  }

  @Test("F-72: a query hands on its rows while it reads them, and holds no more of them than widths are made of")
  func streaming() throws {
    try withTemporaryDirectory { directory in
      let rows = 10 * TableWriter.sampleSize
      let store = try store(directory, rows: rows)
      let snapshot = try StoreAccess.open(reading: store).snapshot()
      var pieces = 0
      var longest = 0
      let runner = try QueryRunner(snapshot, QueryRunner.Request(className: "Row"))
      let printed = try runner.run { text in
        pieces += 1
        longest = max(longest, text.utf8.count)
      }
      #expect(printed == rows)
      // The header, the sample, and what comes after it in pieces that are bounded by their size.
      #expect(pieces > TableWriter.sampleSize + 3)
      #expect(longest < 66_000)
    }
  }

  @Test("F-72: on a terminal results go through the pager that the environment names, elsewhere through none")
  func pagers() throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory, rows: 50)
      let paged = "sed 's/^/page: /'"
      let shown = try onTerminal(["query", store, "Row"], environment: ["LARDER_PAGER": paged, "PAGER": "false"])
      #expect(shown.contains("page:  1  name 1\n") && shown.contains("page: 50 objects\n"), "\(shown)")
      // Errors go past it, after the results.
      let failed = try onTerminal(["query", store, "Rwo"], environment: ["LARDER_PAGER": paged])
      #expect(failed.contains("larder: error:") && !failed.contains("page: "), "\(failed)")
      // One that is left early ends the tool without an error.
      let left = try onTerminal(["query", store, "Row"], environment: ["LARDER_PAGER": "head -n 1"])
      #expect(left == "id  name\n", "\(left.debugDescription)")
      #expect(try onTerminal(["query", store, "Row", "--count"], environment: ["LARDER_PAGER": "cat"]) == "50\n")
      // In the background it does not take the terminal.
      let background = try onTerminal(
        ["query", store, "Row", "--count"], environment: ["LARDER_PAGER": paged], inBackground: true)
      #expect(background.hasPrefix("50\n") && !background.contains("page: "), "\(background.debugDescription)")
      let piped = try bash("LARDER_PAGER=false \"$0\" query \"$1\" Row --count", store)
      #expect(piped.status == 0 && piped.output == "50\n", "\(piped)")
    }
  }

  @Test("F-72: less has the keys while it shows results, and gives them back to the shell", .timeLimit(.minutes(30)))
  func less() throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/less") else {
      print("F-72: less is not installed; what it does with the terminal is not tested")
      return
    }
    try withTemporaryDirectory { directory in
      let store = try store(directory, rows: 400)
      let environment = ["LARDER_PAGER": "less -RX", "LARDER_HISTORY": "", "TERM": "xterm", "LESS": ""]
      let session = try TerminalSession(["shell", store], environment: environment)
      #expect(session.sees("larder> "))
      try session.type("query Row\r")
      #expect(session.sees("name 5"))
      try session.type("G")
      #expect(session.sees("400 objects"))
      try session.type("q")
      #expect(session.sees("larder> "))
      try session.type(".exit\r")
      #expect(session.end() == 0)
    }
  }

  @Test(
    "F-72: the pager is LARDER_PAGER, else PAGER, else less where it is installed; cat and nothing are none",
    arguments: [
      ([:], true, "less"), ([:], false, nil), (["PAGER": "more"], true, "more"), (["PAGER": ""], true, nil),
      (["PAGER": "more", "LARDER_PAGER": "less -S"], true, "less -S"),
      (["PAGER": "more", "LARDER_PAGER": " "], true, nil),
      (["PAGER": "cat"], true, nil), (["TERM": "dumb"], true, nil),
    ] as [([String: String], Bool, String?)])
  func choice(_ environment: [String: String], _ hasLess: Bool, _ command: String?) {
    #expect(Pager.command(environment) { hasLess } == command)
  }
}
