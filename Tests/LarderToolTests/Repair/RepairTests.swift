import Foundation
import LarderExchange
import LarderInspection
import LarderStorage
import TestSupport
import Testing

/// Checks that repair saves what is not damaged, and reports what is lost.
@Suite struct RepairTests {
  @Test func aSoundStoreIsCopiedWhole() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let copy = directory.file("copy.larder")
      let json = try expectLarder("repair", store, "--into", copy, "--json")
      #expect(json.contains("\"lostObjects\": {}") && json.contains("\"problems\": []"), "\(json)")
      #expect(try expectLarder("diff", store, copy) == "")
      #expect(try expectLarder("dump", store) == expectLarder("dump", copy))
      try expectLarder("check", copy, "--deep", "--quiet")
      try expectFailure("repair", store, "--into", copy, words: "there already")
    }
  }

  @Test(.notUnder(.smallClusters, "a leaf holds fewer values then"))
  func ofADamagedLeafOnlyItsValuesAreLost() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let damaged = try Self.changing("Liechtenstein", of: store, to: directory.file("damaged.larder"))
      #expect(try larder("check", damaged).status == 1)
      let copy = directory.file("saved.larder")
      let result = try larder("repair", damaged, "--into", copy)
      #expect(result.status == 1 && result.output.contains("lost: 252 values of Country.name\n"), "\(result)")
      #expect(result.output.contains("met: "), "\(result.output)")
      try expectLarder("check", copy, "--deep", "--quiet")
      #expect(try counted(copy, "Country").count == 252)
      // Every other property is as it was.
      let difference = StoreDifference(
        from: try StoreAccess.open(reading: store).snapshot(), to: try StoreAccess.open(reading: copy).snapshot())
      for name in difference.classNames {
        try difference.run(className: name) { change in
          #expect(change.name.className == "Country" && change.kind == .modified, "\(change)")
          #expect(change.values.map(\.property) == ["name"], "\(change)")
        }
      }
      #expect(try column(copy, "Country", "name").allSatisfy { $0 == .string("") })
    }
  }

  @Test func withoutItsPrimaryKeyAnObjectIsLostAndSoAreTheLinksToIt() throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("a.larder")
      let writer = try StoreAccess.open(writing: store).beginWrite()
      let name = ColumnDeclaration(name: "name", type: .string, isPrimaryKey: true)
      let to = ColumnDeclaration(name: "to", type: .link, target: "A")
      try writer.apply(
        [
          ClassDeclaration(name: "A", columns: [name]), ClassDeclaration(name: "B", columns: [to]),
        ], schemaVersion: 0)
      let (a, b) = (try #require(writer.schema["A"]), try #require(writer.schema["B"]))
      let target = try writer.create(a.id, primaryKey: .string("ThePrimaryKeyOfA"))
      try writer.set(b.id, try #require(b.column(named: "to")).id, try writer.create(b.id), .link(target))
      _ = try writer.commit()
      let damaged = try Self.changing("ThePrimaryKeyOfA", of: store, to: directory.file("damaged.larder"))
      let copy = directory.file("saved.larder")
      let result = try larder("repair", damaged, "--into", copy)
      #expect(result.output.contains("lost: 1 objects of A\n"), "\(result.output)")
      #expect(result.output.contains("lost: 1 links of B.to, whose objects are lost\n"), "\(result.output)")
      #expect(try counted(copy, "A").count == 0 && counted(copy, "B").count == 1)
      try expectLarder("check", copy, "--quiet")
    }
  }

  /// A copy of a store in which a text has another bit wherever it stands.
  private static func changing(_ text: String, of store: String, to path: String) throws -> String {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: store))
    let needle = Data(text.utf8)
    var start = bytes.startIndex
    var changes = 0
    while let found = bytes.range(of: needle, in: start..<bytes.endIndex) {
      bytes[found.lowerBound] ^= 1
      start = found.upperBound
      changes += 1
    }
    #expect(changes > 0)
    try bytes.write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test("Whatever bit is turned, repair ends with a store that is sound or with an error")
  func turnedBits() throws {
    var random = SeededRandom.forTest()
    try withTemporaryDirectory { directory in
      let whole = try Data(contentsOf: URL(fileURLWithPath: try importCountries(directory)))
      for round in 0..<12 {
        var bytes = whole
        for _ in 0..<random.int(1...4) {
          let place = bytes.startIndex + random.int(0..<bytes.count)
          bytes[place] ^= 1 << UInt8(random.int(0...7))
        }
        let (damaged, copy) = (directory.file("\(round).larder"), directory.file("\(round)-copy.larder"))
        try bytes.write(to: URL(fileURLWithPath: damaged))
        let result = try larder("repair", damaged, "--into", copy)
        #expect([0, 1, 3].contains(result.status), "round \(round): \(result)")
        if FileManager.default.fileExists(atPath: copy) { try expectLarder("check", copy, "--deep", "--quiet") }
      }
    }
  }
}
