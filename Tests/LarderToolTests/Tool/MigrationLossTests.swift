import Foundation
import LarderInspection
import LarderStorage
import TestSupport
import Testing

/// The results of `migrate` where values would be lost.
@Suite struct MigrationLossTests {
  /// Eight objects; all but the first have a nil in `note`.
  private func store(_ directory: TemporaryDirectory) throws -> String {
    let store = directory.file("s.larder")
    let lines = (0..<8).map { "{\"id\": \($0), \"name\": \"n\($0)\"\($0 == 0 ? ", \"note\": \"x\"" : "")}\n" }
    try expectLarder(
      "import", try directory.write(lines.joined(), to: "t.jsonl"), "--into", store, "--class", "T", "--primary-key",
      "id")
    return store
  }

  private func schema(_ properties: String, _ rules: String = "") -> String {
    "{\"classes\": {\"T\": {\"properties\": {\"id\": \"int primary\", \(properties)}}}\(rules)}"
  }

  @Test(
    "F-14: nothing that loses a value is written without --accept-loss; losses are counted and shown",
    arguments: [
      ("\"note\": \"string?\"", "8 values of T.name:\n  T 0.name = \"n0\"", "  and 3 more\n"),
      ("\"name\": \"string\", \"note\": \"string\"", "7 values of T.note:\n  T 1.note = nil\n", "  and 2 more\n"),
      ("\"name\": \"int\", \"note\": \"string?\"", "8 values of T.name:\n", "\"convert\": {\"T.name\": \"strict\"}"),
      (
        "\"title\": \"string\", \"note\": \"string?\"", "8 values of T.name:\n",
        "'T.name' is deleted and 'title' of the same type comes. Is that a new name? Then the rule "
          + "\"rename\": {\"T.name\": \"title\"} keeps the values.\n"
      ),
    ])
  func refused(_ properties: String, _ count: String, _ more: String) throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      let before = try counted(store, "T")
      let file = try directory.write(schema(properties), to: "f.json")
      let dry = try expectLarder("migrate", store, file)
      let refused = try larder("migrate", store, file, "--write")
      #expect(refused.status == 4 && refused.errors.isEmpty, "\(refused)")
      for told in [dry, refused.output] {
        #expect(told.contains("Would lose \(count)") && told.contains(more), "\(told)")
      }
      #expect(refused.output.contains("nothing was written") && refused.output.contains("--accept-loss"))
      #expect(try counted(store, "T") == before)
      let json = try larder("migrate", store, file, "--write", "--json")
      let report = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
      #expect(json.status == 4 && report["refused"] as? Bool == true && report["version"] is NSNull)
      let done = try expectLarder("migrate", store, file, "--write", "--accept-loss")
      #expect(done.contains("Lost \(count)"), "\(done)")
      #expect(try counted(store, "T").version == before.version + 1)
    }
  }

  @Test("F-14: the rule that is reported keeps the values, and what loses nothing needs no leave") func rename() throws
  {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      let text = schema("\"title\": \"string\", \"note\": \"string?\"", ", \"rename\": {\"T.name\": \"title\"}")
      try expectLarder("migrate", store, try directory.write(text, to: "f.json"), "--write")
      #expect(try column(store, "T", "title").first == .string("n0"))
    }
  }

  @Test("F-14: a rename into a required property is reported with what it needs") func optionalRename() throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      let text = schema("\"name\": \"string\", \"remark\": \"string\"")
      let told = try larder("migrate", store, try directory.write(text, to: "f.json"), "--write")
      #expect(told.status == 4, "\(told)")
      #expect(
        told.output.contains("{\"T.note\": \"remark\"} and a 'remark' that may be nil keeps the values"),
        "\(told.output)")
    }
  }

  @Test("F-43: a schema file with tens of thousands of properties is migrated to, and one with too many is refused")
  func wide() async throws {
    try await LongTest.run {
      try withTemporaryDirectory { directory in
        let store = directory.file("s.larder")
        func migrate(_ count: Int, _ type: String) throws -> (status: Int32, output: String, errors: String) {
          let properties = (0..<count).map { "\"p\($0)\": \"\(type)\"" }.joined(separator: ", ")
          let text = "{\"classes\": {\"W\": {\"properties\": {\(properties)}}}}"
          return try larder("migrate", store, try directory.write(text, to: "wide.json"), "--write")
        }
        try expectLarder("import", try directory.write("a\n1\n", to: "a.csv"), "--into", store, "--class", "A")
        #expect(try migrate(30_000, "int").status == 0)
        #expect(try migrate(30_000, "int?").status == 0)
        let before = try counted(store, "W").version
        let refused = try migrate(65_300, "int")
        #expect(refused.status == 3 && refused.errors.contains("'W.p65278'"), "\(refused)")
        #expect(try counted(store, "W").version == before)
        try expectLarder("check", store)
      }
    }
  }

  @Test("F-43: a schema file with thousands of rules that rename properties of one class")
  func renames() async throws {
    try await LongTest.run {
      try withTemporaryDirectory { directory in
        let store = directory.file("s.larder")
        let count = 4_000
        func migrate(_ name: String, _ rename: String) throws {
          let properties = (0..<count).map { "\"\(name)\($0)\": \"int?\"" }.joined(separator: ", ")
          let text = "{\"classes\": {\"W\": {\"properties\": {\(properties)}}}\(rename)}"
          try expectLarder("migrate", store, try directory.write(text, to: "wide.json"), "--write")
        }
        let fields = (0..<count).map { "\"old\($0)\": \($0)" }.joined(separator: ", ")
        try expectLarder(
          "import", try directory.write("{\(fields)}\n", to: "a.jsonl"), "--into", store, "--class", "W")
        let rules = (0..<count).map { "\"W.old\($0)\": \"new\($0)\"" }.joined(separator: ", ")
        try migrate("new", ", \"rename\": {\(rules)}")
        let found = try larder("query", store, "W", "new3999 == 3999 AND new0 == 0 AND new17 == 17", "--count")
        #expect(found.status == 0 && found.output == "1\n", "\(found)")
        try expectLarder("check", store)
      }
    }
  }
}
