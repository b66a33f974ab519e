import Foundation
import LarderExchange
import LarderInspection
import LarderStorage
import TestSupport
import Testing

/// The verbs that copy, compact and migrate stores.
@Suite struct StoreCommandTests {
  @Test("U-23 backup copies a store that is in use, and overwrites nothing") func backup() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let copy = directory.file("copy.larder")
      let open = try StoreAccess.open(writing: store)
      let writer = try open.beginWrite()
      defer { writer.cancel() }
      try expectLarder("backup", store, copy)
      #expect(try expectLarder("check", copy, "--deep").contains("sound"))
      #expect(try counted(copy, "Country").count == 252)
      #expect(try counted(copy, "Country").version == open.snapshot().version)
      try expectFailure("backup", store, copy, words: "already exists")
      try expectFailure("backup", directory.file("no.larder"), directory.file("b"), words: "no store")
      try expectFailure("backup", store, directory.file("no/where"), words: "folder")
    }
  }

  @Test("M-94 compact gives space back in place, or into a new file while the store is in use") func compact() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      do {
        let open = try StoreAccess.open(writing: store)
        let writer = try open.beginWrite()
        let country = try StoreAccess.entry(named: "Country", in: writer.schema)
        try writer.deleteAll(country.id)
        try writer.commit()
        try expectFailure("compact", store, "--write", words: "is in use", "--into")
        let json = try expectLarder("compact", store, "--into", directory.file("small.larder"), "--json")
        let sizes = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect((sizes["bytesAfter"] as? Int ?? .max) < (sizes["bytesBefore"] as? Int ?? 0))
      }
      let version = try counted(store, "Country").version
      #expect(try expectLarder("compact", store, "--write").contains(" before, "))
      #expect(try expectLarder("check", store, "--deep").contains("sound"))
      let after = try counted(store, "Country")
      #expect(after.count == 0 && after.version == version)
    }
  }

  @Test("larder schema --json is a schema file that changes nothing") func schemaRoundTrip() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let json = try expectLarder("schema", store, "--json")
      let file = try SchemaFile.parse(Array(json.utf8), name: "schema.json")
      let schema = try StoreAccess.open(reading: store).snapshot().schema
      #expect(file.classes == schema.classes.map { ClassDeclaration($0, in: schema) })
      #expect(file.schemaVersion == schema.schemaVersion)
      let path = directory.file("schema.json")
      try json.write(toFile: path, atomically: true, encoding: .utf8)
      #expect(try expectLarder("migrate", store, path, "--dry-run").hasPrefix("No differences."))
    }
  }

  @Test("larder schema writes model classes and a diagram") func schemaForms() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let swift = try expectLarder("schema", store)
      for line in [
        "class Country: Object {", "  @Persisted(primaryKey: true) var iso: String",
        "  @Persisted var continent: Continent?",
        "  @Persisted var neighbours: List<Country>", "class Location: EmbeddedObject {",
      ] {
        #expect(swift.contains(line + "\n"), "\(line) in\n\(swift)")
      }
      let diagram = try expectLarder("schema", store, "--mermaid")
      #expect(diagram.hasPrefix("classDiagram\n") && diagram.contains("  Country --> \"*\" Country : neighbours\n"))
      #expect(try larder("schema", store, "--json", "--swift").status == 2)
    }
  }

  @Test("U-12 migrate renames, converts and deletes by the rules of a file; a dry run lists what would be lost")
  func migrate() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let schema = directory.file("schema.json")
      let text = """
        {"schemaVersion": 9,
         "classes": {
           "Part": {"properties": {"code": "string primary", "title": "string indexed"}}},
         "rename": {"Continent": "Part", "Part.name": "title"},
         "delete": ["Country"]}
        """
      try text.write(toFile: schema, atomically: true, encoding: .utf8)
      let before = try counted(store, "Country")
      let continents = try column(store, "Continent", "name")
      let dry = try expectLarder("migrate", store, schema, "--dry-run")
      #expect(dry.contains("Class 'Continent' would be renamed to 'Part'."), "\(dry)")
      #expect(
        dry.contains("Would lose 252 objects of Country:\n  Country ") && dry.contains("\n  and 247 more\n"), "\(dry)"
      )
      #expect(dry.contains("nothing was changed"), "\(dry)")
      #expect(try counted(store, "Country") == before)
      let json = try expectLarder("migrate", store, schema, "--write", "--accept-loss", "--json")
      let report = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
      let lost = try #require((report["losses"] as? [[String: Any]])?.first { $0["class"] as? String == "Country" })
      #expect(report["newSchemaVersion"] as? Int == 9 && lost["count"] as? Int == 252)
      #expect((lost["examples"] as? [Any])?.count == 5 && lost["property"] is NSNull)
      #expect(try column(store, "Part", "title") == continents)
      #expect(try StoreAccess.open(reading: store).snapshot().schema["Country"] == nil)
      #expect(try expectLarder("check", store, "--deep").contains("sound"))
    }
  }

  @Test("A schema file with a fault is refused with its place, and the store stays as it is") func faults() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let schema = directory.file("schema.json")
      func expect(_ text: String, _ words: String, location: SourceLocation = #_sourceLocation) throws {
        try text.write(toFile: schema, atomically: true, encoding: .utf8)
        try expectFailure("migrate", store, schema, words: words, location: location)
      }
      try expect("{\"classes\": {\"A\": {\"properties\": {\"x\": \"strin g\"}}}}", "schema.json:1:")
      try expect("{\"klasses\": {}}", "Did you mean 'classes'?")
      try expect("{\"rename\": {\"Nobody\": \"Somebody\"}}", "no class 'Nobody'")
      try expect("{\"delete\": [\"Nothing\"]}", "no class 'Nothing'")
      try expectFailure("migrate", directory.file("no.larder"), schema, words: "no store")
      #expect(!FileManager.default.fileExists(atPath: directory.file("no.larder")))
      #expect(try counted(store, "Country").count == 252)
    }
  }
}
