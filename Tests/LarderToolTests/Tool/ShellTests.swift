import Foundation
import LarderExchange
import LarderInspection
import LarderStorage
import TestSupport
import Testing

@testable import LarderTool

/// Verbs line by line, from a script and on a terminal.
@Suite struct ShellTests {
  @Test(
    "The shell runs a script with the store open, and ends at the first error with its exit code",
    .notUnder(.rowByRow, "it looks at plans"))
  func scripts() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let script = """
        # how many
        query Country "population > 100000000" --count

        inspect Country PT --depth 0
        explain Country 'iso == "PT"'
        """
      let result = try WorkerProcess.run("larder", ["shell", store], input: script)
      #expect(result.status == 0 && result.output.hasPrefix("13\n"), "\(result)")
      #expect(result.output.contains("\"Portugal\"") && result.output.contains("index iso == 'PT'"), "\(result.output)")
      for (script, status, word) in [
        ("qery Country\nclasses", 2, "Did you mean 'query'?"), ("query Contry\nclasses", 3, "Did you mean 'Country'?"),
        ("query 'Country", 2, "quotes"), ("load x.jsonl", 2, "no verb 'load'"),
        ("query Country --json --limit x", 2, "{\"error\": "),
      ] {
        let result = try WorkerProcess.run("larder", ["shell", store], input: script)
        #expect(result.status == status && result.errors.contains(word) && result.output.isEmpty, "\(result)")
      }
      let ended = try WorkerProcess.run("larder", ["shell", store], input: "exit\nclasses")
      #expect(ended.status == 0 && ended.output.isEmpty, "\(ended)")
      let help = try WorkerProcess.run("larder", ["shell", store], input: "help\nhelp query")
      for verb in ShellSession.verbs {
        #expect(help.output.contains("\n\(verb) ") || help.output.hasPrefix("\(verb) "), "\(verb)")
      }
      #expect(help.output.contains("--by-relevance"))
    }
  }

  @Test("On a terminal Tab completes verbs, classes and properties, and lines are kept for the next time")
  func terminal() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let history = directory.file("state/history")
      let environment = ["LARDER_HISTORY": history, "TERM": "xterm"]
      let shown = try onTerminal(
        ["shell", store], input: "insp\tCou\tPT --depth 0\nquery Country 'continent.na\t== \"Africa\"' --cou\t\nexit\n",
        environment: environment)
      #expect(shown.contains("larder> ") && shown.contains("\"Portugal\""), "\(shown)")
      #expect(shown.contains("\n58\n"), "\(shown)")
      let kept = try String(contentsOfFile: history, encoding: .utf8)
      #expect(kept.contains("PT") && kept.contains("exit"), "\(kept)")
      let mode = try FileManager.default.attributesOfItem(atPath: history)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      // The line before, by Control-P, and an error, which ends nothing.
      let again = try onTerminal(
        ["shell", store], input: "classes No\nquery Country --count\n\u{10}\nexit\n", environment: environment)
      #expect(again.components(separatedBy: "\n252\n").count == 3 && again.contains("larder: error:"), "\(again)")
    }
  }

  @Test("A script may change the store that the shell has open, also after it was watched")
  func writing() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let script = """
        query Country --count
        watch Country --changes 0
        edit Country PT --set name=Lusitania --write
        inspect Country PT --depth 0
        """
      let result = try WorkerProcess.run("larder", ["shell", store], input: script)
      #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
      #expect(result.output.contains("written; version 3\n") && result.output.contains("\"Lusitania\""), "\(result)")
    }
  }

  @Test("Control-C ends the verb that runs, or the line that is typed, and not the shell", .timeLimit(.minutes(30)))
  func interruption() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let session = try TerminalSession(["shell", store], environment: ["LARDER_HISTORY": "", "TERM": "xterm"])
      #expect(session.sees("larder> "))
      try session.type("watch Country\r")
      #expect(session.sees("252 objects"))
      try session.type("\u{3}")
      #expect(session.sees("larder> "))
      try session.type("half a ty")
      #expect(session.sees("half a ty"))
      try session.type("\u{3}")
      #expect(session.sees("^C"))
      #expect(session.sees("larder> "))
      try session.type("edit Country PT --set name=Größe --write\r")
      #expect(session.sees("written; version 3"))
      #expect(session.sees("larder> "))
      try session.type("query Country 'name == \"Größe\"' --count\r")
      #expect(session.sees("\n1\r\n"))
      #expect(session.sees("larder> "))
      try session.type("exit\r")
      #expect(session.end() == 0)
    }
  }

  @Test(
    "Words are split as a shell of the system does",
    arguments: [
      ("a  b", ["a", "b"]), ("q 'x \"y\"' \"it's\"", ["q", "x \"y\"", "it's"]), ("a\\ b ''", ["a b", ""]),
      ("--set name=\"New York\"", ["--set", "name=New York"]), ("", []), ("'\u{301}a' b", ["\u{301}a", "b"]),
      ("'a'\\''b'", ["a'b"]),
    ])
  func words(_ line: String, _ words: [String]) throws { #expect(try ShellWords.split(line) == words) }

  @Test("Completion knows verbs, classes and properties over links")
  func completion() throws {
    RootCommand.set(LarderCommand.self)
    try withTemporaryDirectory { directory in
      let schema = try StoreAccess.open(reading: try importCountries(directory)).snapshot().schema
      let completion = ShellCompletion(schema)
      #expect(completion.candidates(line: "", word: "in") == ["info", "inspect"])
      #expect(completion.candidates(line: "query ", word: "C") == ["Continent", "Country"])
      #expect(completion.candidates(line: "query Country '", word: "na") == ["name"])
      #expect(
        completion.candidates(line: "query Country --sort ", word: "continent.location.la") == [
          "continent.location.latitude"
        ])
      #expect(completion.candidates(line: "query Country --sort ", word: "name.x").isEmpty)
      #expect(completion.candidates(line: "query Country ", word: "--co") == ["--color", "--count"])
      #expect(completion.candidates(line: "help ", word: "exp") == ["explain", "export"])
      // A property may go on with `.`, `:desc` or `=`.
      #expect(!completion.isWhole(line: "query Country --sort ", word: "popul"))
      #expect(
        completion.isWhole(line: "query ", word: "Coun") && completion.isWhole(line: "query Country ", word: "--so"))
    }
  }
}
