import Foundation
import TestSupport
import Testing

@testable import LarderStorage

/// A store with synced classes that have properties of every type, and random transactions on it.
final class OperationFixture {
  let temporary: TemporaryStore
  var store: Store { temporary.store }
  let item: ClassDescriptor
  let part: ClassDescriptor
  let diary: ClassDescriptor
  private var nextNumber: Int64 = 0

  static let scalars: [ColumnDeclaration] =
    SeededRandom.valueTypes.map { ColumnDeclaration(name: "\($0)", type: $0) }
    + SeededRandom.valueTypes.map { ColumnDeclaration(name: "\($0)?", type: $0, isOptional: true) }

  static let classes = [
    ClassDeclaration(
      name: "Item",
      columns: [
        ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
        ColumnDeclaration(name: "any", type: .mixed),
        ColumnDeclaration(name: "friend", type: .link, target: "Item"),
        ColumnDeclaration(name: "part", type: .link, target: "Part"),
        ColumnDeclaration(name: "texts", type: .string, collection: .list),
        ColumnDeclaration(name: "friends", type: .link, collection: .list, target: "Item"),
        ColumnDeclaration(name: "parts", type: .link, collection: .list, target: "Part"),
        ColumnDeclaration(name: "anyList", type: .mixed, collection: .list),
        ColumnDeclaration(name: "numbers", type: .int, collection: .set),
        ColumnDeclaration(name: "friendSet", type: .link, collection: .set, target: "Item"),
        ColumnDeclaration(name: "byName", type: .double, collection: .map),
        ColumnDeclaration(name: "friendMap", type: .link, collection: .map, target: "Item"),
        ColumnDeclaration(name: "partMap", type: .link, collection: .map, target: "Part"),
        ColumnDeclaration(name: "anyMap", type: .mixed, collection: .map),
        ColumnDeclaration(name: "secret", type: .string, isLocalOnly: true),
        ColumnDeclaration(name: "secrets", type: .string, collection: .list, isLocalOnly: true),
        ColumnDeclaration(name: "count", type: .int, mergeKind: .counter),
      ] + scalars, syncMode: .synced),
    ClassDeclaration(
      name: "Part", isEmbedded: true,
      columns: [
        ColumnDeclaration(name: "weight", type: .double),
        ColumnDeclaration(name: "owner", type: .link, target: "Item"),
        ColumnDeclaration(name: "marks", type: .string, collection: .list),
        ColumnDeclaration(name: "screws", type: .link, collection: .list, target: "Screw"),
      ]),
    ClassDeclaration(
      name: "Screw", isEmbedded: true, columns: [ColumnDeclaration(name: "size", type: .int)]),
    ClassDeclaration(
      name: "Diary",
      columns: [
        ColumnDeclaration(name: "text", type: .string),
        ColumnDeclaration(name: "about", type: .link, target: "Item"),
        ColumnDeclaration(name: "part", type: .link, target: "Part"),
      ]),
  ]

  init(clusterSize: Int = 8) throws {
    temporary = try TemporaryStore(clusterSize: clusterSize)
    try temporary.write { try $0.apply(Self.classes, schemaVersion: 1) }
    let schema = try temporary.store.snapshot().schema
    item = try #require(schema["Item"])
    part = try #require(schema["Part"])
    diary = try #require(schema["Diary"])
  }

  func column(_ name: String, of entry: ClassDescriptor? = nil) throws -> ColumnID {
    try #require((entry ?? item).column(named: name)).id
  }

  func write(_ body: (StoreWriter) throws -> Void) throws { try temporary.write(body) }

  // MARK: - Random transactions

  /// Several random changes in one transaction; sometimes some of them are undone.
  func change(_ random: inout SeededRandom) throws {
    try temporary.write { writer in
      for _ in 0..<random.int(1...12) {
        guard random.oneIn(6) else {
          try step(writer, &random)
          continue
        }
        let isKept = random.oneIn(2)
        var inner = random
        try? writer.savepoint {
          for _ in 0..<4 { try step(writer, &inner) }
          if !isKept { throw Undone() }
        }
        random = inner
      }
    }
  }

  private struct Undone: Error {}

  private func keys(_ writer: StoreWriter, _ id: ClassID) throws -> [ObjectKey] {
    var keys: [ObjectKey] = []
    try writer.forEachKey(id) { keys.append($0) }
    return keys
  }

  private func step(_ writer: StoreWriter, _ random: inout SeededRandom) throws {
    let items = try keys(writer, item.id)
    guard items.count > 2, !random.oneIn(6) else { return try create(writer, &random) }
    let key = random.pick(items)
    switch random.int(0...13) {
    case 0: try writer.delete(item.id, key)
    case 1, 2: try setScalar(writer, key, &random)
    case 3:
      let friend: StoredValue = random.oneIn(4) ? .null : .link(random.pick(items))
      try writer.set(item.id, column("friend"), key, friend)
    case 4: try writer.set(item.id, column("any"), key, random.value(.mixed))
    case 5:
      try editList(writer, "texts", key, &random) {
        .string($0.oneIn(9) ? String(repeating: "x", count: 5_000) : $0.anyText())
      }
    case 6: try editList(writer, "friends", key, &random) { .link($0.pick(items)) }
    case 7:
      try editList(writer, "anyList", key, &random) {
        $0.oneIn(3) ? .object(ObjectLink(classID: self.item.id, key: $0.pick(items))) : $0.value(.mixed)
      }
    case 8: try editSets(writer, key, items, &random)
    case 9: try editMaps(writer, key, items, &random)
    case 10: try editParts(writer, key, items, &random)
    case 11: try editNested(writer, key, &random)
    case 12: try ValueAssignment(writer: writer).add(item.id, column("count"), key, .int(Int64(random.int(-9...9))))
    default: try editLocal(writer, key, items, &random)
    }
  }

  private func create(_ writer: StoreWriter, _ random: inout SeededRandom) throws {
    // A key of an object that was deleted now and then.
    let number = random.oneIn(3) && nextNumber > 0 ? Int64(random.int(0..<Int(nextNumber))) : nextNumber
    guard try writer.object(item.id, primaryKey: .int(number)) == nil else { return }
    nextNumber = max(nextNumber, number + 1)
    let key = try writer.create(
      item.id, primaryKey: .int(number), intent: random.oneIn(2) ? .create : .createOrUpdateAll)
    try writer.set(item.id, column("int"), key, .int(3))
    if random.oneIn(2) { writer.noteDefault(item.id, try column("int"), key) }
    for _ in 0..<random.int(0...3) { try setScalar(writer, key, &random) }
    if random.oneIn(2) { try writer.lists.insert(item.id, column("texts"), key, at: 0, [.string("a"), .string("b")]) }
    if random.oneIn(3) { try editParts(writer, key, [key], &random) }
  }

  private func setScalar(_ writer: StoreWriter, _ key: ObjectKey, _ random: inout SeededRandom) throws {
    let declared = random.pick(Self.scalars)
    let value = declared.isOptional && random.oneIn(4) ? .null : random.value(declared.type)
    try writer.set(item.id, column(declared.name), key, value)
  }

  private func editList(
    _ writer: StoreWriter, _ name: String, _ key: ObjectKey, _ random: inout SeededRandom,
    _ value: (inout SeededRandom) -> StoredValue
  ) throws {
    let column = try column(name)
    let count = try writer.list(item.id, column, key).count
    switch random.int(0...6) {
    case 0 where count > 0:
      let start = random.int(0..<count)
      try writer.lists.remove(item.id, column, key, start..<random.int(start + 1...count))
    case 1 where count > 0: try writer.lists.set(item.id, column, key, at: random.int(0..<count), value(&random))
    case 2 where count > 0:
      try writer.lists.move(item.id, column, key, from: random.int(0..<count), to: random.int(0..<count))
    case 3 where random.oneIn(3): try writer.lists.clear(item.id, column, key)
    case 4: try writer.lists.assign(item.id, column, key, (0..<random.int(0...3)).map { _ in value(&random) })
    default:
      let values = (0..<random.int(1...3)).map { _ in value(&random) }
      try writer.lists.insert(item.id, column, key, at: random.int(0...count), values)
    }
  }

  private func editSets(
    _ writer: StoreWriter, _ key: ObjectKey, _ items: [ObjectKey], _ random: inout SeededRandom
  ) throws {
    let (numbers, friends) = (try column("numbers"), try column("friendSet"))
    switch random.int(0...5) {
    case 0: try writer.sets.remove(item.id, numbers, key, .int(Int64(random.int(0...9))))
    case 1 where random.oneIn(3): try writer.sets.clear(item.id, numbers, key)
    case 2: try writer.sets.assign(item.id, numbers, key, (0..<3).map { _ in .int(Int64(random.int(0...9))) })
    case 3: try writer.sets.insert(item.id, friends, key, [.link(random.pick(items))])
    case 4: try writer.sets.remove(item.id, friends, key, .link(random.pick(items)))
    default: try writer.sets.insert(item.id, numbers, key, [.int(Int64(random.int(0...9))), .int(2)])
    }
  }

  private func editMaps(
    _ writer: StoreWriter, _ key: ObjectKey, _ items: [ObjectKey], _ random: inout SeededRandom
  ) throws {
    let names = ["a", "b", "e\u{301}", "\u{e9}", ""]
    switch random.int(0...6) {
    case 0: try writer.maps.remove(item.id, column("byName"), key, random.pick(names))
    case 1 where random.oneIn(3): try writer.maps.clear(item.id, column("byName"), key)
    case 2: try writer.maps.put(item.id, column("friendMap"), key, [(random.pick(names), .link(random.pick(items)))])
    case 3: try writer.maps.put(item.id, column("friendMap"), key, [(random.pick(names), .null)])
    case 4: try writer.maps.put(item.id, column("anyMap"), key, [(random.pick(names), random.value(.mixed))])
    case 5: try writer.maps.assign(item.id, column("byName"), key, [(random.pick(names), random.value(.double))])
    default: try writer.maps.put(item.id, column("byName"), key, [(random.pick(names), random.value(.double))])
    }
  }

  private func editParts(
    _ writer: StoreWriter, _ key: ObjectKey, _ items: [ObjectKey], _ random: inout SeededRandom
  ) throws {
    let (list, weight) = (try column("parts"), try column("weight", of: part))
    let count = try writer.list(item.id, list, key).count
    var made: ObjectKey?
    switch random.int(0...7) {
    case 0: made = try writer.createEmbedded(in: item.id, column("part"), key)
    case 1: try writer.set(item.id, column("part"), key, .null)
    case 2: made = try writer.maps.insertEmbedded(in: item.id, column("partMap"), key, mapKey: random.pick(["a", "b"]))
    case 3 where count > 1: try writer.lists.move(item.id, list, key, from: 0, to: count - 1)
    case 4 where count > 0: try writer.lists.remove(item.id, list, key, 0..<1)
    case 5 where count > 0:
      if case .link(let child) = try writer.list(item.id, list, key).value(at: random.int(0..<count)) { made = child }
    case 6:
      if case .link(let child) = try writer.value(item.id, column("part"), key) { made = child }
    default: made = try writer.insertEmbedded(in: item.id, list, key, at: random.int(0...count))
    }
    guard let made else { return }
    try writer.set(part.id, weight, made, random.value(.double))
    try writer.set(part.id, column("owner", of: part), made, .link(random.pick(items)))
    let marks = try column("marks", of: part)
    try writer.lists.insert(part.id, marks, made, at: 0, [random.value(.string)])
    if random.oneIn(2) {
      let screw = try writer.insertEmbedded(in: part.id, column("screws", of: part), made, at: 0)
      let entry = try #require(writer.schema["Screw"])
      try writer.set(entry.id, column("size", of: entry), screw, .int(Int64(random.int(0...9))))
    }
  }

  /// Changes something within a mixed value.
  private func editNested(_ writer: StoreWriter, _ key: ObjectKey, _ random: inout SeededRandom) throws {
    let name = random.pick(["any", "anyList", "anyMap"])
    let column = try column(name)
    var path: [MixedStep] = []
    switch name {
    case "any":
      if try !writer.value(item.id, column, key).isCollection {
        try writer.set(item.id, column, key, .list([.list([.int(1)]), .dictionary(["k": .list([])])]))
      }
    case "anyList":
      try writer.lists.insert(item.id, column, key, at: 0, [.dictionary(["a": .int(1), "l": .list([.int(7)])])])
      path = [.position(0)]
    default:
      try writer.maps.put(item.id, column, key, [("n", .list([.list([.int(1), .int(2)])]))])
      path = [.key("n")]
    }
    let root: StoredValue
    switch name {
    case "any": root = try writer.value(item.id, column, key)
    case "anyList": root = try writer.list(item.id, column, key).value(at: 0)
    default: root = try #require(try writer.map(item.id, column, key).value(of: "n"))
    }
    for _ in 0..<3 {
      let (found, value) = Self.collection(in: root, path, &random)
      let change = Self.change(of: value, &random)
      // What a change before it removed is not there any more.
      try? writer.mixed.edit(item.id, column, key, found, change)
    }
  }

  private static func collection(
    in root: StoredValue, _ path: [MixedStep], _ random: inout SeededRandom
  ) -> ([MixedStep], StoredValue) {
    var (path, value) = (path, root)
    while !random.oneIn(3) {
      switch value {
      case .list(let list):
        let places = list.indices.filter { list[$0].isCollection }
        guard !places.isEmpty else { return (path, value) }
        let position = random.pick(places)
        (path, value) = (path + [.position(position)], list[position])
      case .dictionary(let entries):
        let inner = entries.filter { $0.value.isCollection }
        guard !inner.isEmpty else { return (path, value) }
        let entry = random.pick(inner)
        (path, value) = (path + [.key(entry.key)], entry.value)
      default: return (path, value)
      }
    }
    return (path, value)
  }

  private static func change(of value: StoredValue, _ random: inout SeededRandom) -> NestedChange {
    let new = random.value(.mixed, depth: 2)
    guard case .list(let list) = value else {
      switch random.int(0...4) {
      case 0: return .clear
      case 1: return .removeKey(random.pick(["a", "k", "z"]))
      case 2: return .assign(.dictionary(["q": new]))
      default: return .put([(random.pick(["a", "k", "z"]), new), ("b", .int(1))])
      }
    }
    switch random.int(0...6) {
    case 0: return .clear
    case 1 where list.count > 0: return .remove(0..<1)
    case 2 where list.count > 0: return .set(new, at: 0)
    case 3 where list.count > 1: return .move(from: 0, to: list.count - 1)
    case 4: return .assign(.list([new, .int(2)]))
    default: return .insert([new, .int(5)], at: random.int(0...list.count))
    }
  }

  /// Changes that stay on the device.
  private func editLocal(
    _ writer: StoreWriter, _ key: ObjectKey, _ items: [ObjectKey], _ random: inout SeededRandom
  ) throws {
    try writer.set(item.id, column("secret"), key, .string("secret"))
    try writer.lists.insert(item.id, column("secrets"), key, at: 0, [.string("secret")])
    let page = try writer.create(diary.id)
    try writer.set(diary.id, column("text", of: diary), page, .string("secret"))
    try writer.set(diary.id, column("about", of: diary), page, .link(random.pick(items)))
    let held = try writer.createEmbedded(in: diary.id, column("part", of: diary), page)
    try writer.set(part.id, column("weight", of: part), held, .double(1))
    for old in try keys(writer, diary.id).dropLast(3) { try writer.delete(diary.id, old) }
  }
}
