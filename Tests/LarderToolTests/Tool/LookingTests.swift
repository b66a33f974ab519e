import Foundation
import LarderExchange
import LarderInspection
import LarderStorage
import TestSupport
import Testing

@Suite struct LookingTests {
  @Test func classesListsPropertiesWithTypes() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let text = try expectLarder("classes", store)
      for line in [
        "Country  252 objects", "  iso         string  primary key", "  name        string  indexed",
        "  continent   Continent?", "  neighbours  [Country]", "Location (embedded)  7 objects",
      ] {
        #expect(text.contains(line + "\n"), "\(line) in\n\(text)")
      }
      let json = try expectLarder("classes", store, "Country", "--json")
      let classes = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
      #expect(classes.count == 1 && classes[0]["objects"] as? Int == 252)
      try expectFailure("classes", store, "Contry", words: "no class 'Contry'", "Did you mean 'Country'?")
    }
  }

  @Test func inspectFollowsLinksAsFarAsAsked() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let flat = try expectLarder("inspect", store, "Country", "PT", "--depth", "0")
      #expect(flat.contains("→ Continent EU") && flat.contains("[0] → Country ES"), "\(flat)")
      let deep = try expectLarder("inspect", store, "Country", "PT", "--depth", "1")
      #expect(deep.contains("\"Europe\"") && deep.contains("\"Spain\""), "\(deep)")
      // Spain is a neighbour of Portugal: the circle ends there.
      let deeper = try expectLarder("inspect", store, "Country", "PT", "--depth", "5", "--list-limit", "3")
      #expect(deeper.contains("→ Country PT") && deeper.contains("more"), "\(deeper.prefix(2_000))")
      try expectFailure("inspect", store, "Country", "ZZ", words: "no 'Country' with iso = \"ZZ\"")
      try expectFailure("inspect", store, "Country", "--key", "9999", words: "no object #9999")
      try expectFailure("inspect", store, "Location", "1", words: "no primary key")
    }
  }

  @Test func infoTellsSizesAndLiveReaders() throws {
    try withTemporaryDirectory { directory in
      let path = try importCountries(directory)
      let snapshot = try StoreAccess.open(reading: path).snapshot()
      let json = try expectLarder("info", path, "--json")
      let info = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
      #expect(info["version"] as? Int == 2 && info["format"] as? Int == 1 && info["schemaVersion"] as? Int == 0)
      #expect((info["storeID"] as? String)?.count == 32)
      let readers = try #require(info["readers"] as? [[String: Any]])
      #expect(readers.contains { $0["process"] as? Int == Int(getpid()) && $0["version"] as? Int == 2 }, "\(json)")
      let classes = try #require(info["classes"] as? [[String: Any]])
      let country = try #require(classes.first { $0["name"] as? String == "Country" })
      let properties = try #require(country["properties"] as? [String: [String: Int]])
      #expect(properties["iso"]?["index"] ?? 0 > 0 && properties["name"]?["values"] ?? 0 > 0)
      #expect(properties["neighbours"]?["lists"] ?? 0 > 0 && properties["neighbours"]?["backlinks"] ?? 0 > 0)
      let text = try expectLarder("info", path)
      #expect(
        text.contains("process \(getpid()) (") && text.contains(")  version 2, the newest\n")
          && text.contains("Country"), "\(text)")
      try expectLarder("edit", path, "Country", "PT", "--set", "name=X", "--write")
      let held = try expectLarder("info", path)
      #expect(held.contains(")  version 2, 1 commit behind, holding freed space for "), "\(held)")
      withExtendedLifetime(snapshot) {}
    }
  }

  @Test("Long work shows its share on a terminal, and what it prints is free of that")
  func progress() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let out = directory.file("dump.jsonl")
      let dumped = try onTerminal(["dump", store, "--out", out])
      #expect(dumped.contains("dumping  ·") && dumped.contains(" %"), "\(dumped.debugDescription)")
      let exported = try onTerminal(["export", store, "--into", directory.file("folder")])
      #expect(exported.contains("exporting  ·"), "\(exported.debugDescription)")
      let compared = try onTerminal(["diff", store, store])
      // Which class is at hand when the bar is drawn, depends on the machine.
      #expect(compared.contains("comparing C") && compared.contains(" %"), "\(compared.debugDescription)")
      #expect(compared.hasSuffix("\r\u{1B}[K"), "\(compared.debugDescription)")
      let copy = directory.file("copy.larder")
      try expectLarder("backup", store, copy)
      try expectLarder("edit", copy, "Country", "PT", "--set", "name=X", "--write")
      // The bar goes before the results come.
      let different = try onTerminal(["diff", store, copy], environment: ["NO_COLOR": "1"])
      #expect(different.contains("\u{1B}[K~ Country PT\n"), "\(different.debugDescription)")
    }
  }

  @Test("A process that watches is one live reader, and tables fit the terminal")
  func readersAndWidth() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let watcher = try WorkerProcess("larder", ["watch", store, "Country"])
      #expect(watcher.readLine() != nil, "\(watcher.errorOutput)")
      let text = try expectLarder("info", store)
      let lines = text.split(separator: "\n").filter { $0.contains("process \(watcher.processIdentifier) ") }
      #expect(lines.count == 1 && lines[0].contains("version 2"), "\(text)")
      watcher.kill()
      let shown = try onTerminal(["info", store])
      #expect(shown.split(separator: "\n").filter { $0.contains("──") }.allSatisfy { $0.count <= 80 }, "\(shown)")
    }
  }

  @Test("Tables tell nil from an empty text, one object of a list from the next, and cut nothing short")
  func cells() throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("s.larder")
      let long = String(repeating: "x", count: 300)
      let lines = [
        "{\"a\": \"\", \"b\": \"\(long)\", \"c\": [{\"x\": 1, \"y\": 2}, {\"x\": 3, \"y\": 4}]}",
        "{\"a\": null, \"b\": \"\", \"c\": []}",
      ]
      try expectLarder(
        "import", try directory.write(lines.joined(separator: "\n"), to: "a.jsonl"), "--into", store, "--class", "A")
      let table = try expectLarder("query", store, "A").split(separator: "\n")
      #expect(table[2].hasPrefix("0       \(long)  (2) {1, 2}, {3, 4}"), "\(table)")
      #expect(table[3].hasPrefix("1  nil  ") && table[3].hasSuffix("  (0)"), "\(table)")
    }
  }

  @Test("A file that cannot be written is named, with the system's reason")
  func fullDisks() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let out = directory.file("dump.jsonl")
      let result = try bash("ulimit -f 8; exec \"$0\" dump \"$1\" --out \"$2\"", store, out)
      #expect(result.status == 3 && result.errors.contains("'\(out)' cannot be written: File too large"), "\(result)")
      #expect(!FileManager.default.fileExists(atPath: out))
    }
  }

  @Test func theCommandLineIsExplained() throws {
    #expect(try expectLarder("--version").hasPrefix("0."))
    for verb in ["import", "classes", "inspect", "query", "info", "check"] {
      let help = try expectLarder(verb, "--help")
      #expect(help.contains("EXAMPLE") && help.contains("larder \(verb) "), "\(help)")
    }
    for arguments in [["info"], ["nonsense"], ["inspect", "x"], ["import", "a.csv", "--separator", "ab"]] {
      let result = try WorkerProcess.run("larder", arguments)
      #expect(result.status == 2 && result.errors.hasPrefix("larder: error: "), "\(result)")
    }
  }
}
