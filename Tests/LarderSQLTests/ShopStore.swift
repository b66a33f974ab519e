import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import LarderSQL

/// A store with a property of each kind, filled at random, and the same rows in tables of SQLite's own.
struct ShopStore {
  let temporary: TemporaryStore

  init() throws {
    temporary = try TemporaryStore(clusterSize: 16)
    try temporary.write { writer in
      try writer.apply(
        [
          ClassDeclaration(
            name: "Item",
            columns: [
              ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
              ColumnDeclaration(name: "name", type: .string, isOptional: true, isIndexed: true),
              ColumnDeclaration(name: "count", type: .int, isOptional: true),
              ColumnDeclaration(name: "price", type: .double, isOptional: true),
              ColumnDeclaration(name: "weight", type: .float), ColumnDeclaration(name: "sold", type: .bool),
              ColumnDeclaration(name: "day", type: .date, isOptional: true),
              ColumnDeclaration(name: "picture", type: .data, isOptional: true),
              ColumnDeclaration(name: "shop", type: .link, target: "Shop"),
              ColumnDeclaration(name: "box", type: .link, target: "Box"),
              ColumnDeclaration(name: "any", type: .mixed),
              ColumnDeclaration(name: "tags", type: .string, collection: .list),
              ColumnDeclaration(name: "parts", type: .link, collection: .list, target: "Part"),
            ]),
          ClassDeclaration(
            name: "Shop",
            columns: [ColumnDeclaration(name: "town", type: .string), ColumnDeclaration(name: "size", type: .int)]),
          ClassDeclaration(
            name: "Box", isEmbedded: true,
            columns: [
              ColumnDeclaration(name: "width", type: .int), ColumnDeclaration(name: "color", type: .string),
              ColumnDeclaration(name: "notes", type: .string, collection: .set),
            ]),
          ClassDeclaration(
            name: "Part", isEmbedded: true,
            columns: [
              ColumnDeclaration(name: "size", type: .int),
              ColumnDeclaration(name: "marks", type: .int, collection: .map, isOptional: true),
              // A box in a part, with notes of its own.
              ColumnDeclaration(name: "box", type: .link, target: "Box"),
            ]),
        ], schemaVersion: 1)
    }
  }

  /// Adds objects, some of which are deleted again.
  func fill(_ random: inout SeededRandom, count: Int = 200) throws {
    try temporary.write { writer in
      func id(_ owner: String, _ name: String) throws -> (ClassID, ColumnID) {
        let entry = try #require(writer.schema[owner])
        return (entry.id, try #require(entry.column(named: name)).id)
      }
      func set(_ owner: String, _ name: String, _ key: ObjectKey, _ value: StoredValue) throws {
        let (classID, column) = try id(owner, name)
        try writer.set(classID, column, key, value)
      }
      let shopID = try #require(writer.schema["Shop"]?.id)
      let itemID = try #require(writer.schema["Item"]?.id)
      let boxID = try #require(writer.schema["Box"]?.id)
      let shops = try (0..<5).map { number in
        let key = try writer.create(shopID)
        try set("Shop", "town", key, .string("town\(number % 3)"))
        try set("Shop", "size", key, .int(Int64(number)))
        return key
      }
      for number in 0..<count {
        let key = try writer.create(itemID, primaryKey: .int(Int64(number * 3)))
        func maybe(_ value: StoredValue) -> StoredValue { random.oneIn(6) ? .null : value }
        try set("Item", "name", key, maybe(.string(random.pick(["a", "A", "ab", "abc", "b", "é", "", "_%", "Ab*"]))))
        try set("Item", "count", key, maybe(.int(Int64(random.int(-5...5)))))
        try set("Item", "price", key, maybe(.double(random.pick([0, -0.0, 1.5, .nan, .infinity, -2, 7]))))
        try set("Item", "weight", key, .float(random.pick([0, 0.5, 0.1, .nan, -3])))
        try set("Item", "sold", key, .bool(random.oneIn(2)))
        let seconds = 1_356_998_400 + Int64(random.int(0...3)) * 43_200
        try set(
          "Item", "day", key, maybe(.date(Timestamp(seconds: seconds, nanoseconds: random.pick([0, 0, 500_000_000])))))
        try set("Item", "picture", key, maybe(.data(Data(random.bytes(count: random.int(0...3))))))
        try set("Item", "shop", key, maybe(.link(random.pick(shops))))
        try set(
          "Item", "any", key, random.pick([.null, .int(3), .double(.nan), .string("x"), .list(StoredList([.int(1)]))]))
        func addBox(_ owner: String, _ key: ObjectKey) throws {
          guard !random.oneIn(3) else { return }
          let (ownerID, column) = try id(owner, "box")
          let box = try writer.createEmbedded(in: ownerID, column, key)
          try set("Box", "width", box, .int(Int64(random.int(0...3))))
          try set("Box", "color", box, .string(random.pick(["red", "blue"])))
          let notes = (0..<random.int(0...2)).map { _ in StoredValue.string(random.pick(["n", "o", "p"])) }
          try writer.sets.insert(boxID, try id("Box", "notes").1, box, notes)
        }
        try addBox("Item", key)
        let (_, parts) = try id("Item", "parts")
        for position in 0..<random.int(0...2) {
          let part = try writer.insertEmbedded(in: itemID, parts, key, at: position)
          try set("Part", "size", part, .int(Int64(random.int(0...9))))
          let marks = (0..<random.int(0...2)).map { ("m\($0)", maybe(.int(Int64($0)))) }
          let (partID, column) = try id("Part", "marks")
          try writer.maps.put(partID, column, part, marks)
          try addBox("Part", part)
        }
        let (_, tags) = try id("Item", "tags")
        for position in 0..<random.int(0...3) {
          try writer.lists.insert(itemID, tags, key, at: position, [.string(random.pick(["x", "y", "z"]))])
        }
        if random.oneIn(10) { try writer.delete(itemID, key) }
      }
      // Links to it are nil from now on.
      try writer.delete(shopID, shops[4])
    }
  }

  /// The same rows in tables of SQLite's own, read without conditions, with each object's key as the row's number.
  func oracle(_ database: SQLDatabase) throws -> SQLiteOracle {
    try SQLiteOracle(copying: database, try temporary.snapshot.schema)
  }
}
