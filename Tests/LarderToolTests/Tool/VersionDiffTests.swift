import Foundation
import LarderInspection
import LarderStorage
import TestSupport
import Testing

/// `diff --from`: what the log tells of two versions of one store.
@Suite struct VersionDiffTests {
  @Test("diff --from tells what came, went and changed between versions, with new values where they still are")
  func versions() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let start = try counted(store, "Country").version
      try expectLarder("edit", store, "Country", "PT", "--set", "name=Lusitania", "--set", "population=5", "--write")
      try expectLarder("edit", store, "Country", "XX", "--create", "--set", "name=Nowhere", "--write")
      try expectLarder("edit", store, "Country", "AD", "--delete", "--write")
      try expectLarder("edit", store, "Country", "PT", "--set", "population=6", "--write")
      #expect(try larder("diff", store, "--from", "\(start + 4)").status == 0)
      let result = try larder("diff", store, "--from", "\(start)")
      #expect(result.status == 1 && result.errors.isEmpty, "\(result)")
      // Nobody asked the log to keep the primary keys of what is deleted.
      #expect(result.output.contains("- Country #0\n"), "\(result.output)")
      #expect(result.output.contains("+ Country XX  iso \"XX\", name \"Nowhere\""), "\(result.output)")
      #expect(
        result.output.contains("~ Country PT\n    name        → \"Lusitania\"\n    population  → 6\n"),
        "\(result.output)")
      // Spain lost a neighbour with Andorra.
      #expect(result.output.contains("~ Country ES\n    neighbours  → [\"PT\", \"GI\""), "\(result.output)")
      let first = try larder("diff", store, "Country", "--from", "\(start)", "--to", "\(start + 1)")
      #expect(
        first.output == "~ Country PT\n    name        → \"Lusitania\"\n    population  → changed again since\n",
        "\(first.output)")
      let made = try larder("diff", store, "--from", "\(start + 2)", "--to", "\(start + 3)", "--json")
      let changes = try made.output.split(separator: "\n").map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      #expect(
        changes.contains { $0["change"] as? String == "deleted" && $0["object"] as? String == "#0" }, "\(changes)")
      let summary = try larder("diff", store, "Country", "--from", "\(start)", "--summary")
      #expect(summary.output == "Country: 1 inserted, 1 deleted, 3 modified\n", "\(summary.output)")
    }
  }

  @Test("A version that the log does not reach, or that is not there yet, is said to be so")
  func bounds() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let open = try StoreAccess.open(writing: store)
      // More commits than a log keeps when nobody needs it.
      for _ in 0..<200 {
        let writer = try open.beginWrite()
        let country = try StoreAccess.entry(named: "Country", in: writer.schema)
        let name = try #require(country.column(named: "name"))
        try writer.set(country.id, name.id, ObjectKey(rawValue: 0), .string("x"))
        try writer.commit()
      }
      let info = try expectLarder("info", store, "--json")
      let root = try JSONSerialization.jsonObject(with: Data(info.utf8)) as? [String: Any]
      let oldest = try #require((root?["log"] as? [String: Any])?["oldestVersion"] as? Int)
      #expect(oldest > 1)
      try expectFailure("diff", store, "--from", "1", words: "no longer retained", "back to version \(oldest)")
      #expect(try larder("diff", store, "--from", "\(oldest)").status == 1)
      try expectFailure("diff", store, "--from", "\(oldest)", "--to", "9999", words: "no version 9999 yet")
      try expectFailure("diff", store, "--from", "202", "--to", "201", words: "newer than")
      try expectFailure("diff", store, "Contry", "--from", "\(oldest)", words: "Did you mean 'Country'?")
      for arguments in [["diff", store], ["diff", store, "--to", "3"], ["diff", store, "A", "B", "--from", "3"]] {
        #expect(try WorkerProcess.run("larder", arguments).status == 2)
      }
    }
  }
}
