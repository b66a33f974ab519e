import Foundation
import LarderCrypto
import LarderExchange
import LarderInspection
import LarderStorage
import TestSupport

/// The store that is worked at.
enum Example {
  static let declarations = declarations(nameOf: "name", extra: [])
  static let migrated = declarations(
    nameOf: "title", extra: [ColumnDeclaration(name: "weight", type: .double, isOptional: true)])
  static let key = EncryptionKey.test(7)
  static let otherKey = EncryptionKey.test(9)

  private static func declarations(nameOf name: String, extra: [ColumnDeclaration]) -> [ClassDeclaration] {
    [
      ClassDeclaration(
        name: "Item",
        columns: [
          ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
          ColumnDeclaration(name: name, type: .string, isIndexed: true),
          ColumnDeclaration(name: "count", type: .int),
        ] + extra)
    ]
  }

  static func open(_ path: String, mapSize: Int? = nil, key: EncryptionKey? = nil) throws -> Store {
    var options = StoreOptions()
    options.clusterSize = 16
    if let mapSize { options.mapSize = mapSize }
    options.encryptionKey = key
    return try Store.open(path: path, options: options)
  }

  /// Runs a transaction.
  static func write(_ store: Store, _ body: (StoreWriter) throws -> Void) throws {
    let writer = try store.beginWrite()
    do {
      try body(writer)
      try writer.commit()
    } catch {
      writer.cancel()
      throw error
    }
  }

  /// Lets the tool's parts find a key, or none.
  static func setKey(_ key: EncryptionKey?) {
    let number: UInt8 = key == Self.key ? 7 : 9
    let digits = (0..<64).map {
      String(Int(UInt8(truncatingIfNeeded: $0 &* 3 &+ Int(number))) + 256, radix: 16).dropFirst()
    }
    StoreAccess.keySource = key == nil ? .none : .environment(digits.joined())
  }

  /// Makes the store, an encrypted one, and the files that are imported and loaded, in a folder.
  static func make(in folder: String) throws {
    try makeStore("\(folder)/store.larder", key: nil)
    try makeStore("\(folder)/encrypted.larder", key: key)
    let lines = (0..<200).map { "\(1_000 + $0),imported \($0),\($0)" }
    try Data((["id,name,count"] + lines).joined(separator: "\n").utf8)
      .write(to: URL(fileURLWithPath: "\(folder)/items.csv"))
    var text = ""
    var dump = DumpWriter(try open("\(folder)/store.larder").snapshot())
    try dump.run { text += $0 }
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/items.jsonl"))
  }

  private static func makeStore(_ path: String, key: EncryptionKey?) throws {
    let store = try open(path, key: key)
    try write(store) { try $0.apply(declarations, schemaVersion: 1) }
    try write(store) { writer in for number in 0..<100 { try add(writer, number, "item \(number % 7)") } }
    try write(store) { writer in for number in 0..<30 { try writer.delete(item(writer).id, find(writer, number * 3)) } }
  }

  private static func item(_ writer: StoreWriter) throws -> ClassDescriptor {
    guard let found = writer.schema["Item"] else { throw StorageError(.unknownClass, "no class") }
    return found
  }

  private static func find(_ writer: StoreWriter, _ id: Int) throws -> ObjectKey {
    guard let found = try writer.object(item(writer).id, primaryKey: .int(Int64(id))) else {
      throw StorageError(.unknownClass, "no object \(id)")
    }
    return found
  }

  private static func add(_ writer: StoreWriter, _ id: Int, _ name: String) throws {
    let item = try item(writer)
    let key = try writer.create(item.id, primaryKey: .int(Int64(id)))
    try writer.set(item.id, item.columns[1].id, key, .string(name))
    try writer.set(item.id, item.columns[2].id, key, .int(Int64(id * 2)))
  }

  /// A small transaction, another for each number.
  static func change(_ writer: StoreWriter, _ number: Int) throws {
    let item = try item(writer)
    for other in 0..<8 { try add(writer, 500 + number * 10 + other, "new \(number) \(other)") }
    let key = try find(writer, 500 + number * 10)
    try writer.set(item.id, item.columns[1].id, key, .string(String(repeating: "long \(number) ", count: 40)))
    if number > 2 { try writer.delete(item.id, find(writer, 500 + (number - 1) * 10 + 3)) }
  }

  /// Some megabytes in one transaction.
  static func fill(_ writer: StoreWriter) throws {
    for number in 0..<400 { try add(writer, 2_000 + number, String(repeating: "filling \(number) ", count: 300)) }
  }

  /// Every value of a store.
  static func text(of store: Store) throws -> String {
    let snapshot = try store.snapshot()
    var text = ""
    for entry in snapshot.schema.classes {
      text += "\(entry.name) \(entry.columns.map(\.name)) \(try snapshot.count(of: entry.id))\n"
      try snapshot.forEachKey(of: entry.id) { key in
        for column in entry.columns { text += "\(try snapshot.value(entry.id, column.id, key)) " }
        text += "\n"
        return true
      }
    }
    return text
  }
}
