import TestSupport
import Testing

@testable import LarderStorage

/// A store with an object whose collections of all kinds can link to others.
struct LinkedLists {
  let store: TemporaryStore
  let owner: ClassID
  let item: ClassID
  let object: ObjectKey
  let list: ColumnID
  let map: ColumnID
  let mixed: ColumnID
  let mixedMap: ColumnID

  init(key: EncryptionKey? = nil) throws {
    store = try TemporaryStore(key: key)
    try store.write {
      try $0.apply(
        [
          ClassDeclaration(
            name: "Owner",
            columns: [
              ColumnDeclaration(name: "list", type: .link, collection: .list, target: "Item"),
              ColumnDeclaration(name: "map", type: .link, collection: .map, isOptional: true, target: "Item"),
              ColumnDeclaration(name: "mixed", type: .mixed, collection: .list, isOptional: true),
              ColumnDeclaration(name: "mixedMap", type: .mixed, collection: .map, isOptional: true),
            ]),
          ClassDeclaration(name: "Item", columns: [ColumnDeclaration(name: "number", type: .int)]),
        ], schemaVersion: 0)
    }
    let schema = try store.snapshot.schema
    let entry = try #require(schema["Owner"])
    owner = entry.id
    item = try #require(schema["Item"]).id
    list = try #require(entry.column(named: "list")).id
    map = try #require(entry.column(named: "map")).id
    mixed = try #require(entry.column(named: "mixed")).id
    mixedMap = try #require(entry.column(named: "mixedMap")).id
    object = try store.write { try $0.create(entry.id) }
  }

  /// Makes objects, and lets one of the collections link to them in their order.
  func fill(_ writer: StoreWriter, _ count: Int, in column: ColumnID) throws -> [ObjectKey] {
    let keys = try (0..<count).map { _ in try writer.create(item) }
    let links = keys.map { key in
      column == mixed || column == mixedMap
        ? StoredValue.object(ObjectLink(classID: item, key: key)) : .link(key)
    }
    if column == list || column == mixed {
      try writer.lists.insert(owner, column, object, at: 0, links)
    } else {
      let pairs = links.enumerated().map { (String(($0.offset + 1) << 32 | $0.offset * 7_919 % count), $0.element) }
      try writer.maps.put(owner, column, object, pairs)
    }
    return keys
  }

  /// Returns the number of steps of searches in a collection in this transaction.
  func steps(_ writer: StoreWriter, _ column: ColumnID) -> Int {
    let id = ListID(classID: owner, column: column, key: object)
    return writer.openLists[id]?.editor.search?.steps ?? writer.openLists.searches[id]?.steps ?? 0
  }
}
