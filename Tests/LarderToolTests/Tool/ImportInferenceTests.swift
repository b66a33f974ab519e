import Foundation
import LarderExchange
import LarderInspection
import LarderStorage
import TestSupport
import Testing

/// Types that `import` finds in the values of a file.
@Suite struct ImportInferenceTests {
  private func imported(
    _ text: String, _ name: String, _ flags: String...
  ) throws -> (store: String, errors: String, directory: TemporaryDirectory) {
    let directory = try TemporaryDirectory("inference")
    let store = directory.file("s.larder")
    let result = try WorkerProcess.run(
      "larder", ["import", try directory.write(text, to: name), "--into", store, "--class", "T"] + flags)
    #expect(result.status == 0, "\(result)")
    return (store, result.errors, directory)
  }

  @Test("F-70: what differs between lines is of any type, with objects and lists in it, and the lines are reported")
  func mixtures() throws {
    let lines = """
      {"a": {"x": 1, "y": [null, "z"]}, "b": true, "c": [[1], ["s"]]}
      {"a": "s", "b": {"k": 99999999999999999999}, "c": [{"d": 1.5}]}
      {"a": null, "b": -3}

      """
    let (store, errors, directory) = try imported(lines, "t.jsonl")
    let inner: StoredDictionary = ["x": .int(1), "y": .list([.null, .string("z")])]
    #expect(try column(store, "T", "a") == [.dictionary(inner), .string("s"), .null])
    let large = try #require(DecimalNumber(exactly: "99999999999999999999"))
    #expect(
      try column(store, "T", "b") == [.bool(true), .dictionary(["k": .decimal128(large.bits)]), .int(-3)])
    #expect(errors.contains("'a' holds values of several types (an object in line 1, string in line 2)"), "\(errors)")
    let snapshot = try StoreAccess.open(reading: store).snapshot()
    let entry = try #require(snapshot.schema["T"])
    let c = try #require(entry.column(named: "c"))
    #expect(c.collection == .list && c.type == .mixed)
    #expect(
      try snapshot.list(entry.id, c.id, ObjectKey(rawValue: 0)).values() == [.list([.int(1)]), .list([.string("s")])])
    #expect(
      try snapshot.list(entry.id, c.id, ObjectKey(rawValue: 1)).values() == [.dictionary(["d": .double(1.5)])])
    try expectLarder("check", store, "--deep")
    withExtendedLifetime(directory) {}
  }

  @Test("F-70: whatever is in a file of JSON is imported, in any order of its lines") func anything() throws {
    var random = SeededRandom.forTest("inference")
    let values = [
      "null", "true", "7", "1.5", "9007199254740993", "99999999999999999999", "\"s\"", "\"2020-01-01T00:00:00Z\"", "[]",
      "[1]",
      "[1, \"x\"]", "[[2]]", "[null]", "{}", "{\"x\": 1}", "{\"x\": \"s\"}", "[{\"x\": 2}]", "{\"x\": [1]}",
      "{\"y\": {\"z\": 1}}",
    ]
    let directory = try TemporaryDirectory("inference")
    for _ in 0..<150 {
      let lines = (0..<random.int(2...6)).map { _ in
        "{\"a\": \(values[random.int(0..<values.count)]), \"b\": {\"c\": \(values[random.int(0..<values.count)])}}\n"
      }
      let store = try TemporaryStore()
      var options = ImportOptions(path: try directory.write(lines.joined(), to: "t.jsonl"))
      options.className = "T"
      do {
        #expect(try Importer(store: store.store, options: options).run().imported == lines.count)
      } catch {
        Issue.record(error, "\(lines)")
      }
      #expect(try StoreVerifier.verify(store.snapshot).isEmpty)
    }
  }

  @Test("F-70: a column of CSV that few values make text is reported with the line of one") func textColumns() throws {
    let rows = (1...30).map { "\($0),\($0 == 17 ? "old" : "\($0)"),\($0 % 2 == 0 ? "x\($0)" : "\($0)"),0\($0)\n" }
    let (store, errors, directory) = try imported("id,age,code,zip\n" + rows.joined(), "t.csv")
    #expect(
      errors.contains("'age' is string because of \"old\" in line 18; other values are int as in line 2"), "\(errors)")
    #expect(!errors.contains("'code'") && !errors.contains("'zip'") && !errors.contains("'id'"), "\(errors)")
    #expect(try column(store, "T", "age")[0] == .string("1"))
    withExtendedLifetime(directory) {}
  }

  @Test("F-70: whole numbers that a double does not keep are reported") func digits() throws {
    let (_, errors, directory) = try imported("{\"n\": 1.5}\n{\"n\": 9007199254740993}\n", "t.jsonl")
    #expect(errors.contains("'n' holds whole numbers of more than 53 bits (line 2)"), "\(errors)")
    withExtendedLifetime(directory) {}
  }

  @Test("F-77: a field that is an array here and a single value there is a list, of one there") func listsOfOne() throws
  {
    let lines = """
      {"tags": "a", "parts": {"n": 1}}
      {"tags": ["b", "c"], "parts": [{"n": 2}, {"n": 3}]}
      {"tags": null}

      """
    let (store, errors, directory) = try imported(lines, "t.jsonl")
    #expect(
      errors.contains("'tags' is a list, since line 2 has an array; single values, as in line 1, become lists of one"),
      "\(errors)")
    let output = try expectLarder("query", store, "T", "--json").split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(output.map { $0["tags"] as? [String] } == [["a"], ["b", "c"], []])
    let more = try directory.write("{\"tags\": \"d\"}\n", to: "more.jsonl")
    try expectLarder("import", more, "--into", store, "--class", "T", "--write")
    let last = try expectLarder("query", store, "T", "--json").split(separator: "\n").last
    #expect(last?.contains("\"d\"") == true, "\(last ?? "")")
  }
}
