import Foundation
import Larder
import LarderExchange
import LarderInspection
import LarderStorage
import TestSupport
import Testing

private final class Town: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var land: Land?
  @Persisted var plain: Plain?
  @Persisted var twins: List<Town>
  @Persisted var any: AnyRealmValue
  @Persisted var sister: Town?
}

private final class Land: Object {
  @Persisted(primaryKey: true) var code: String
}

private final class Plain: Object {
  @Persisted var text: String
}

/// One JSON form of values, and one notation of objects, in every verb.
@Suite struct NotationTests {
  private func store(_ directory: TemporaryDirectory, _ name: String = "s.larder") throws -> String {
    let path = directory.file(name)
    let types = [Town.self, Land.self, Plain.self]
    let realm = try Realm(configuration: .init(fileURL: URL(fileURLWithPath: path), objectTypes: types))
    try realm.write {
      let (land, plain) = (Land(), Plain())
      land.code = "New York"
      plain.text = "p"
      realm.add(land)
      realm.add(plain)
      let towns = (1...3).map { id in
        let town = Town()
        (town.id, town.name) = (id, "town \(id)")
        realm.add(town)
        return town
      }
      (towns[0].land, towns[0].plain, towns[0].sister) = (land, plain, towns[1])
      towns[0].twins.append(objectsIn: [towns[1], towns[2]])
      let list = List<AnyRealmValue>()
      list.append(objectsIn: [.int(1), .string("x"), .none])
      towns[0].any = .list(list)
      towns[1].any = .object(land)
      towns[2].any = .object(plain)
    }
    return path
  }

  private func object(_ text: String) throws -> NSDictionary {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary, "\(text)")
  }

  @Test("F-71: links have the type of the primary key, and lists in values of any type are arrays, in every verb")
  func oneForm() throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      let town =
        [
          "id": 1, "name": "town 1", "land": "New York", "plain": "#0", "twins": [2, 3], "any": [1, "x", NSNull()],
          "sister": 2,
        ] as NSDictionary
      let queried = try expectLarder("query", store, "Town", "id == 1", "--json")
      #expect(try object(queried) == town, "\(queried)")
      let inspected = try expectLarder("inspect", store, "Town", "1", "--json", "--depth", "0")
      #expect(inspected == queried)
      let deleted = try object(try expectLarder("edit", store, "Town", "1", "--delete", "--json"))
      #expect(deleted["deleted"] as? NSDictionary == town)
      let others = try expectLarder("query", store, "Town", "id > 1", "--json", "--properties", "any")
      #expect(others == "{\"any\": {\"link\": [\"Land\", \"New York\"]}}\n{\"any\": {\"link\": [\"Plain\", \"#0\"]}}\n")
      // As export has it.
      let exported = try expectLarder("export", store, "--class", "Town", "--format", "jsonl").split(separator: "\n")[0]
      let line = try object(String(exported))
      #expect(
        line["sister"] as? Int == 2 && line["twins"] as? [Int] == [2, 3] && line["land"] as? String == "New York")
      let steps = try object(
        try expectLarder("edit", store, "Town", "1", "--set", "sister=3", "--set", "twins=[2]", "--json"))
      let changes = try #require(steps["changes"] as? [NSDictionary])
      #expect(changes[0] == ["property": "sister", "old": 2, "new": 3] as NSDictionary, "\(changes)")
      #expect(changes[1] == ["property": "twins", "old": [2, 3], "new": [2]] as NSDictionary, "\(changes)")
    }
  }

  @Test("F-71: an object has one name in every verb: its primary key, or # and its object key")
  func oneName() throws {
    try withTemporaryDirectory { directory in
      let (store, other) = (try store(directory), directory.file("t.larder"))
      try expectLarder("backup", store, other)
      let inspected = try expectLarder("inspect", store, "Town", "1", "--depth", "0")
      #expect(inspected.hasPrefix("Town 1\n"), "\(inspected)")
      for line in [
        "  sister  → Town 2", "  land    → Land \"New York\"", "  plain   → Plain #0", "    [0] → Town 2",
        "  any     3 elements",
      ] {
        #expect(inspected.contains(line + "\n"), "\(line) in\n\(inspected)")
      }
      #expect(
        try expectLarder("inspect", store, "Town", "2", "--depth", "0").contains(
          "  ← Town.sister  1 object\n    [0] ← Town 1\n"))
      let table = try expectLarder("query", store, "Town", "id < 3", "--properties", "id,land,plain,sister,any")
      #expect(table.contains("\n 1  \"New York\"  #0     2       (3) 1, x, nil\n"), "\(table)")
      #expect(table.contains("Land \"New York\"\n") && !table.contains("#  "), "\(table)")
      #expect(try expectLarder("query", store, "Plain").hasPrefix("#  text\n"))
      try expectLarder("edit", other, "Town", "2", "--set", "name=x", "--write")
      try expectLarder("edit", other, "Plain", "--key", "0", "--set", "text=y", "--write")
      try expectLarder("edit", other, "Land", "New York", "--delete", "--write")
      let compared = try larder("diff", store, other).output
      for line in ["~ Town 2\n", "~ Plain #0\n", "- Land \"New York\"  code"] {
        #expect(compared.contains(line), "\(line) in\n\(compared)")
      }
      let lines = try larder("diff", store, other, "--json").output.split(separator: "\n").map {
        try object(String($0))
      }
      #expect(lines.contains { $0["object"] as? Int == 2 && $0["class"] as? String == "Town" }, "\(lines)")
      #expect(lines.contains { $0["object"] as? String == "#0" }, "\(lines)")
      let made = try expectLarder("edit", other, "Land", "Old Town", "--create", "--write")
      #expect(made.hasSuffix("; Land \"Old Town\"\n"), "\(made)")
      let versions = try larder("diff", other, "--from", "2").output
      #expect(versions.contains("~ Town 2\n") && versions.contains("~ Plain #0\n"), "\(versions)")
      let schema = try directory.write("{\"classes\": {}, \"delete\": [\"Town\"]}", to: "schema.json")
      let migrated = try expectLarder("migrate", store, schema, "--dry-run")
      #expect(migrated.contains("  Town 1\n"), "\(migrated)")
    }
  }

  @Test("F-71: differences that the shown form hides are shown with their types")
  func typesThatDiffer() throws {
    try withTemporaryDirectory { directory in
      let (store, other) = (try store(directory), directory.file("t.larder"))
      try expectLarder("backup", store, other)
      for (path, value) in [(store, StoredValue.string("2")), (other, .list([]))] {
        let writer = try StoreAccess.open(writing: path).beginWrite()
        let entry = try StoreAccess.entry(named: "Town", in: writer.schema)
        let column = try #require(entry.column(named: "any"))
        try writer.set(entry.id, column.id, ObjectKey(rawValue: 1), path == store ? .float(0.5) : .double(0.5))
        try writer.set(entry.id, column.id, ObjectKey(rawValue: 2), value)
        try writer.commit()
      }
      let compared = try larder("diff", store, other).output
      #expect(compared.contains("    any  {\"float\": 0.5} → {\"double\": 0.5}\n"), "\(compared)")
      #expect(compared.contains("    any  \"2\" → []\n"), "\(compared)")
    }
  }
}
