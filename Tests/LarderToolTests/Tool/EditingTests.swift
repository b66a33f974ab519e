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
        shown.contains("name: \"Portugal\" → \"Lusitania\"\n") && shown.contains("continent: \"EU\" → nil\n"),
        "\(shown)")
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

  @Test("edit --json has real values, and long values as text say how long they are")
  func editShowsValues() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      func changes(_ arguments: String...) throws -> [[String: Any]] {
        let json = try WorkerProcess.run("larder", ["edit", store, "Country"] + arguments + ["--json"]).output
        let report = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        return try #require(report?["changes"] as? [[String: Any]], "\(json)")
      }
      let names = (0..<100).map { "\"language \($0)\"" }.joined(separator: ", ")
      let found = try changes(
        "PT", "--set", "population=5", "--set", "languages=[\(names)]", "--null", "continent", "--set",
        "neighbours=[\"ES\"]")
      #expect(found[0]["old"] as? Int == 10_281_762 && found[0]["new"] as? Int == 5, "\(found[0])")
      #expect((found[1]["old"] as? [String])?.isEmpty == false && (found[1]["new"] as? [String])?.count == 100)
      #expect(found[2]["new"] is NSNull || found[3]["new"] is NSNull, "\(found)")
      try expectLarder("edit", store, "Country", "PT", "--set", "languages=[\(names)]", "--write")
      let text = try expectLarder("edit", store, "Country", "PT", "--set", "languages=[]")
      #expect(text.contains("… (100 elements) → []\n"), "\(text)")
      let made = try expectLarder("edit", store, "Country", "XX", "--create", "--set", "name=Nowhere")
      #expect(made.hasPrefix("iso: nothing → \"XX\"\nname: nothing → \"Nowhere\"\n"), "\(made)")
      try expectFailure("edit", store, "Continent", "XX", "--create", "--set", "location.latitude=1", words: "is nil")
    }
  }

  @Test("edit --delete shows the object and counts the links that go with it")
  func editShowsWhatIsDeleted() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let text = try expectLarder("edit", store, "Country", "PT", "--delete")
      #expect(text.hasPrefix("- Country PT\n") && text.contains("\"Portugal\""), "\(text)")
      #expect(text.contains("\n1 link to it goes, too\n"), "\(text)")
      let json = try expectLarder("edit", store, "Continent", "EU", "--delete", "--json")
      let report = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
      #expect((report["deleted"] as? [String: Any])?["name"] as? String == "Europe")
      let inside = try expectLarder("query", store, "Country", "continent.name == 'Europe'", "--count")
      #expect(report["links"] as? Int == Int(inside.dropLast()))
      #expect(try counted(store, "Country").count == 252)
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
      for arguments in [
        ["PT"], ["--set", "a=b"], ["PT", "--set", "name"], ["PT", "--delete", "--null", "name"],
        ["PT", "--set", "name=a", "--set", "name=b"], ["PT", "--set", "name=a", "--null", "name"],
      ] {
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
      #expect(!summary.output.contains("Continent"), "\(summary.output)")
      let counts = try larder("diff", store, copy, "--summary", "--json")
      #expect(counts.output.contains("{\"class\": \"Continent\", \"inserted\": 0, \"deleted\": 0, \"modified\": 0}\n"))
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
