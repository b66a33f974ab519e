import Foundation
import TestSupport
import Testing

/// `edit`, `diff`, `du` and `completions` on the countries.
@Suite struct EditingTests {
  @Test func editShowsThenWrites() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let before = try counted(store, "Country").version
      let shown = try expectLarder("edit", store, "Country", "PT", "--set", "name=Lusitania", "--null", "continent")
      #expect(
        shown.contains("name: \"Portugal\" → Lusitania") && shown.contains("continent: \"EU\" → null"), "\(shown)")
      #expect(try counted(store, "Country").version == before)
      try expectLarder(
        "edit", store, "Country", "PT", "--set", "name=Lusitania", "--set", "continent=AF", "--set",
        "neighbours=[\"ES\", \"FR\"]", "--write")
      let object = try expectLarder("inspect", store, "Country", "PT", "--depth", "0")
      #expect(object.contains("Lusitania") && object.contains("→ Continent AF"), "\(object)")
      #expect(object.contains("[1] → Country FR"), "\(object)")
      try expectLarder("edit", store, "Country", "XX", "--create", "--set", "name=Nowhere", "--write")
      #expect(try counted(store, "Country").count == 253)
      let json = try expectLarder("edit", store, "Country", "XX", "--delete", "--write", "--json")
      #expect(json.contains("\"changes\": []"), "\(json)")
      #expect(try counted(store, "Country").count == 252)
      try expectLarder("check", store, "--quiet")
    }
  }

  @Test func editRefusesWhatDoesNotFit() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let before = try counted(store, "Country").version
      try expectFailure("edit", store, "Country", "PT", "--set", "nam=x", words: "no property 'nam'", "'name'")
      try expectFailure("edit", store, "Country", "PT", "--set", "iso=x", words: "'iso' is the primary key")
      try expectFailure("edit", store, "Country", "PT", "--set", "continent=ZZ", "--write", words: "no 'Continent'")
      try expectFailure("edit", store, "Country", "PT", "--set", "neighbours=ES", words: "neighbours", "expected")
      try expectFailure("edit", store, "Country", "PT", "--set", "neighbours={}", words: "a JSON array was expected")
      try expectFailure("edit", store, "Country", "QQ", "--delete", "--write", words: "no 'Country' with iso")
      try expectFailure("edit", store, "Country", "PT", "--create", "--write", words: "PT")
      for arguments in [["PT"], ["--set", "a=b"], ["PT", "--set", "name"], ["PT", "--delete", "--null", "name"]] {
        let result = try WorkerProcess.run("larder", ["edit", store, "Country"] + arguments)
        #expect(result.status == 2, "\(result)")
      }
      #expect(try counted(store, "Country").version == before)
    }
  }

  @Test func diffTellsWhatChanged() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let copy = directory.file("copy.larder")
      try FileManager.default.copyItem(atPath: store, toPath: copy)
      #expect(try expectLarder("diff", store, copy) == "")
      try expectLarder("edit", copy, "Country", "PT", "--set", "name=Lusitania", "--write")
      try expectLarder("edit", copy, "Country", "XX", "--create", "--set", "name=Nowhere", "--write")
      try expectLarder("edit", copy, "Country", "AD", "--delete", "--write")
      let result = try larder("diff", store, copy)
      #expect(result.status == 1)
      #expect(result.output.contains("- Country AD  iso \"AD\", "), "\(result.output)")
      #expect(result.output.contains("~ Country PT\n    name  \"Portugal\" → \"Lusitania\"\n"), "\(result.output)")
      #expect(result.output.contains("+ Country XX  "), "\(result.output)")
      // Spain and France lose a neighbour with Andorra.
      #expect(result.output.contains("~ Country ES\n    neighbours  "), "\(result.output)")
      let json = try larder("diff", store, copy, "Country", "--json")
      for line in json.output.split(separator: "\n") {
        #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) is [String: Any], "\(line)")
      }
      let summary = try larder("diff", store, copy, "--summary")
      #expect(summary.output.contains("Country: 1 inserted, 1 deleted, 3 modified\n"), "\(summary.output)")
      #expect(summary.output.contains("Continent: 0 inserted, 0 deleted, 0 modified\n"))
      try expectFailure("diff", store, copy, "Contry", words: "no class 'Contry'")
    }
  }

  @Test func duAddsUpToTheFile() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let json = try expectLarder("du", store, "--json")
      let root = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
      let parts = try #require(root["parts"] as? [[String: Any]])
      let sum = parts.compactMap { $0["bytes"] as? Int }.reduce(0, +)
      let size = (try FileManager.default.attributesOfItem(atPath: store)[.size] as? NSNumber)?.intValue
      #expect(sum == size && root["bytes"] as? Int == size)
      let country = try #require(parts.first { $0["name"] as? String == "Country" })
      let properties = try #require(country["parts"] as? [[String: Any]])
      #expect(properties.compactMap { $0["bytes"] as? Int }.reduce(0, +) == country["bytes"] as? Int)
      let map = try expectLarder("du", store, "--treemap").split(separator: "\n")
      #expect(
        map.count == 23 && map.allSatisfy { $0.count == 80 } && map.contains { $0.contains("┌Country ") }, "\(map)")
      let text = try expectLarder("du", store, "--depth", "3")
      #expect(text.contains("  Country\n") && text.contains("backlinks\n") && text.contains("change log\n"), "\(text)")
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionsNameEveryVerb(_ shell: String) throws {
    let script = try expectLarder("completions", shell)
    for verb in ["import", "query", "edit", "diff", "dump", "load", "du"] { #expect(script.contains(verb)) }
  }
}
