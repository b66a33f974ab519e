import Foundation
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
