import Foundation
import LarderExchange
import LarderInspection
import LarderStorage
import TestSupport
import Testing

/// Names and types that an import finds for itself.
@Suite struct ImportNameTests {
  private func properties(_ store: String, _ className: String) throws -> [String] {
    try StoreAccess.entry(named: className, in: StoreAccess.open(reading: store).snapshot().schema).columns.map(\.name)
  }

  @Test("Fields become properties that predicates can name, and the import tells which")
  func names() throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("s.larder")
      let csv = try directory.write("my col,x.y,2nd,#,my_col,größe\n1,2,3,4,5,6\n", to: "a.csv")
      let result = try larder("import", csv, "--into", store, "--class", "A", "--json")
      #expect(result.status == 0, "\(result)")
      let names = ["my_col_2", "x_y", "_2nd", "field4", "my_col", "größe"]
      #expect(try properties(store, "A") == names)
      let report = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
      let notices = try #require(report?["notices"] as? [String])
      #expect(notices.count == 4 && notices[0].contains("\"my col\" became the property 'my_col_2'"), "\(notices)")
      for (number, name) in names.enumerated() {
        #expect(try expectLarder("query", store, "A", "\(name) == \(number + 1)", "--count") == "1\n", "\(name)")
      }
      // The same file again finds the properties it made.
      let again = try larder("import", csv, "--into", store, "--class", "A", "--write")
      #expect(again.status == 0 && again.errors.contains("larder: the field \"my col\" became"), "\(again)")
      #expect(try column(store, "A", "x_y") == [.int(2), .int(2)])
      let nested = try directory.write("{\"at\": {\"long itude\": 1.5, \"\": 2}}\n", to: "b.jsonl")
      try expectLarder("import", nested, "--into", store, "--class", "B", "--write")
      #expect(try properties(store, "BAt") == ["long_itude", "field2"])
    }
  }

  @Test("A name that was given and that nothing could use is refused, with one that could be")
  func refusals() throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("s.larder")
      let csv = try directory.write("a\n1\n", to: "a.csv")
      for name in ["a b", "../evil", "Object", "9x"] {
        try expectFailure("import", csv, "--into", store, "--class", name, words: "cannot be the name of a class")
      }
      try expectFailure(
        "import", csv, "--into", store, "--class", "A", "--rename", "a=my col",
        words: "cannot be the name of a property",
        "--rename 'a=my_col'")
      #expect(!FileManager.default.fileExists(atPath: store))
      let unclear = try directory.write("id;name\n1\n", to: "c.csv")
      try expectFailure("import", unclear, "--into", store, "--class", "A", words: "say --separator ';'")
      let semicolons = try directory.write("id;name\n1;x\n", to: "b.csv")
      try expectLarder("import", semicolons, "--into", store, "--class", "A", "--separator", ";")
      #expect(try properties(store, "A") == ["id", "name"])
    }
  }

  @Test("Values of several types make a property of any type, and large whole numbers are reported")
  func types() throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("s.larder")
      let mixed = try directory.write("{\"n\": 5}\n{\"n\": \"x\"}\n{\"n\": null}\n{\"n\": 1.5}\n", to: "a.jsonl")
      let result = try larder("import", mixed, "--into", store, "--class", "A")
      #expect(result.status == 0 && result.errors.contains("'n' holds values of several types"), "\(result)")
      #expect(try column(store, "A", "n") == [.int(5), .string("x"), .null, .double(1.5)])
      let large = try directory.write("n\n1\n99999999999999999999\n", to: "b.csv")
      let told = try larder("import", large, "--into", store, "--class", "B", "--write")
      #expect(told.status == 0 && told.errors.contains("so it is decimal128"), "\(told)")
      try expectLarder("import", large, "--into", store, "--class", "C", "--write", "--type", "n=decimal128")
      #expect(try expectLarder("query", store, "C", "--format", "csv") == "n\n1\n99999999999999999999\n")
      let plain = try directory.write("n,m\n1,1.5\n2,2\n", to: "d.csv")
      #expect(try larder("import", plain, "--into", store, "--class", "D", "--write").errors.isEmpty)
    }
  }

  @Test("Properties come in the order of the file, whatever flags say of some")
  func order() throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("s.larder")
      let csv = try directory.write("a,b,c,d,e\n1,2,3,4,5\n", to: "a.csv")
      try expectLarder(
        "import", csv, "--into", store, "--class", "A", "--type", "b=string", "--rename", "a=first", "--embed",
        "at=At:c,d")
      #expect(try properties(store, "A") == ["first", "b", "at", "e"])
    }
  }

  @Test("schema writes Swift that compiles for stores with other names than Swift's")
  func swiftNames() throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("s.larder")
      do {
        let writer = try StoreAccess.open(writing: store).beginWrite()
        try writer.apply(
          [
            ClassDeclaration(
              name: "a b",
              columns: [
                ColumnDeclaration(name: "my \"col\"", type: .int), ColumnDeclaration(name: "class", type: .string),
                ColumnDeclaration(name: "to", type: .link, isOptional: true, target: "Object"),
              ]), ClassDeclaration(name: "Object", columns: [ColumnDeclaration(name: "my_col", type: .int)]),
          ], schemaVersion: 1)
        try writer.commit()
      }
      let swift = try expectLarder("schema", store)
      for line in [
        "class a_b: Object {", "  @Persisted var my_col: Int", "  @Persisted var `class`: String",
        "  @Persisted var to: Object_?", "  override class func _realmObjectName() -> String? { \"a b\" }",
        "  override class func propertiesMapping() -> [String: String] { [\"my_col\": \"my \\\"col\\\"\"] }",
        "class Object_: Object {", "  override class func _realmObjectName() -> String? { \"Object\" }",
      ] { #expect(swift.contains(line + "\n"), "\(line) in\n\(swift)") }
    }
  }
}
