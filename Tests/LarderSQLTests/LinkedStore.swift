import Foundation
import LarderExchange
import LarderStorage
import TestSupport
import Testing

@testable import LarderSQL

/// A store whose objects link to classes with primary keys of each type, to one without and to one whose primary key may be nil, and its export.
struct LinkedStore {
  let temporary: TemporaryStore
  /// Texts of the primary keys of `Land`, `Maker` and `Badge`, and of some that there are not.
  private(set) var texts: [String: [String]] = [:]

  init() throws {
    temporary = try TemporaryStore(clusterSize: 16)
    try temporary.write { writer in
      func key(_ type: ColumnType) -> ColumnDeclaration {
        ColumnDeclaration(name: "id", type: type, isPrimaryKey: true)
      }
      func link(_ name: String, _ target: String, _ collection: CollectionKind = .none) -> ColumnDeclaration {
        ColumnDeclaration(name: name, type: .link, collection: collection, target: target)
      }
      let size = ColumnDeclaration(name: "size", type: .int)
      try writer.apply(
        [
          ClassDeclaration(name: "Land", columns: [key(.string), size]),
          ClassDeclaration(name: "Maker", columns: [key(.uuid), size]),
          ClassDeclaration(name: "Badge", columns: [key(.objectId), size, link("land", "Land")]),
          ClassDeclaration(name: "Street", columns: [size]),
          ClassDeclaration(
            name: "Label",
            columns: [ColumnDeclaration(name: "id", type: .string, isOptional: true, isPrimaryKey: true), size]),
          ClassDeclaration(
            name: "Home", isEmbedded: true,
            columns: [link("land", "Land"), link("street", "Street"), link("lands", "Land", .list)]),
          ClassDeclaration(
            name: "Person",
            columns: [
              key(.int), size, link("land", "Land"), link("maker", "Maker"), link("badge", "Badge"),
              link("street", "Street"), link("label", "Label"), link("friend", "Person"), link("home", "Home"),
              link("homes", "Home", .list),
              link("lands", "Land", .list), link("makers", "Maker", .set), link("friends", "Person", .map),
              link("streets", "Street", .list), ColumnDeclaration(name: "any", type: .mixed),
              ColumnDeclaration(name: "all", type: .mixed, collection: .list),
            ]),
        ], schemaVersion: 1)
    }
  }

  /// Adds objects, some of which are deleted again after others were linked to them.
  mutating func fill(_ random: inout SeededRandom) throws {
    var texts: [String: [String]] = [:]
    try temporary.write { writer in
      func id(_ owner: String, _ name: String) throws -> (ClassID, ColumnID) {
        let entry = try #require(writer.schema[owner])
        return (entry.id, try #require(entry.column(named: name)).id)
      }
      func set(_ owner: String, _ name: String, _ key: ObjectKey, _ value: StoredValue) throws {
        let (classID, column) = try id(owner, name)
        try writer.set(classID, column, key, value)
      }
      var targets: [String: [ObjectKey]] = [:]
      func add(_ owner: String, _ primaryKey: StoredValue?) throws -> ObjectKey {
        let entry = try #require(writer.schema[owner])
        let made =
          if let primaryKey { try writer.create(entry.id, primaryKey: primaryKey) } else { try writer.create(entry.id) }
        try set(owner, "size", made, .int(Int64(random.int(0...4))))
        targets[owner, default: []].append(made)
        if let primaryKey { texts[owner, default: []].append(ValueText.plain(primaryKey) ?? "") }
        return made
      }
      func pick(_ owner: String) -> ObjectKey? { random.oneIn(5) ? nil : targets[owner].map { random.pick($0) } }
      func link(_ owner: String, _ name: String, _ key: ObjectKey, _ target: String) throws {
        try set(owner, name, key, pick(target).map { StoredValue.link($0) } ?? .null)
      }
      for code in ["", "A", "a", "ab", "é", "10", "1e1", "_%", "zz"] { _ = try add("Land", .string(code)) }
      for _ in 0..<8 { _ = try add("Maker", random.value(.uuid)) }
      for _ in 0..<8 {
        let badge = try add("Badge", random.value(.objectId))
        try link("Badge", "land", badge, "Land")
      }
      for _ in 0..<8 { _ = try add("Street", nil) }
      for name in [nil, "a", "b", "0"] { _ = try add("Label", name.map { StoredValue.string($0) } ?? StoredValue.null) }
      for number in 0..<150 {
        let person = try add("Person", .int(Int64(number * 3 - 30)))
        for (name, target) in [
          ("land", "Land"), ("maker", "Maker"), ("badge", "Badge"), ("street", "Street"), ("label", "Label"),
          ("friend", "Person"),
        ] { try link("Person", name, person, target) }
        func addHome(_ home: ObjectKey) throws {
          try link("Home", "land", home, "Land")
          try link("Home", "street", home, "Street")
          let (homeID, lands) = try id("Home", "lands")
          let links = [pick("Land"), pick("Land")].compactMap { $0 }.map { StoredValue.link($0) }
          try writer.lists.insert(homeID, lands, home, at: 0, links)
        }
        let personID = try #require(writer.schema["Person"]?.id)
        if random.oneIn(2) { try addHome(try writer.createEmbedded(in: personID, try id("Person", "home").1, person)) }
        for place in 0..<random.int(0...2) {
          try addHome(try writer.insertEmbedded(in: personID, try id("Person", "homes").1, person, at: place))
        }
        for (name, target) in [("lands", "Land"), ("streets", "Street")] {
          let links = (0..<random.int(0...3)).compactMap { _ in pick(target) }.map { StoredValue.link($0) }
          try writer.lists.insert(personID, try id("Person", name).1, person, at: 0, links)
        }
        let makers = (0..<random.int(0...2)).compactMap { _ in pick("Maker") }.map { StoredValue.link($0) }
        try writer.sets.insert(personID, try id("Person", "makers").1, person, makers)
        let friends = (0..<random.int(0...2)).map { ("f\($0)", pick("Person").map { StoredValue.link($0) } ?? .null) }
        try writer.maps.put(personID, try id("Person", "friends").1, person, friends)
        func anyLink() throws -> StoredValue {
          let owner = random.pick(["Land", "Maker", "Badge", "Street", "Label", "Person"])
          let classID = try #require(writer.schema[owner]?.id)
          return pick(owner).map { StoredValue.object(ObjectLink(classID: classID, key: $0)) } ?? .null
        }
        let values = [try anyLink(), try anyLink(), StoredValue.list(StoredList([try anyLink(), .int(3)]))]
        try set("Person", "any", person, random.pick(values))
        try writer.lists.insert(personID, try id("Person", "all").1, person, at: 0, values)
      }
      // Links to these are nil from now on. Those that links show the number of are the last of their class: an export counts objects.
      func delete(_ owner: String, _ key: ObjectKey?) throws {
        if let key { try writer.delete(try #require(writer.schema[owner]?.id), key) }
      }
      for owner in ["Land", "Maker", "Badge"] { try delete(owner, targets[owner]?[3]) }
      for owner in ["Street", "Label"] { try delete(owner, targets[owner]?.last) }
      for place in [5, 40, 41] { try delete("Person", targets["Person"]?[place]) }
    }
    self.texts = texts
  }

  /// The store as `export` writes it.
  func export() throws -> SQLiteOracle {
    let path = temporary.directory.file("\(UUID().uuidString).sqlite")
    _ = try SQLiteExport(try temporary.snapshot).write(to: path) { _ in }
    return try SQLiteOracle(path)
  }
}
