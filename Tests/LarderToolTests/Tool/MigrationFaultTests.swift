import Foundation
import LarderExchange
import LarderInspection
import LarderStorage
import TestSupport
import Testing

/// The errors of `migrate` for schema files that do not fit a store.
@Suite struct MigrationFaultTests {
  private func store(_ directory: TemporaryDirectory) throws -> String {
    let store = directory.file("s.larder")
    try expectLarder(
      "import", try directory.write("id,age\n1,20\n2,old\n", to: "t.csv"), "--into", store, "--class", "T",
      "--primary-key", "id")
    return store
  }

  private func schemaVersion(_ store: String) throws -> UInt64? {
    try StoreAccess.open(reading: store).snapshot().schema.schemaVersion
  }

  @Test("A migration without differences commits nothing, unless the file raises the version")
  func noDifferences() throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      let (before, version) = (try counted(store, "T").version, try #require(try schemaVersion(store)))
      let same = "{\"classes\": {\"T\": {\"properties\": {\"id\": \"int primary\", \"age\": \"string\"}}}}"
      for text in [same, same.replacing("{\"classes", with: "{\"schemaVersion\": \(version), \"classes")] {
        let told = try expectLarder("migrate", store, try directory.write(text, to: "same.json"), "--write")
        #expect(told.hasPrefix("No differences.\n") && told.hasSuffix("nothing was changed\n"), "\(told)")
        #expect(try counted(store, "T").version == before && schemaVersion(store) == version)
      }
      let raised = same.replacing("{\"classes", with: "{\"schemaVersion\": 9, \"classes")
      try expectLarder("migrate", store, try directory.write(raised, to: "raised.json"), "--write")
      #expect(try schemaVersion(store) == 9)
    }
  }

  @Test(
    "A rule that does not fit is reported with its place and the nearest name",
    arguments: [
      (
        "{\"classes\": {\"T\": {\"properties\": {\n \"s\": \"stirng\"}}}}",
        ["f.json:2:7: ", "'stirng'", "Did you mean 'string'?"]
      ),
      ("{\"schemaVersion\": -1}", ["f.json:1:19: ", "from 0 on, not -1"]),
      (
        "{\"classes\": {\"Tee\": {\"properties\": {\"id\": \"int\"}}},\n\"rename\": {\"Q\": \"Tee\"}}",
        ["f.json:2:17: ", "no class 'Q'"]
      ),
      ("{\"rename\": {\"T.nope\": \"x\"}}", ["f.json:1:", "'T' is not declared under \"classes\""]),
      (
        "{\"classes\": {\"T\": {\"properties\": {\"id\": \"int primary\", \"x\": \"int\"}}}, \"rename\": {\"T.agee\": \"x\"}}",
        ["no property 'agee' in the store", "Did you mean 'age'?"]
      ), ("{\"delete\": [\"TT\"]}", ["f.json:1:13: ", "Did you mean 'T'?"]),
      ("{\"convert\": {\"T.aeg\": \"strict\"}}", ["f.json:1:", "'T.aeg' is not declared"]),
      (
        "{\"classes\": {\"9x\": {\"properties\": {\"a\": \"int\"}}}}",
        ["f.json:1:", "'9x' cannot be the name of a class"]
      ),
      (
        "{\"classes\": {\"X\": {\"properties\": {\"a b\": \"int\"}}}}",
        ["f.json:1:", "'a b' cannot be the name of a property"]
      ),
    ] as [(String, [String])])
  func faults(_ text: String, _ words: [String]) throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      let before = try counted(store, "T")
      let result = try larder("migrate", store, try directory.write(text, to: "f.json"), "--write")
      #expect(result.status == 3, "\(result)")
      for word in words { #expect(result.errors.contains(word), "\(word) in \(result.errors)") }
      #expect(try counted(store, "T") == before)
    }
  }

  @Test("Values that a new type would drop are reported, with the rule that keeps them")
  func conversions() throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      let text = "{\"classes\": {\"T\": {\"properties\": {\"id\": \"int primary\", \"age\": \"int\"}}}}"
      let told = try expectLarder("migrate", store, try directory.write(text, to: "f.json"))
      #expect(
        told.contains("\"convert\": {\"T.age\": \"strict\"}") && told.contains("would be changed from"), "\(told)")
      let rule = text.dropLast() + ", \"convert\": {\"T.age\": \"lenient\"}}"
      let converted = try expectLarder(
        "migrate", store, try directory.write(String(rule), to: "g.json"), "--write", "--accept-loss")
      #expect(!converted.contains("\"convert\"") && converted.contains("has been changed from"), "\(converted)")
      #expect(try column(store, "T", "age") == [.int(20), .int(0)])
    }
  }
}
