import Foundation
import LarderInspection
import LarderStorage
import TestSupport
import Testing

@testable import LarderExchange

/// Files with the quirks of other programs, and what is read of them: `Fixtures/quirks`.
@Suite struct ImportQuirkTests {
  /// A file, the flags that it is imported with, and what comes of it.
  struct Case: Decodable, CustomTestStringConvertible {
    var file: String
    var flags: [String]?
    var properties: [String]?
    /// Parts of notices.
    var notices: [String]?
    /// Parts of the message of a file that is refused.
    var error: [String]?
    var exit: Int32?
    /// The line that the case is in, for the rows, which may hold anything.
    var line = ""

    enum CodingKeys: CodingKey { case file, flags, properties, notices, error, exit }

    var testDescription: String { "\(file) \((flags ?? []).joined(separator: " "))" }

    /// The objects, in order.
    func rows() throws -> [NSDictionary] {
      let whole = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary
      return try #require(whole?["rows"] as? [NSDictionary])
    }
  }

  static let folder = "\(fixtures)/quirks"

  static func cases() throws -> [Case] {
    try String(contentsOfFile: "\(folder)/cases.jsonl", encoding: .utf8).split(separator: "\n").map { line in
      var found = try JSONDecoder().decode(Case.self, from: Data(line.utf8))
      found.line = String(line)
      return found
    }
  }

  @Test("F-150, F-151, F-153, F-154, F-155: quirks are read as SQLite, pandas and DuckDB do, or refused")
  func quirks() throws {
    let cases = try Self.cases()
    #expect(cases.count > 80)
    for known in cases { try check(known) }
    let files = Set(cases.map(\.file)).union(["cases.jsonl"])
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: Self.folder)) == files)
  }

  private func check(_ known: Case) throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("s.larder")
      let result = try WorkerProcess.run(
        "larder",
        ["import", "\(Self.folder)/\(known.file)", "--into", store, "--class", "T", "--json"] + (known.flags ?? []))
      #expect(result.status == known.exit ?? 0, "\(known.testDescription): \(result)")
      if let parts = known.error {
        for part in parts { #expect(told(result.errors).contains(part), "\(known.testDescription): \(result)") }
        #expect(!FileManager.default.fileExists(atPath: store))
        return
      }
      guard result.status == 0 else { return }
      let told = try #require(
        JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any], "\(known.testDescription)")
      let notices = try #require(told["notices"] as? [String])
      for part in known.notices ?? [] {
        #expect(notices.contains { $0.contains(part) }, "\(known.testDescription): \(notices)")
      }
      let snapshot = try StoreAccess.open(reading: store).snapshot()
      let entry = try StoreAccess.entry(named: "T", in: snapshot.schema)
      let properties = entry.columns.map { column in
        "\(column.name): \(TypeName.describe(column, in: snapshot.schema))\(column.isPrimaryKey ? ", primary key" : "")"
      }
      #expect(properties == known.properties, "\(known.testDescription)")
      var request = QueryRunner.Request(className: "T")
      request.format = .json
      var text = ""
      _ = try QueryRunner(snapshot, request).run { text += $0 }
      let rows = try text.split(separator: "\n").map { line in
        try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary)
      }
      #expect(rows == (try known.rows()), "\(known.testDescription): \(text)")
    }
  }

  /// The message of an error, with its place as people write it.
  private func told(_ errors: String) -> String {
    guard let line = try? JSONSerialization.jsonObject(with: Data(errors.utf8)) as? [String: Any],
      let error = line["error"] as? [String: Any]
    else { return errors }
    let file = (error["file"] as? String ?? error["path"] as? String).map { URL(fileURLWithPath: $0).lastPathComponent }
    let place = [file, (error["line"] as? Int).map { "\($0)" }, (error["column"] as? Int).map { "\($0)" }]
    return place.compactMap { $0 }.joined(separator: ":") + ": \(error["message"] as? String ?? "")"
  }

  @Test("F-150: a file with bytes that hold no object is an error, whether it is read once or twice")
  func bytesWithoutObjects() throws {
    try withTemporaryDirectory { directory in
      let file = try directory.write(" \n\t\n", to: "x.jsonl")
      let store = directory.file("s.larder")
      let mapping = try directory.write(#"{"class": "T", "properties": {"a": "int"}}"#, to: "m.json")
      try expectFailure("import", file, "--into", store, "--class", "T", words: "has 4 bytes", "x.jsonl:1:1")
      try expectFailure("import", file, "--into", store, "--mapping", mapping, words: "has 4 bytes")
      #expect(!FileManager.default.fileExists(atPath: store))
    }
  }

  @Test("F-150: lines that end with CR are read in place and one by one, with their numbers in messages")
  func manyCarriageReturns() throws {
    try withTemporaryDirectory { directory in
      let lines = (0..<20_000).map { "\($0),\($0.isMultiple(of: 7) ? "\"a \($0)\"" : "b \($0)")" }
      let file = try directory.write((["id,name"] + lines).joined(separator: "\r"), to: "x.csv")
      let store = directory.file("s.larder")
      try expectLarder("import", file, "--into", store, "--class", "T")
      #expect(try column(store, "T", "id") == (0..<20_000).map { .int($0) })
      #expect(try column(store, "T", "name").last == .string("a 19999"))
      let broken = try directory.write((["id,name"] + lines + ["1,2,3"]).joined(separator: "\r"), to: "y.csv")
      try expectFailure("import", broken, "--into", directory.file("t.larder"), "--class", "T", words: "y.csv:20002:5")
    }
  }

  @Test("F-152: a SQLite file and CSV take the same texts for true and false")
  func truthsOfTables() throws {
    let words = ["true", "TRUE", "Yes", "t", "Y", "on", "1", "false", "False", "NO", "f", "n", "OFF", "0"]
    try withTemporaryDirectory { directory in
      let path = directory.file("x.db")
      let file = try SQLiteFile(path, isNew: true)
      try file.run("CREATE TABLE T (v BOOLEAN)")
      for word in words { try file.statement("INSERT INTO T VALUES (?)").run([.text(word)]) }
      try expectLarder("import", path, "--into", directory.file("db.larder"))
      let csv = try directory.write((["v"] + words).joined(separator: "\n"), to: "x.csv")
      try expectLarder("import", csv, "--into", directory.file("csv.larder"), "--class", "T", "--type", "v=bool")
      let expected = words.indices.map { StoredValue.bool($0 < 7) }
      #expect(try column(directory.file("db.larder"), "T", "v") == expected)
      #expect(try column(directory.file("csv.larder"), "T", "v") == expected)
    }
  }

  @Test("F-153: digits are never lost in silence, whether the first records show them or a later one")
  func lateDigits() throws {
    try withTemporaryDirectory { directory in
      let numbers = (0..<6_000).map { "\($0)" } + ["9223372036854775808"]
      for (name, text) in [
        ("x.csv", (["v"] + numbers).joined(separator: "\n")),
        ("x.jsonl", numbers.map { "{\"v\":\($0)}" }.joined(separator: "\n")),
      ] {
        let store = directory.file("\(name).larder")
        let file = try directory.write(text, to: name)
        let result = try larder("import", file, "--into", store, "--class", "T")
        #expect(result.status == 0 && result.errors.contains("decimal128, which keeps 34 digits"), "\(result)")
        #expect(try column(store, "T", "v").last.flatMap { ValueText.plain($0) } == "9223372036854775808")
        // A property that the store has keeps its type, and that is reported.
        let doubles = directory.file("\(name).doubles.larder")
        let few = try directory.write("v\n1.5\n", to: "few.csv")
        try expectLarder("import", few, "--into", doubles, "--class", "T")
        let more = try larder("import", file, "--into", doubles, "--class", "T", "--write")
        #expect(more.status == 0 && more.errors.contains("'v' is double, which keeps 15 digits"), "\(more)")
      }
    }
  }

  @Test("F-150: a blank line is a row without a value where there is one column, and none where there are more")
  func blankLines() throws {
    try withTemporaryDirectory { directory in
      for separator in ["\n", "\r\n"] {
        let one = try directory.write(
          ["\u{FEFF}v", "a", "", "\"\"", "b", "", ""].joined(separator: separator), to: "one.csv")
        let store = directory.file("one.larder")
        try? FileManager.default.removeItem(atPath: store)
        try expectLarder("import", one, "--into", store, "--class", "T")
        #expect(try column(store, "T", "v").count == 5)
        let two = try directory.write(["v,w", "a,1", "", "b,2", ""].joined(separator: separator), to: "two.csv")
        let other = directory.file("two.larder")
        try? FileManager.default.removeItem(atPath: other)
        try expectLarder("import", two, "--into", other, "--class", "T")
        #expect(try column(other, "T", "v") == [.string("a"), .string("b")])
      }
      // An export of one column comes back as it was.
      let names = try directory.write("v,w\na,1\n,2\n\"\",3\n,4\n", to: "names.csv")
      let (store, copy) = (directory.file("names.larder"), directory.file("copy.larder"))
      try expectLarder("import", names, "--into", store, "--class", "T")
      let csv = try larder("query", store, "T", "--properties", "v", "--format", "csv")
      let back = try directory.write(csv.output, to: "back.csv")
      try expectLarder("import", back, "--into", copy, "--class", "T")
      let values = try column(store, "T", "v")
      #expect(try column(copy, "T", "v") == values, "\(csv.output)")
    }
  }

  @Test("F-150: a header of blanks names no column, and SEP= names a separator as sep= does")
  func headers() throws {
    try withTemporaryDirectory { directory in
      let blank = try directory.write("  \n  \n", to: "blank.csv")
      try expectFailure(
        "import", blank, "--into", directory.file("s.larder"), "--class", "T", words: "the header names no column",
        "blank.csv:1:1")
      for word in ["sep", "SEP", "Sep"] {
        let file = try directory.write("\(word)=;\na;b\n1;2\n", to: "\(word).csv")
        let store = directory.file("\(word).larder")
        try expectLarder("import", file, "--into", store, "--class", "T")
        #expect(try column(store, "T", "b") == [.int(2)])
      }
    }
  }

  @Test("F-153: whole numbers that a float does not keep are reported, and the reason of a type is the right one")
  func digitsOfFloats() throws {
    try withTemporaryDirectory { directory in
      func expectNotice(
        _ words: String?, _ text: String, _ name: String, _ flags: String...,
        location: SourceLocation = #_sourceLocation
      ) throws {
        let file = try directory.write(text, to: name)
        let arguments = ["import", file, "--into", directory.file("\(name).larder"), "--class", "T"] + flags
        let result = try WorkerProcess.run("larder", arguments)
        #expect(result.status == 0, "\(result)", sourceLocation: location)
        if let words {
          #expect(result.errors.contains(words), "\(result.errors)", sourceLocation: location)
        } else {
          #expect(!result.errors.contains("keeps"), "\(result.errors)", sourceLocation: location)
        }
      }
      for (name, line) in [("x.csv", { "\($0)" }), ("x.jsonl", { "{\"v\": \($0)}" })] as [(String, (Int) -> String)] {
        let header = name.hasSuffix("csv") ? "v\n" : ""
        let kept = [16_777_216, 16_777_218, -33_554_432].map(line).joined(separator: "\n")
        try expectNotice(nil, header + kept, "kept-\(name)", "--type", "v=float")
        let lost = [1, 16_777_217].map(line).joined(separator: "\n")
        try expectNotice("'v' is float, which keeps 6 digits", header + lost, "lost-\(name)", "--type", "v=float")
        try expectNotice(nil, header + lost, "double-\(name)", "--type", "v=double")
      }
      let large = "v\n9223372036854775808\n1\n"
      try expectNotice(
        "since decimal128 is no type of a primary key", large, "key.csv", "--primary-key", "v")
      try expectNotice("since line 4 has \"nan\"", large + "nan\n", "special.csv")
      try expectNotice(
        "since another number has more decimals", large + "0.12345678901234567890123456789012345678\n", "wide.csv")
    }
  }
}
