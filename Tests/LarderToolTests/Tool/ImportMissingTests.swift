import LarderInspection
import LarderStorage
import TestSupport
import Testing

/// The results of `import --update` for values that records do not have.
@Suite struct ImportMissingTests {
  private func store(_ directory: TemporaryDirectory) throws -> String {
    let store = directory.file("s.larder")
    let csv = try directory.write("id,name,note\n1,a,x\n2,b,\n", to: "t.csv")
    try expectLarder("import", csv, "--into", store, "--class", "T", "--primary-key", "id")
    return store
  }

  @Test(
    "F-70: a required value that a record lacks stays as it is under --update, and a new object needs it",
    arguments: [
      ("t.csv", "id,note\n1,y\n", "id,note\n1,y\n3,z\n", ":3:1: "),
      ("t.jsonl", "{\"id\": 1, \"note\": \"y\"}\n", "{\"id\": 1}\n{\"id\": 3, \"note\": \"z\"}\n", ":2:1: "),
      (
        "t.jsonl", "{\"id\": 1, \"note\": \"y\"}\n{\"id\": 2, \"name\": \"b\"}\n",
        "{\"id\": 2, \"name\": \"c\"}\n{\"id\": 3, \"note\": \"z\"}\n", ":2:1: "
      ),
    ])
  func missing(_ name: String, _ old: String, _ new: String, _ place: String) throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      try expectLarder(
        "import", try directory.write(old, to: name), "--into", store, "--class", "T", "--update", "--write")
      #expect(try column(store, "T", "name") == [.string("a"), .string("b")])
      #expect(try column(store, "T", "note").first == .string("y"))
      let before = try counted(store, "T")
      try expectFailure(
        "import", try directory.write(new, to: name), "--into", store, "--class", "T", "--update", "--write",
        words: name + place, "a new one needs a value of 'name'")
      #expect(try counted(store, "T") == before)
    }
  }

  @Test("F-70: properties that new objects get no value of are reported") func defaults() throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      let csv = try directory.write("id\n3\n", to: "more.csv")
      let result = try larder("import", csv, "--into", store, "--class", "T", "--write")
      #expect(result.status == 0 && result.errors.contains("no value of 'name' is imported"), "\(result)")
      #expect(!result.errors.contains("'note'"), "\(result.errors)")
    }
  }
}
