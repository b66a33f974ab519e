import Foundation
import Larder
import TestSupport
import Testing

private final class Seat: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var hall: String
  @Persisted var row: Int
  @Persisted(indexed: true) var price: Int
  @Persisted var guest: Guest?
  @Persisted var any: AnyRealmValue

  override class var uniqueKeys: [[AnyKeyPath]] { [[\Seat.hall, \Seat.row]] }
  override class var compositeIndexes: [[AnyKeyPath]] { [[\Seat.row, \Seat.price]] }
}

private final class Guest: Object {
  @Persisted var name: String
  @Persisted var friends: List<Guest>
  @Persisted var seat: Seat?
}

/// The tool's listings of indexes, keys and links.
@Suite struct IndexListingTests {
  /// A store of sixteen seats and three guests.
  private func store(_ directory: TemporaryDirectory) throws -> String {
    let path = directory.file("seats.larder")
    let realm = try Realm(
      configuration: .init(fileURL: URL(fileURLWithPath: path), objectTypes: [Seat.self, Guest.self]))
    try realm.write {
      let guests = ["Ada", "Bo", "Cy"].map { name in
        let guest = Guest()
        guest.name = name
        realm.add(guest)
        return guest
      }
      for id in 0..<16 {
        let seat = Seat()
        (seat.id, seat.hall, seat.row, seat.price) = (id, "A", id, id % 4)
        seat.guest = id < 2 ? guests[id] : nil
        seat.any = id == 2 ? .object(guests[0]) : .none
        realm.add(seat)
      }
      guests[1].friends.append(objectsIn: [guests[0], guests[0]])
      guests[0].seat = realm.object(ofType: Seat.self, forPrimaryKey: 1)
    }
    return path
  }

  private func parsed(_ text: String) throws -> Any { try JSONSerialization.jsonObject(with: Data(text.utf8)) }

  @Test("F-76: info and classes show unique indexes and those over several properties")
  func indexes() throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      for verb in ["classes", "info"] {
        let text = try expectLarder(verb, store)
        #expect(text.contains("  unique (hall, row)\n") && text.contains("  index (row, price)\n"), "\(text)")
      }
      let wanted = [
        ["properties": ["hall", "row"], "unique": true] as NSDictionary,
        ["properties": ["row", "price"], "unique": false] as NSDictionary,
      ]
      let classes = try #require(try parsed(try expectLarder("classes", store, "Seat", "--json")) as? [[String: Any]])
      #expect(classes[0]["indexes"] as? [NSDictionary] == wanted, "\(classes)")
      let info = try #require(try parsed(try expectLarder("info", store, "--json")) as? [String: Any])
      let seat = (info["classes"] as? [[String: Any]])?.first { $0["name"] as? String == "Seat" }
      #expect(seat?["indexes"] as? [NSDictionary] == wanted, "\(info)")
      #expect(try expectLarder("info", store).contains("int indexed"))
    }
  }

  @Test("F-76: inspect marks the primary key, and names the objects that link to the object")
  func incomingLinks() throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      let seat = try expectLarder("inspect", store, "Seat", "1")
      #expect(seat.hasPrefix("Seat 1\n  id     1  primary key\n"), "\(seat)")
      #expect(seat.hasSuffix("\n  ← Guest.seat  1 object\n    [0] ← Guest #0\n"), "\(seat)")
      let guest = try expectLarder("inspect", store, "Guest", "--key", "0", "--depth", "0")
      #expect(guest.hasPrefix("Guest #0\n"), "\(guest)")
      // Two links of one list are one object; a value of any type links, too.
      #expect(guest.contains("\n  ← Guest.friends  1 object\n    [0] ← Guest #1\n"), "\(guest)")
      #expect(guest.contains("\n  ← Seat.guest  1 object\n    [0] ← Seat 0\n"), "\(guest)")
      #expect(guest.hasSuffix("\n  ← Seat.any  1 object\n    [0] ← Seat 2\n"), "\(guest)")
      let few = try expectLarder("inspect", store, "Guest", "--key", "0", "--list-limit", "0")
      #expect(few.contains("  ← Seat.guest  1 object\n    … 1 more (--list-limit shows them)\n"), "\(few)")
      let json = try expectLarder("inspect", store, "Guest", "--key", "0", "--json", "--incoming-links")
      let both = try #require(try parsed(json) as? [String: Any])
      #expect((both["object"] as? [String: Any])?["name"] as? String == "Ada")
      let links = try #require(both["incomingLinks"] as? [[String: Any]])
      #expect(links.map { $0["property"] as? String } == ["guest", "friends", "any"], "\(links)")
      #expect(links[0]["objects"] as? [Int] == [0] && links[1]["objects"] as? [String] == ["#1"], "\(links)")
      #expect(try !expectLarder("inspect", store, "Seat", "5").contains("←"))
    }
  }

  @Test(
    "F-76: advise proposes no index for a class of a few objects, and says why",
    .notUnder(.rowByRow, "it looks at plans"))
  func smallClasses() throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      let text = try expectLarder("advise", store, "Guest", "name == 'B'")
      #expect(
        text == "No index would help this query: Guest has 3 objects, and below 100 a scan is as fast as an index.\n")
      #expect(
        try expectLarder("advise", store, "Guest", "name == 'B'", "--json") == "{\"queries\": 1, \"indexes\": []}\n")
      #expect(try expectLarder("advise", store, "Seat", "id == 1") == "No index would help this query.\n")
      let rows = (0..<100).map { "\($0)\n" }.joined()
      let many = directory.file("many.larder")
      try expectLarder("import", try directory.write("n\n" + rows, to: "a.csv"), "--into", many, "--class", "A")
      #expect(try expectLarder("advise", many, "A", "n == 5").hasPrefix("index A.n: 1 objects looked at"))
    }
  }

  @Test("F-76: what export writes of one class as CSV is read again with the names of its columns")
  func numberedRows() throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      let csv = directory.file("guests.csv")
      try expectLarder("export", store, "--class", "Guest", "--into", csv)
      #expect(try String(contentsOfFile: csv, encoding: .utf8).hasPrefix("#,name,"))
      let copy = directory.file("copy.larder")
      let told = try larder("import", csv, "--into", copy, "--class", "Guest")
      #expect(told.status == 0 && (told.output + told.errors).contains("\"#\" numbers the rows"), "\(told)")
      #expect(try column(copy, "Guest", "name") == [.string("Ada"), .string("Bo"), .string("Cy")])
      let classes = try expectLarder("classes", copy)
      #expect(!classes.contains("field1") && !classes.contains("#"), "\(classes)")
      // A column of that name that holds something else is one of the file, and so is one that is asked for.
      let other = try directory.write("#,name\nx,y\n", to: "b.csv")
      try expectLarder("import", other, "--into", copy, "--class", "B", "--write")
      #expect(try expectLarder("classes", copy, "B").contains("  field1  string\n"))
      try expectLarder("import", csv, "--into", copy, "--class", "C", "--rename", "#=row", "--write")
      #expect(try column(copy, "C", "row") == [.int(0), .int(1), .int(2)])
    }
  }

  @Test("F-76: a key file that others can read is warned of on standard error, once, and works")
  func keyFiles() throws {
    try withTemporaryDirectory { directory in
      let key = try directory.write(String(repeating: "ab", count: 64), to: "store.key")
      let store = directory.file("secret.larder")
      let csv = try directory.write("n\n1\n", to: "a.csv")
      func mode(_ mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: key)
      }
      try mode(0o600)
      let made = try larder("import", csv, "--into", store, "--class", "A", "--key-file", key)
      #expect(made.status == 0 && made.errors.isEmpty, "\(made)")
      for (bits, text) in [(0o640, "640"), (0o604, "604"), (0o644, "644")] {
        try mode(bits)
        let asked = try larder("query", store, "A", "--count", "--key-file", key)
        #expect(asked.status == 0 && asked.output == "1\n", "\(asked)")
        #expect(asked.errors.hasPrefix("larder: warning: ") && asked.errors.contains("mode \(text)"), "\(asked)")
        #expect(asked.errors.split(separator: "\n").count == 1, "\(asked)")
      }
      let asked = try larder("query", store, "A", "--count", "--key-file", key, "--json")
      let warning = try #require(try parsed(asked.errors) as? [String: [String: String]])
      #expect(warning["warning"]?["path"] == key && asked.output == "{\"count\": 1}\n", "\(asked)")
    }
  }
}
