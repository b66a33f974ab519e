import Foundation
import TestSupport
import Testing

@testable import LarderStorage

/// A store in which everything that can link does, at random, and in which primary keys change.
///
/// Each object has a serial number that never changes: by it `dump` names objects, whatever their keys are.
struct RekeyingFixture {
  let store: TemporaryStore
  let declarations: [ClassDeclaration]

  /// - Parameter key: Of an encrypted store.
  init(clusterSize: Int = 8, key: EncryptionKey? = nil) throws {
    store = try TemporaryStore(clusterSize: clusterSize, key: key)
    declarations = Self.classes
    let classes = declarations
    try store.write { try $0.apply(classes, schemaVersion: 1) }
    // A consumer that wants the primary keys of deleted objects.
    try store.write { writer in
      try store.store.log.register(LogConsumer(name: "reader", consumed: 1, policy: .hard), in: writer.transaction)
    }
  }

  private static var classes: [ClassDeclaration] {
    func link(_ name: String, _ target: String, _ kind: CollectionKind = .none) -> ColumnDeclaration {
      ColumnDeclaration(name: name, type: .link, collection: kind, target: target)
    }
    func mixed(_ name: String, _ kind: CollectionKind = .none) -> ColumnDeclaration {
      ColumnDeclaration(name: name, type: .mixed, collection: kind)
    }
    let serial = ColumnDeclaration(name: "serial", type: .int, isIndexed: true)
    let links = [
      link("next", "Node"), link("links", "Node", .list), link("friends", "Node", .set), link("named", "Node", .map),
      mixed("any"), mixed("anyList", .list), mixed("anySet", .set), mixed("anyMap", .map),
    ]
    let parts = [link("part", "Part"), link("parts", "Part", .list), link("partMap", "Part", .map)]
    return [
      ClassDeclaration(
        name: "Node",
        columns: [
          ColumnDeclaration(name: "id", type: .string, isOptional: true, isPrimaryKey: true), serial,
          ColumnDeclaration(name: "text", type: .string, isOptional: true, isFullText: true),
          ColumnDeclaration(name: "weight", type: .double),
        ] + links + parts, indexes: [IndexDeclaration(["serial", "weight"], isUnique: true)]),
      ClassDeclaration(
        name: "Part", isEmbedded: true,
        columns: [serial, link("about", "Node"), link("inner", "Inner"), mixed("any")]),
      ClassDeclaration(name: "Inner", isEmbedded: true, columns: [serial, link("links", "Node", .list)]),
      ClassDeclaration(name: "Plain", columns: [serial] + links),
    ]
  }

  // MARK: - Changing

  /// Values that links of a column can have: nodes, for mixed values also other objects and collections of them.
  private func value(
    _ column: ColumnDescriptor, _ writer: StoreWriter, _ random: inout SeededRandom, depth: Int = 0
  ) throws -> StoredValue {
    let (node, plain) = (try #require(writer.schema["Node"]).id, try #require(writer.schema["Plain"]).id)
    let nodes = try keys(node, writer)
    guard column.type == .mixed else { return .link(random.pick(nodes)) }
    switch random.int(0...7) {
    case 0: return .null
    case 1: return .int(random.anyInt64())
    case 2: return .object(ObjectLink(classID: plain, key: random.pick(try keys(plain, writer))))
    case 3 where depth < 3 && column.collection != .set:
      return .list(
        StoredList(try (0..<random.int(0...3)).map { _ in try value(column, writer, &random, depth: depth + 1) }))
    case 4 where depth < 3 && column.collection != .set:
      return .dictionary(
        StoredDictionary(
          try (0..<random.int(0...3)).map { ("k\($0)", try value(column, writer, &random, depth: depth + 1)) }))
    default: return .object(ObjectLink(classID: node, key: random.pick(nodes)))
    }
  }

  func keys(_ classID: ClassID, _ reader: StoreWriter) throws -> [ObjectKey] {
    var keys: [ObjectKey] = []
    try reader.forEachKey(classID) { keys.append($0) }
    return keys
  }

  /// Makes objects; of the nodes each with a primary key that no other has.
  func make(_ count: Int, _ writer: StoreWriter, _ serial: inout Int64, _ random: inout SeededRandom) throws {
    for _ in 0..<count {
      serial += 1
      let node = try #require(writer.schema["Node"])
      let key = try writer.create(node.id, primaryKey: .string("made \(serial)"))
      try writer.set(node.id, try #require(node.column(named: "serial")).id, key, .int(serial))
      let plain = try #require(writer.schema["Plain"])
      let other = try writer.create(plain.id)
      serial += 1
      try writer.set(plain.id, try #require(plain.column(named: "serial")).id, other, .int(serial))
    }
    for name in ["Node", "Plain"] {
      let entry = try #require(writer.schema[name])
      for key in try keys(entry.id, writer).suffix(count) { try fill(entry, key, writer, &serial, &random) }
    }
  }

  /// Changes some properties of an object.
  func fill(
    _ entry: ClassDescriptor, _ key: ObjectKey, _ writer: StoreWriter, _ serial: inout Int64,
    _ random: inout SeededRandom
  ) throws {
    for column in entry.columns where random.oneIn(2) && column.name != "serial" && !column.isPrimaryKey {
      let target = column.target.flatMap { writer.schema[$0] }
      switch (column.collection, target?.isEmbedded ?? false) {
      case (.none, true):
        try fillNew(try writer.createEmbedded(in: entry.id, column.id, key), target, writer, &serial, &random)
      case (.list, true):
        let size = try writer.list(entry.id, column.id, key).count
        let made = try writer.insertEmbedded(in: entry.id, column.id, key, at: random.int(0...size))
        try fillNew(made, target, writer, &serial, &random)
      case (_, true):
        let made = try writer.maps.insertEmbedded(in: entry.id, column.id, key, mapKey: "p\(random.int(0...3))")
        try fillNew(made, target, writer, &serial, &random)
      case (.none, _) where column.type == .string:
        let text = random.oneIn(8) ? String(repeating: "long words ", count: 300) : random.string()
        try writer.set(entry.id, column.id, key, random.oneIn(5) ? .null : .string(text))
      case (.none, _) where column.type == .double:
        try writer.set(entry.id, column.id, key, .double(random.oneIn(3) ? -0.0 : Double(random.int(0...99))))
      case (.none, _): try writer.set(entry.id, column.id, key, try value(column, writer, &random))
      case (.list, _):
        let values = try (0..<random.int(0...6)).map { _ in try value(column, writer, &random) }
        try writer.lists.assign(entry.id, column.id, key, values)
      case (.set, _):
        try writer.sets.assign(
          entry.id, column.id, key, try (0..<random.int(0...6)).map { _ in try value(column, writer, &random) })
      case (.map, _):
        try writer.maps.assign(
          entry.id, column.id, key, try (0..<random.int(0...5)).map { ("m\($0)", try value(column, writer, &random)) })
      }
    }
  }

  private func fillNew(
    _ key: ObjectKey, _ entry: ClassDescriptor?, _ writer: StoreWriter, _ serial: inout Int64,
    _ random: inout SeededRandom
  ) throws {
    let entry = try #require(entry)
    serial += 1
    try writer.set(entry.id, try #require(entry.column(named: "serial")).id, key, .int(serial))
    try fill(entry, key, writer, &serial, &random)
  }

  // MARK: - Looking

  /// Every top-level object by class and serial number, as text that tells no keys.
  func dump(_ reader: some StoreReader) throws -> [String: String] {
    var result: [String: String] = [:]
    for name in ["Node", "Plain"] {
      let entry = try #require(reader.schema[name])
      for key in try all(entry.id, reader) { result[try title(entry, key, reader)] = try text(entry, key, reader) }
    }
    return result
  }

  /// The keys of the nodes by their titles.
  func places(_ reader: some StoreReader) throws -> [String: ObjectKey] {
    let entry = try #require(reader.schema["Node"])
    return try Dictionary(uniqueKeysWithValues: all(entry.id, reader).map { (try title(entry, $0, reader), $0) })
  }

  /// The primary keys of the nodes by their titles.
  func primaryKeys(_ reader: some StoreReader) throws -> [String: StoredValue] {
    let entry = try #require(reader.schema["Node"])
    let column = try #require(entry.primaryKey).id
    return try Dictionary(
      uniqueKeysWithValues: all(entry.id, reader).map {
        (try title(entry, $0, reader), try reader.value(entry.id, column, $0))
      })
  }

  private func all(_ classID: ClassID, _ reader: some StoreReader) throws -> [ObjectKey] {
    var keys: [ObjectKey] = []
    for cluster in 0..<(try reader.clusterCount(of: classID)) {
      guard let presence = try reader.presence(classID, cluster: cluster) else { continue }
      for slot in 0..<presence.count where presence.bool(slot) {
        keys.append(ObjectKey(rawValue: UInt64(cluster * reader.clusterSize + slot)))
      }
    }
    return keys
  }

  private func title(_ entry: ClassDescriptor, _ key: ObjectKey, _ reader: some StoreReader) throws -> String {
    let serial = try #require(entry.column(named: "serial")).id
    return "\(entry.name) \(try reader.value(entry.id, serial, key))"
  }

  private func text(_ entry: ClassDescriptor, _ key: ObjectKey, _ reader: some StoreReader) throws -> String {
    try entry.columns.filter { !$0.isPrimaryKey }.map { column in
      func shown(_ value: StoredValue) throws -> String {
        switch value {
        case .link(let linked):
          let target = try #require(column.target.flatMap { reader.schema[$0] })
          return target.isEmbedded ? "{\(try text(target, linked, reader))}" : try title(target, linked, reader)
        case .object(let link):
          return try title(try #require(reader.schema[link.classID]), link.key, reader)
        case .list(let list): return "[\(try list.map(shown).joined(separator: ", "))]"
        case .dictionary(let entries): return "<\(try entries.map { "\($0.key): \(try shown($0.value))" })>"
        default: return "\(value)"
        }
      }
      let contents: String
      switch column.collection {
      case .none: contents = try shown(reader.value(entry.id, column.id, key))
      case .list: contents = "\(try reader.list(entry.id, column.id, key).values().map(shown))"
      // Their order follows the keys of what they hold.
      case .set: contents = "\(try reader.list(entry.id, column.id, key).values().map(shown).sorted())"
      case .map:
        let map = try reader.map(entry.id, column.id, key)
        contents = "\(try (0..<map.count).map { "\(try map.key(at: $0)): \(try shown(map.value(at: $0)))" })"
      }
      return "\(column.name) = \(contents)"
    }.joined(separator: "; ")
  }
}
