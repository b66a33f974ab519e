import Foundation
import LarderStorage
import TestSupport
import Testing

/// A store in which every kind of place holds texts that say whether `change` deletes or overwrites them, or whether they are
/// kept.
struct DeletedTraces {
  let fixture: TemporaryStore

  /// A part of what stays, of each kind.
  static let kept = [
    "keptname1x", "kepttitle1x", "keptelement1x7y", "keptdeep1x", "keptlate1x", "KeptClass", "keptProperty",
  ]

  private static func declarations(_ extra: [ColumnDeclaration], _ classes: [ClassDeclaration]) -> [ClassDeclaration] {
    [
      ClassDeclaration(
        name: "KeptClass",
        columns: [
          ColumnDeclaration(name: "id", type: .string, isPrimaryKey: true),
          ColumnDeclaration(name: "keptProperty", type: .string, isIndexed: true),
          ColumnDeclaration(name: "words", type: .string, isFullText: true),
          ColumnDeclaration(name: "any", type: .mixed),
          ColumnDeclaration(name: "list", type: .string, collection: .list),
          ColumnDeclaration(name: "set", type: .string, collection: .set),
          ColumnDeclaration(name: "map", type: .string, collection: .map),
          ColumnDeclaration(name: "anys", type: .mixed, collection: .list),
          ColumnDeclaration(name: "anyMap", type: .mixed, collection: .map),
          ColumnDeclaration(name: "large", type: .data, collection: .list, isOptional: true),
          ColumnDeclaration(name: "part", type: .link, target: "Part"),
          ColumnDeclaration(name: "parts", type: .link, collection: .list, target: "Part"),
        ] + extra),
      ClassDeclaration(
        name: "Part", isEmbedded: true,
        columns: [
          ColumnDeclaration(name: "title", type: .string), ColumnDeclaration(name: "notes", type: .string),
        ]),
    ] + classes
  }

  private static let before = declarations(
    [
      ColumnDeclaration(name: "goneProperty", type: .string, isIndexed: true),
      ColumnDeclaration(name: "goneList", type: .string, collection: .list),
    ],
    [
      ClassDeclaration(
        name: "goneClass",
        columns: [
          ColumnDeclaration(name: "id", type: .string, isPrimaryKey: true),
          ColumnDeclaration(name: "text", type: .string, isFullText: true),
          ColumnDeclaration(name: "elements", type: .string, collection: .list),
        ])
    ])
  private static let after = declarations([], [])
  private static let count = 48

  private static func isDeleted(_ number: Int) -> Bool { number % 3 == 2 }

  init(key: EncryptionKey?) throws {
    fixture = try TemporaryStore(clusterSize: 16, key: key)
    try fixture.write { try $0.apply(Self.before, schemaVersion: 1) }
    for first in stride(from: 0, to: Self.count, by: 5) {
      try fixture.write { writer in
        for number in first..<min(first + 5, Self.count) {
          try fill(
            try create(number, writer), Self.isDeleted(number) || number % 2 == 0 ? "gone" : "kept", number, writer)
        }
      }
    }
    try fixture.write { writer in
      let gone = try entry("goneClass", writer)
      for number in 0..<20 {
        let key = try writer.create(gone.id, primaryKey: .string("goneclassid\(number)"))
        try writer.set(gone.id, try id(gone, "text"), key, .string("goneclassword\(number)"))
        try writer.lists.assign(gone.id, try id(gone, "elements"), key, [.string("goneclasselement\(number)")])
      }
    }
    // What these hold is still in the records of newest objects, and is overwritten there.
    for word in ["gone", "kept"] {
      for number in 0..<3 {
        try fixture.write { writer in
          let entry = try entry("KeptClass", writer)
          let id = StoredValue.string("keptlate\(number)x")
          let key = try writer.object(entry.id, primaryKey: id) ?? writer.create(entry.id, primaryKey: id)
          try writer.set(entry.id, try self.id(entry, "keptProperty"), key, .string("\(word)late\(number)x"))
          try writer.set(entry.id, try self.id(entry, "any"), key, .string("\(word)lateany\(number)x"))
        }
      }
    }
  }

  private func entry(_ name: String, _ writer: StoreWriter) throws -> ClassDescriptor {
    try #require(writer.schema[name])
  }

  private func id(_ entry: ClassDescriptor, _ name: String) throws -> ColumnID {
    try #require(entry.column(named: name)).id
  }

  private func create(_ number: Int, _ writer: StoreWriter) throws -> ObjectKey {
    let word = Self.isDeleted(number) ? "gone" : "kept"
    return try writer.create(entry("KeptClass", writer).id, primaryKey: .string("\(word)id\(number)x"))
  }

  private func fill(_ key: ObjectKey, _ word: String, _ number: Int, _ writer: StoreWriter) throws {
    let entry = try entry("KeptClass", writer)
    func text(_ what: String) -> StoredValue { .string("\(word)\(what)\(number)x") }
    func set(_ name: String, _ value: StoredValue) throws { try writer.set(entry.id, try id(entry, name), key, value) }
    try set("keptProperty", text("name"))
    try set("words", .string("some \(word)word\(number)x words"))
    try set("any", nested(text("deep"), "\(word)deepkey\(number)"))
    let elements = (0..<(number % 4 == 1 ? 400 : 12)).map { StoredValue.string("\(word)element\(number)x\($0)y") }
    try writer.lists.assign(entry.id, try id(entry, "list"), key, elements)
    try writer.sets.assign(entry.id, try id(entry, "set"), key, (0..<9).map { .string("\(word)member\(number)x\($0)") })
    try writer.maps.assign(
      entry.id, try id(entry, "map"), key, (0..<9).map { ("\(word)mapkey\(number)x\($0)", text("mapvalue\($0)")) })
    try writer.lists.assign(
      entry.id, try id(entry, "anys"), key, [nested(text("inlist"), "\(word)inlist"), text("inlist")])
    try writer.maps.assign(
      entry.id, try id(entry, "anyMap"), key, [("\(word)anykey", nested(text("inmap"), "\(word)inmap"))])
    let large = Data(String(repeating: "\(word)large\(number)x", count: number % 5 == 0 ? 6_000 : 40).utf8)
    try writer.lists.assign(entry.id, try id(entry, "large"), key, [.data(large), .null])
    try fillParts(of: key, word, number, writer)
    if let column = entry.column(named: "goneProperty")?.id {
      try writer.set(entry.id, column, key, .string("goneproperty\(number)"))
      try writer.lists.assign(entry.id, try id(entry, "goneList"), key, [.string("gonelist\(number)")])
    }
  }

  private func nested(_ value: StoredValue, _ key: String) -> StoredValue {
    .list([
      .int(1),
      .dictionary(StoredDictionary([(key: key, value: .list([value, .dictionary(StoredDictionary([key: value]))]))])),
    ])
  }

  /// The parts that were there before are deleted with what holds them.
  private func fillParts(of key: ObjectKey, _ word: String, _ number: Int, _ writer: StoreWriter) throws {
    let (entry, part) = (try entry("KeptClass", writer), try entry("Part", writer))
    func fill(_ made: ObjectKey) throws {
      try writer.set(part.id, try id(part, "title"), made, .string("\(word)title\(number)x"))
      try writer.set(
        part.id, try id(part, "notes"), made, .string(String(repeating: "\(word)notes\(number)x", count: 200)))
    }
    try writer.set(entry.id, try id(entry, "part"), key, .null)
    try fill(try writer.createEmbedded(in: entry.id, try id(entry, "part"), key))
    let parts = try id(entry, "parts")
    try writer.lists.assign(entry.id, parts, key, [])
    for place in 0..<3 { try fill(try writer.insertEmbedded(in: entry.id, parts, key, at: place)) }
  }

  /// Deletes objects, overwrites every value of others, and deletes a class and properties.
  func change(_ writer: StoreWriter) throws {
    let entry = try entry("KeptClass", writer)
    for number in 0..<Self.count {
      let word = Self.isDeleted(number) ? "gone" : "kept"
      let key = try #require(try writer.object(entry.id, primaryKey: .string("\(word)id\(number)x")))
      if Self.isDeleted(number) {
        try writer.delete(entry.id, key)
      } else if number % 2 == 0 {
        try fill(key, "kept", number, writer)
      }
    }
    let migration = try SchemaMigration(writer, to: Self.after, schemaVersion: 2)
    try migration.begin()
    _ = try migration.deleteClass("goneClass")
    try migration.finish()
  }

  /// All keys and values of a store, decrypted.
  static func openedBytes(_ store: Store) throws -> Data {
    var result = Data()
    let transaction = try store.snapshot().transaction
    for table in store.tables.all {
      let cursor = try transaction.walkingCursor(table)
      var entry = try cursor.first()
      while let found = entry {
        result.append(contentsOf: found.key.bytes)
        result.append(contentsOf: found.value.bytes)
        entry = try cursor.next()
      }
    }
    return result
  }

  /// Finds the first three places of a text, each with some bytes around it.
  static func found(_ text: String, in bytes: Data) -> [String] {
    var (result, start): ([String], Int) = ([], bytes.startIndex)
    while result.count < 3, let range = bytes.range(of: Data(text.utf8), in: start..<bytes.endIndex) {
      let around = bytes[max(range.lowerBound - 24, bytes.startIndex)..<min(range.upperBound + 24, bytes.endIndex)]
      result.append(String(decoding: around.map { 32...126 ~= $0 ? $0 : 46 }, as: UTF8.self))
      start = range.upperBound
    }
    return result
  }
}
