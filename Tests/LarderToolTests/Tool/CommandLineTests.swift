import Foundation
import TestSupport
import Testing

/// The errors of command lines that make no sense.
@Suite struct CommandLineTests {
  @Test("An unknown verb is named and corrected, by help too")
  func unknownVerbs() throws {
    for arguments in [["quer", "w.larder", "City"], ["help", "quer"]] {
      let result = try WorkerProcess.run("larder", arguments)
      #expect(result.status == 2 && result.output.isEmpty, "\(result)")
      #expect(
        result.errors.hasPrefix("larder: error: there is no verb 'quer'. Did you mean 'query'?\n"), "\(result.errors)")
    }
    #expect(try larder("quer", "--json").errors.hasPrefix("{\"error\": {\"kind\": \"usage\""))
    #expect(try expectLarder("help", "query").contains("USAGE: larder query"))
    #expect(try expectLarder("help").contains("SUBCOMMANDS"))
    #expect(try expectLarder("--help") == expectLarder())
  }

  @Test("What a verb refuses when it runs is reported with how the verb is used")
  func misuse() throws {
    try withTemporaryDirectory { directory in
      let csv = try directory.write("a\n1\n", to: "a.csv")
      let result = try larder("import", csv, "--into", directory.file("s.larder"))
      #expect(result.status == 2 && result.errors.hasPrefix("larder: error: the class to import into"), "\(result)")
      #expect(
        result.errors.contains("\nUsage: larder import ") && result.errors.contains("'larder help import'"), "\(result)"
      )
    }
  }

  @Test(
    "A negative number is refused as such",
    arguments: [
      ["query", "s", "C", "--limit", "-1"], ["explain", "s", "C", "--limit", "-1"],
      ["advise", "s", "C", "--limit", "-1"],
      ["watch", "s", "C", "--changes", "-1"], ["inspect", "s", "C", "1", "--list-limit", "-1"],
    ])
  func negativeNumbers(_ arguments: [String]) throws {
    let result = try WorkerProcess.run("larder", arguments)
    #expect(result.status == 2 && result.errors.contains("is not negative"), "\(result)")
  }

  @Test("A folder is not made under a name that promises a file")
  func exportNames() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let target = directory.file("ex.csv")
      let refused = try larder("export", store, "--into", target)
      #expect(refused.status == 2 && refused.errors.contains("--class for one class"), "\(refused)")
      #expect(!FileManager.default.fileExists(atPath: target))
      try expectLarder("export", store, "--into", target, "--class", "Continent")
      #expect(try String(contentsOfFile: target, encoding: .utf8).hasPrefix("code,"))
      let folder = directory.file("folder.csv")
      try expectLarder("export", store, "--into", folder, "--format", "csv", "--quiet")
      #expect(FileManager.default.fileExists(atPath: folder + "/Continent.csv"))
    }
  }
}
