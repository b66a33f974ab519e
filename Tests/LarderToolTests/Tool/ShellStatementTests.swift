import Foundation
import TestSupport
import Testing

@testable import LarderTool

/// The parts that the shell adds to the verbs: statements over lines, directives, and its own terms.
@Suite struct ShellStatementTests {
  private func shell(_ store: String, _ script: String) throws -> (status: Int32, output: String, errors: String) {
    try WorkerProcess.run("larder", ["shell", store], input: script)
  }

  @Test(
    "F-74: a statement goes on after a backslash, within quotes and within brackets",
    arguments: [
      (["a b"], ["a", "b"]), (["a \\", "b"], ["a", "b"]), (["a\\", "b"], ["ab"]), (["a 'b", "c'"], ["a", "b\nc"]),
      (["a 'b\\", "c'"], ["a", "b\\\nc"]), (["a {b", "c}"], ["a", "{b", "c}"]), (["a (", "", "b"], ["a", "("]),
      (["a '('"], ["a", "("]), (["# it's (a comment"], []), (["a \"b \\", "c\" d"], ["a", "b c", "d"]), ([""], []),
      (["a )"], ["a", ")"]),
    ])
  func statements(_ lines: [String], _ words: [String]) throws {
    var statement = ShellStatement()
    let ends = try #require(lines.firstIndex { statement.add($0) })
    #expect(ends == lines.count - 1 || lines[ends].isEmpty)
    #expect(try ShellWords.split(statement.take()) == words && statement.isEmpty)
  }

  @Test("F-74: a script has statements of several lines, and what is never closed is said to be so")
  func scripts() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let long = try shell(store, "query Country 'population >\n  100000000' \\\n  --count\nquery Country --count\n")
      #expect(long.status == 0 && long.output == "13\n252\n", "\(long)")
      let open = try shell(store, "query Country --count\nquery Country 'population")
      #expect(open.status == 2 && open.output == "252\n" && open.errors.contains("within quotes"), "\(open)")
    }
  }

  @Test("F-74: .limit, .output and .timer hold for the verbs that follow")
  func directives() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let file = directory.file("results.csv")
      let result = try shell(
        store,
        """
        .limit 2
        query Country --properties iso --format csv
        query Country --properties iso --format csv --limit 1
        query Country --count
        .output \(file)
        query Country --properties iso,name --sort iso --format csv
        .output
        .limit
        .timer on
        query Country --count
        .timer off
        query Continent --count
        """)
      #expect(result.status == 0, "\(result)")
      let lines = result.output.replacing("\r\n", with: "\n").split(separator: "\n")
      #expect(lines.count == 8 && lines[3] == "iso" && lines[5...] == ["252", "252", "7"], "\(result.output)")
      #expect(
        try String(contentsOfFile: file, encoding: .utf8) == "iso,name\nAD,Andorra\nAE,United Arab Emirates\n")
      let times = result.errors.split(separator: "\n")
      #expect(times.count == 1 && times[0].hasSuffix(" s"), "\(result.errors)")
      for (line, word) in [
        (".output \(file)", "there already"), (".timer", "say '.timer on' or '.timer off'"),
        (".timr on", "Did you mean '.timer'?"), (".limit -1", "not negative"),
        (".limit few", "'.limit' takes a number"),
        (".output a b", "takes one word"),
      ] {
        let refused = try shell(store, line)
        #expect(refused.status != 0 && refused.errors.contains(word), "\(refused)")
        #expect(!refused.errors.contains("larder <"), "\(refused)")
      }
    }
  }

  @Test("F-74: all verbs that have a use are there, also those that change the store")
  func verbs() throws {
    RootCommand.set(LarderCommand.self)
    let all = Set(LarderCommand.configuration.subcommands.compactMap { $0.configuration.commandName })
    #expect(all.subtracting(ShellSession.verbs) == ["shell", "studio", "load", "rekey", "completions", "man"])
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let csv = try directory.write("id,name\n1,Elbe\n", to: "rivers.csv")
      let (schema, copy) = (directory.file("schema.json"), directory.file("copy.larder"))
      let result = try shell(
        store,
        """
        import \(csv) --class River --primary-key id --write
        inspect River 1
        .output \(schema)
        schema --json
        .output
        migrate \(schema) --write
        compact --write
        repair --into \(copy)
        check --deep
        query River --count
        """)
      #expect(result.status == 0, "\(result)")
      #expect(result.output.contains("River 1\n") && result.output.contains("\"Elbe\""), "\(result.output)")
      #expect(result.output.hasSuffix("\n1\n"), "\(result.output)")
      #expect(try counted(copy, "River").count == 1)
      let elsewhere = try shell(store, "import \(csv) --into \(copy) --class River")
      #expect(elsewhere.status == 2 && elsewhere.errors.contains("leave --into out"), "\(elsewhere)")
    }
  }

  @Test("F-74: usage, errors and help of a verb are in the shell's own terms, also on a terminal")
  func terms() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      for line in ["query", "query Country --limit x", "inspect Country", "import", "qery", "edit Country"] {
        let result = try shell(store, line)
        #expect(result.status == 2, "\(result)")
        #expect(!result.errors.contains("<store>") && !result.errors.contains("larder query"), "\(result.errors)")
        #expect(result.errors.replacing("larder: error:", with: "").contains("larder ") == false, "\(result.errors)")
      }
      let missing = try shell(store, "query")
      #expect(missing.errors.contains("Usage: query [<options>] <class-name> [<predicate>]\n"), "\(missing)")
      #expect(missing.errors.contains("See '.help query' for more information."), "\(missing)")
      for verb in ShellSession.verbs {
        let help = try shell(store, ".help \(verb)")
        #expect(help.status == 0 && help.output.contains("USAGE: \(verb)"), "\(help)")
        #expect(!help.output.contains("<store>") && !help.output.contains("--key-file"), "\(help.output)")
        #expect(!help.output.contains("\n  larder ") && !help.output.contains("world.larder --"), "\(help.output)")
      }
      let asked = try shell(store, "query --help")
      #expect(asked.status == 0 && asked.output.contains("USAGE: query [<options>] <class-name>"), "\(asked)")
      // A process of its own says what only running shows.
      let csv = try directory.write("id\n1\n", to: "a.csv")
      let shown = try onTerminal(
        ["shell", store], input: "import \(csv) --class A\nquery\n.exit\n",
        environment: ["LARDER_HISTORY": "", "TERM": "xterm"])
      #expect(shown.contains("Usage: import [<options>] <file>\n") && shown.contains("Usage: query [<opt"), "\(shown)")
      #expect(!shown.contains("<store>"), "\(shown)")
    }
  }

  @Test("F-74: on a terminal the shell asks for the rest of a statement, and knows classes that a verb made")
  func conversation() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let csv = try directory.write("id\n1\n", to: "rivers.csv")
      let shown = try onTerminal(
        ["shell", store],
        input:
          "query Country 'iso ==\n \"PT\"' --count\n.ti\ton\nquery Country --count\nimport \(csv) --class River --write\n"
          + "query Riv\t--count\n.exit\n",
        environment: ["LARDER_HISTORY": "", "TERM": "xterm"])
      #expect(shown.contains("   ...> ") && shown.contains("\n1\n"), "\(shown)")
      #expect(shown.contains("mer on\n") && shown.contains("\n252\n") && shown.contains(" s\n"), "\(shown)")
      #expect(shown.contains("er --count\n1\n"), "\(shown)")
    }
  }
}
