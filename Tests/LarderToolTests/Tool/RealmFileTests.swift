import Foundation
import LarderExchange
import LarderStorage
import TestSupport
import Testing

/// `.realm` files, given to the tool.
@Suite struct RealmFileTests {
  private static func sample(_ name: String) -> String { "\(fixtures)/realm/\(name)" }

  /// A key file that others cannot read, so that nothing is said of it.
  private func key(_ name: String, _ directory: TemporaryDirectory) throws -> String {
    let path = try directory.write(
      try Data(contentsOf: URL(fileURLWithPath: Self.sample("\(name).key"))), to: "\(name).key")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    return path
  }

  private func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("U-40: import makes a store of a .realm file and says what came over") func imports() throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("new.larder")
      let text = try expectLarder("import", Self.sample("schema-version.realm"), "--into", store)
      #expect(text.contains("Setting        2        2      0"), "\(text)")
      #expect(text.hasSuffix("3 objects of 2 classes imported; schema version 7\n"), "\(text)")
      #expect(try column(store, "Setting", "name") == [.string("theme"), .string("font")])
      #expect(try StoreAccess.open(reading: store).snapshot().schema.schemaVersion == 7)
      try expectLarder("check", store, "--deep")
      let again = try larder("import", Self.sample("schema-version.realm"), "--into", store)
      #expect(again.status == 3 && again.errors.contains("is there already"), "\(again)")
      #expect(try counted(store, "Setting").count == 2)
    }
  }

  @Test("U-41: import lists what could not be carried over, also in a file, and ends with exit code 1")
  func reports() throws {
    try withTemporaryDirectory { directory in
      let (store, report) = (directory.file("new.larder"), directory.file("r.json"))
      let dry = try larder("import", Self.sample("types.realm"), "--into", store, "--dry-run", "--json")
      #expect(dry.status == 1)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
      let real = try larder("import", Self.sample("types.realm"), "--into", store, "--report", report)
      #expect(real.status == 1 && real.output.contains("not carried: "), "\(real)")
      let told = try json(dry.output)
      var written = try json(String(contentsOfFile: report, encoding: .utf8))
      #expect(written["dryRun"] as? Bool == false && told["dryRun"] as? Bool == true)
      written["dryRun"] = true
      #expect(NSDictionary(dictionary: written).isEqual(NSDictionary(dictionary: told)))
      let omission = try #require((told["omissions"] as? [[String: Any]])?.first)
      #expect(omission["reason"] as? String == "valueTooLarge" && omission["property"] != nil, "\(omission)")
      #expect((told["skippedTables"] as? [[String: Any]])?.first?["table"] as? String == "metadata")
      let used = try larder(
        "import", Self.sample("empty.realm"), "--into", directory.file("e.larder"), "--report", report)
      #expect(used.status == 3 && !FileManager.default.fileExists(atPath: directory.file("e.larder")), "\(used)")
      // A killed import leaves an empty report, which is no reason to refuse the next one.
      let empty = try directory.write("", to: "left.json")
      let next = try larder(
        "import", Self.sample("types.realm"), "--into", directory.file("n.larder"), "--report", empty)
      #expect(next.status == 1, "\(next)")
      #expect(try json(String(contentsOfFile: empty, encoding: .utf8))["omissions"] != nil)
      let nowhere = try larder(
        "import", Self.sample("empty.realm"), "--into", directory.file("e.larder"), "--report",
        directory.file("none/r.json"))
      #expect(nowhere.status == 3 && nowhere.errors.contains("cannot be made"), "\(nowhere)")
      #expect(!FileManager.default.fileExists(atPath: directory.file("e.larder")))
    }
  }

  @Test("import names 20 omissions and counts the others; the report has 10,000 of them, and how many more there are")
  func manyOmissions() throws {
    try withTemporaryDirectory { directory in
      let count = 10_005
      let dogs = RealmFileBuilder.Table(
        "class_Dog", rows: 1,
        [RealmFileBuilder.Column("n", .int) { rows, nodes in nodes.integers(rows.map { Int64($0) }) }])
      let owners = RealmFileBuilder.Table(
        "class_Owner", rows: count,
        [
          RealmFileBuilder.Column("one", .link, attributes: 16, target: 0) { rows, nodes in
            nodes.links([Int64?](repeating: 7, count: rows.count))
          }
        ])
      let file = try directory.write(RealmFileBuilder([dogs, owners]).bytes(), to: "many.realm")
      func report(_ name: String) throws -> String {
        let path = directory.file(name)
        let result = try larder("import", file, "--into", directory.file("s.larder"), "--dry-run", "--report", path)
        #expect(result.status == 1, "\(result.errors)")
        let lines = result.output.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("not carried: Owner.one of object ") }.count == 20)
        #expect(lines.contains("not carried: \(count - 20) more; --report writes them to a file"))
        return try String(contentsOfFile: path, encoding: .utf8)
      }
      let written = try json(report("r.json"))
      #expect((written["omissions"] as? [Any])?.count == 10_000)
      #expect((written["omissionCounts"] as? [String: Any])?["missingObject"] as? Int == count)
      let markdown = try report("r.md")
      #expect(markdown.split(separator: "\n").filter { $0.contains("| one |") }.count == 10_000)
      #expect(markdown.contains("not carried: 5 more, which are only counted"))
    }
  }

  @Test("F-184: the store of an encrypted file has the file's key, that of --new-key-file, or with --plain none")
  func keptKey() throws {
    try withTemporaryDirectory { directory in
      let file = Self.sample("encrypted.realm")
      let old = try key("encrypted", directory)
      let store = directory.file("new.larder")
      let result = try larder("import", file, "--into", store, "--key-file", old)
      #expect(result.status == 0 && !result.errors.contains("not encrypted"), "\(result)")
      #expect(try larder("check", store).status == 3)
      try expectLarder("check", store, "--key-file", old)
      let digits = try String(contentsOfFile: old, encoding: .utf8)
      let fromEnvironment = directory.file("environment.larder")
      let imported = try bash(
        "LARDER_KEY=\"$(tr -d '[:space:]' < \"$2\")\" \"$0\" import \"$1\" --into \"$3\"", file, old, fromEnvironment)
      #expect(imported.status == 0 && !digits.isEmpty, "\(imported)")
      try expectLarder("check", fromEnvironment, "--key-file", old)
      let both = try larder(
        "import", file, "--into", directory.file("b.larder"), "--key-file", old, "--new-key-file", old, "--plain")
      #expect(both.status == 2 && both.errors.contains("exclude each other"), "\(both)")
      // What was plain stays so.
      try expectLarder("import", Self.sample("graph.realm"), "--into", directory.file("g.larder"))
      try expectLarder("check", directory.file("g.larder"))
    }
  }

  @Test("F-183, F-186: tables without class_ are imported, and links to what is not there yet are told in one line")
  func otherTables() throws {
    try withTemporaryDirectory { directory in
      let numbers = RealmFileBuilder.Table(
        "Dog", rows: 2, [RealmFileBuilder.Column("n", .int) { rows, nodes in nodes.integers(rows.map { Int64($0) }) }])
      let file = try directory.write(RealmFileBuilder([numbers]).bytes(), to: "tables.realm")
      let told = try expectLarder("import", file, "--into", directory.file("t.larder"))
      #expect(told.contains("2 objects of 1 class imported"), "\(told)")
      #expect(try column(directory.file("t.larder"), "Dog", "n") == [.int(0), .int(1)])
      let owners = RealmFileBuilder.Table(
        "class_Owner", rows: 2,
        [
          RealmFileBuilder.Column("one", .link, attributes: 16, target: 1) { rows, nodes in
            nodes.links(rows.map { [-2, 0][$0] })
          }
        ])
      var dogs = numbers
      dogs.name = "class_Dog"
      let synced = try directory.write(RealmFileBuilder([owners, dogs]).bytes(), to: "synced.realm")
      let result = try larder("import", synced, "--into", directory.file("s.larder"))
      #expect(result.status == 0 && result.output.contains("1 link leads to objects"), "\(result)")
      let json = try expectLarder("import", synced, "--into", directory.file("j.larder"), "--json")
      #expect(json.contains("\"unresolvedLinks\": 1") && json.contains("\"omissions\": []"), "\(json)")
    }
  }

  @Test("U-40: keys of the .realm file and of the store are separate") func keys() throws {
    try withTemporaryDirectory { directory in
      let file = Self.sample("encrypted.realm")
      let (old, wrong) = (try key("encrypted", directory), try key("wrong", directory))
      let new = try directory.write(String(repeating: "5a", count: 64), to: "new.key")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: new)
      let store = directory.file("new.larder")
      for arguments in [[], ["--key-file", wrong]] {
        let result = try WorkerProcess.run("larder", ["import", file, "--into", store, "--json"] + arguments)
        #expect(result.status == 3 && result.errors.contains("\"kind\": \"wrongKey\""), "\(result)")
      }
      #expect(!FileManager.default.fileExists(atPath: store))
      try expectLarder("import", file, "--into", store, "--key-file", old, "--new-key-file", new)
      #expect(try larder("classes", store).status == 3)
      try expectLarder("check", store, "--key-file", new)
      let plain = directory.file("plain.larder")
      try expectLarder("import", file, "--into", plain, "--key-file", old, "--plain")
      try expectLarder("check", plain)
      let needless = try larder(
        "import", Self.sample("graph.realm"), "--into", directory.file("g.larder"), "--key-file", old)
      #expect(needless.status == 3 && needless.errors.contains("larder: error: "), "\(needless)")
    }
  }

  @Test(
    "U-40: damaged files, and flags for other files, are refused",
    arguments: [
      "damaged-truncated", "damaged-topref", "damaged-format25", "damaged-bit-width", "damaged-bit-hasrefs",
      "damaged-bit-count", "damaged-magic",
    ])
  func refusals(name: String) throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("new.larder")
      try expectFailure("import", Self.sample("\(name).realm"), "--into", store, words: "\(name).realm")
      let csv = try directory.write("a\n1\n", to: "a.csv")
      let flag = try larder("import", csv, "--into", store, "--class", "A", "--new-key-file", csv)
      #expect(flag.status == 2 && flag.errors.contains("is no .realm file"), "\(flag)")
      let mapped = try larder("import", Self.sample("empty.realm"), "--into", store, "--class", "A")
      #expect(mapped.status == 2 && mapped.errors.contains("is a .realm file"), "\(mapped)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["a.csv"])
    }
  }

  @Test("U-42: verbs that read stores read .realm files, and leave no temporary store") func reading() throws {
    try withTemporaryDirectory { directory in
      let file = try directory.write(
        try Data(contentsOf: URL(fileURLWithPath: Self.sample("schema-version.realm"))), to: "old.realm")
      func run(_ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
        try WorkerProcess.run("larder", arguments, environment: ["TMPDIR": directory.path])
      }
      let schema = try run("schema", file, "--swift")
      #expect(schema.status == 0 && schema.output.contains("class Setting: Object"), "\(schema)")
      #expect(schema.errors == "larder: '\(file)' is a Realm file: it is read as a temporary store\n")
      #expect(try run("info", file).output.contains("Setting"))
      #expect(try run("classes", file).output.contains("Log"))
      #expect(try run("query", file, "Setting", "revision > 0", "--format", "json").output.contains("theme"))
      #expect(try run("export", file, "--into", directory.file("out")).status == 0)
      #expect(try run("diff", file, file).status == 0)
      let json = try run("classes", file, "--json")
      #expect(json.errors.hasPrefix("{\"warning\": ") && json.output.hasPrefix("["), "\(json)")
      let edit = try run("edit", file, "Setting", "theme", "--set", "revision=9", "--write")
      #expect(edit.status == 3 && edit.errors.contains("`larder import` makes a store of it"), "\(edit)")
      let check = try run("check", file)
      #expect(check.status == 3 && check.errors.contains("`larder import` makes a store of it"), "\(check)")
      let left = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
      #expect(left == ["old.realm", "out"], "\(left)")
      let key = try key("encrypted", directory)
      let encrypted = try run("classes", Self.sample("encrypted.realm"), "--key-file", key)
      #expect(encrypted.status == 0, "\(encrypted)")
      let keyless = try run("classes", Self.sample("encrypted.realm"))
      #expect(keyless.status == 3 && keyless.errors.contains("give it with --key-file"), "\(keyless)")
    }
  }
}
