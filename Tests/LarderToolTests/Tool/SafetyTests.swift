import Foundation
import LarderExchange
import LarderInspection
import LarderStorage
import TestSupport
import Testing

/// The rules of which verbs may change a store, what an interruption leaves, and what programs that call the tool read.
@Suite struct SafetyTests {
  /// The bytes of a store, which must be the same afterwards.
  private func unchanged(_ store: String, _ body: () throws -> Void, location: SourceLocation = #_sourceLocation) throws
  {
    let before = try Data(contentsOf: URL(fileURLWithPath: store))
    try body()
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before, sourceLocation: location)
  }

  private func object(_ text: String, location: SourceLocation = #_sourceLocation) throws -> [String: Any] {
    let value = try? JSONSerialization.jsonObject(with: Data(text.utf8))
    return try #require(value as? [String: Any], "\(text)", sourceLocation: location)
  }

  @Test("Verbs that change a store that exists do it only with --write")
  func onlyWithLeave() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let (dump, schema) = (directory.file("dump.jsonl"), directory.file("schema.json"))
      try expectLarder("dump", store, "--out", dump)
      try "{\"delete\": [\"Country\"]}".write(toFile: schema, atomically: true, encoding: .utf8)
      let csv = try directory.write("iso\nXX\n", to: "x.csv")
      try unchanged(store) {
        for arguments in [["import", csv, "--into", store, "--class", "Country"], ["load", dump, "--into", store]] {
          let result = try WorkerProcess.run("larder", arguments)
          #expect(result.status == 2 && result.errors.contains("say --write to "), "\(result)")
        }
        for arguments in [
          ["migrate", store, schema], ["compact", store], ["edit", store, "Country", "PT", "--delete"],
        ] {
          let result = try WorkerProcess.run("larder", arguments)
          #expect(
            result.status == 0 && result.output.hasSuffix("nothing was written: say --write to do it\n"), "\(result)")
        }
        #expect(try object(expectLarder("compact", store, "--json"))["written"] as? Bool == false)
      }
      #expect(try larder("migrate", store, schema, "--write", "--dry-run").status == 2)
      try expectLarder("migrate", store, schema, "--write", "--accept-loss")
      #expect(try StoreAccess.open(reading: store).snapshot().schema["Country"] == nil)
    }
  }

  @Test("A failed export leaves nothing of its own and takes nothing that is not")
  func failedExport() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let target = directory.file("c.csv")
      let beside = try directory.write("somebody's", to: "c.csv-lock")
      let failed = try larder("export", store, "--class", "Nowhere", "--into", target)
      #expect(failed.status == 3 && failed.errors.contains("Nowhere"), "\(failed)")
      #expect(!FileManager.default.fileExists(atPath: target))
      #expect(try String(contentsOfFile: beside, encoding: .utf8) == "somebody's")
      try expectLarder("export", store, "--class", "Country", "--into", target)
      // A link that leads nowhere belongs to another program, too.
      let link = directory.file("link")
      #expect(symlink(directory.file("gone"), link) == 0)
      #expect(try larder("export", store, "--into", link).status == 3)
      #expect(try larder("repair", store, "--into", link).status == 3)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == directory.file("gone"))
    }
  }

  @Test("Control-C leaves nothing half-made, and a store that exists as it was")
  func interruption() throws {
    try withTemporaryDirectory { directory in
      let existing = try importCountries(directory)
      let before = try counted(existing, "Country")
      for (number, store) in [directory.file("new.larder"), existing].enumerated() {
        let pipe = directory.file("pipe-\(number)")
        #expect(mkfifo(pipe, 0o600) == 0)
        let tool = Process()
        tool.executableURL = URL(fileURLWithPath: "/bin/bash")
        tool.arguments = [
          "-c",
          "exec \"$0\" import /dev/stdin --format csv --into \"$1\" --class T --type id=int --write < \"$2\"",
          try WorkerProcess.executable("larder").path, store, pipe,
        ]
        try tool.run()
        let input = try #require(FileHandle(forWritingAtPath: pipe))
        // More than a pipe holds: when all is written the tool reads, and has opened the store.
        try input.write(contentsOf: Data(("id\n" + (0..<20_000).map { "\($0)\n" }.joined()).utf8))
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(names.contains { $0.hasPrefix(URL(fileURLWithPath: store).lastPathComponent) })
        kill(tool.processIdentifier, SIGINT)
        tool.waitUntilExit()
        #expect(tool.terminationReason == .uncaughtSignal && tool.terminationStatus == SIGINT)
        try? input.close()
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(!names.contains { $0.hasPrefix("new.larder") }, "\(names)")
      #expect(try counted(existing, "Country") == before && counted(existing, "T").count == 0)
      try expectLarder("check", existing, "--deep", "--quiet")
    }
  }

  @Test("Every verb that prints results prints JSON with --json")
  func json() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      for arguments in [
        ["info", store], ["du", store], ["check", store, "--deep"], ["inspect", store, "Country", "PT"],
        ["query", store, "Country", "--count"], ["query", store, "Country", "iso == 'PT'"],
        ["query", store, "Country", "iso == 'PT'", "--explain"], ["explain", store, "Country", "population > 5"],
        ["advise", store, "Country", "population > 100000000"], ["schema", store],
        ["edit", store, "Country", "PT", "--null", "continent"], ["backup", store, directory.file("b.larder")],
        ["compact", store], ["dump", store, "--out", directory.file("d.jsonl")],
        ["load", directory.file("d.jsonl"), "--into", directory.file("l.larder")],
        ["repair", store, "--into", directory.file("r.larder")], ["watch", store, "Country", "--changes", "0"],
        ["import", try directory.write("a\n1\n", to: "a.csv"), "--into", directory.file("i.larder"), "--class", "A"],
      ] {
        let result = try WorkerProcess.run("larder", arguments + ["--json"])
        #expect(result.status == 0 && result.errors.isEmpty, "\(arguments): \(result)")
        _ = try object(result.output)
      }
      let plan = try object(expectLarder("explain", store, "Country", "iso == 'PT'", "--json"))
      #expect(
        (plan["steps"] as? [String: Any])?["kind"] as? String == "objects" && plan["results"] as? Int == 1, "\(plan)")
      let check = try object(expectLarder("check", store, "--json"))
      #expect(check["sound"] as? Bool == true && check["problems"] as? [String] == [])
    }
  }

  @Test("With --json an error is one JSON line on standard error, and exit codes tell what kind it is")
  func errors() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let csv = try directory.write("id\n1\nx\n", to: "x.csv")
      for (arguments, status, kind, field, value) in [
        (["info", directory.file("no.larder")], 3, "notFound", "path", directory.file("no.larder")),
        (["query", store, "Contry"], 3, "unknownClass", "class", "Contry"),
        (["query", store, "Country", "nmae == 'x'"], 3, "predicate", "suggestion", "name"),
        (["import", csv, "--into", directory.file("n"), "--class", "T", "--type", "id=int"], 3, "input", "file", csv),
        (["load", directory.file("no"), "--into", directory.file("n")], 3, "file", "path", directory.file("no")),
        (["info"], 2, "usage", "kind", "usage"),
      ] {
        let result = try WorkerProcess.run("larder", arguments + ["--json"])
        #expect(result.status == status && result.output.isEmpty, "\(result)")
        #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        let error = try #require(try object(result.errors)["error"] as? [String: Any])
        #expect(error["kind"] as? String == kind && error[field] as? String == value, "\(error)")
        #expect((error["message"] as? String)?.isEmpty == false)
      }
      // What failed has made nothing.
      #expect(!FileManager.default.fileExists(atPath: directory.file("n")))
    }
  }

  @Test("Errors are red on a terminal, unless NO_COLOR is set")
  func colors() throws {
    for (environment, isColored) in [(["TERM": "xterm"], true), (["NO_COLOR": "1"], false), (["TERM": "dumb"], false)] {
      let output = try onTerminal(["info", "/nowhere"], environment: ["NO_COLOR": ""].merging(environment) { $1 })
      #expect(output.contains("\u{1B}[31mlarder: error:\u{1B}[0m") == isColored, "\(output)")
      #expect(output.contains("There is no store at '/nowhere'."))
    }
    #expect(try !larder("info", "/nowhere").errors.contains("\u{1B}"))
  }
}
