import TestSupport
import Testing

@testable import LarderStorage

/// The log tells everything: what an old version holds, changed as the records say, with the values of the new version, is the new
/// version.
@Suite struct LogReplayTests {
  @Test("L-6, L-12, L-17, L-18, L-20: records applied to an older version give the newer one", arguments: [8, 496])
  func replay(clusterSize: Int) throws {
    var random = SeededRandom.forTest()
    let fixture = try ReplayFixture(clusterSize: clusterSize)
    for round in 0..<25 {
      let older = try fixture.store.snapshot
      // A commit that changes nothing makes no version.
      let commits = random.int(1...5)
      for _ in 0..<commits { try random.oneIn(5) ? fixture.migrate(&random) : fixture.change(&random) }
      let newer = try fixture.store.snapshot
      var replay = LogReplay(try ReplayContents(older), newer)
      for version in (older.version..<newer.version).map({ $0 + 1 }) {
        let record = try #require(try newer.store.log.record(version, in: newer.transaction))
        try replay.apply(record)
      }
      let problem = replay.difference(try ReplayContents(newer))
      #expect(problem == nil, "seed \(random.seed), round \(round): \(problem ?? "")")
      if problem != nil { return }
    }
    #expect(try StoreVerifier.verify(fixture.store.snapshot).isEmpty)
  }

  @Test("L-26: a migration is reported as a change of everything in the classes that it touched")
  func migration() throws {
    var random = SeededRandom.forTest()
    let fixture = try ReplayFixture(clusterSize: 8)
    for _ in 0..<5 { try fixture.change(&random) }
    let older = try fixture.store.snapshot
    try fixture.store.write { writer in
      var classes = older.schema.classes.map { ClassDeclaration($0, in: older.schema) }
      classes[0].columns.removeAll { $0.name == "numbers" }
      classes[0].columns.append(ColumnDeclaration(name: "more", type: .string))
      try writer.apply(classes, schemaVersion: 2)
    }
    for _ in 0..<3 { try fixture.change(&random) }
    let newer = try fixture.store.snapshot
    var replay = LogReplay(try ReplayContents(older), newer)
    for version in (older.version..<newer.version).map({ $0 + 1 }) {
      try replay.apply(try #require(try newer.store.log.record(version, in: newer.transaction)))
    }
    #expect(replay.difference(try ReplayContents(newer)) == nil)
  }
}

/// The contents of a version: single values as text, collections as the texts of their elements.
struct ReplayContents {
  enum Cell: Equatable {
    case single(String)
    /// Nil means an element whose value the log does not have.
    case elements([String?])
  }

  var classes: [ClassID: [ObjectKey: [ColumnID: Cell]]] = [:]

  init(_ snapshot: Snapshot) throws {
    for entry in snapshot.schema.classes {
      classes[entry.id] = [:]
      for number in 0..<snapshot.nextObjectKey(of: entry.id).rawValue {
        let key = ObjectKey(rawValue: number)
        guard try snapshot.contains(entry.id, key) else { continue }
        for column in entry.columns {
          classes[entry.id]?[key, default: [:]][column.id] = try Self.cell(entry, column, key, snapshot)
        }
      }
    }
  }

  private static func cell(
    _ entry: ClassDescriptor, _ column: ColumnDescriptor, _ key: ObjectKey, _ snapshot: Snapshot
  ) throws -> Cell {
    switch column.collection {
    case .none: return .single("\(try snapshot.value(entry.id, column.id, key))")
    case .list, .set: return .elements(try snapshot.list(entry.id, column.id, key).values().map { "\($0)" })
    case .map:
      let map = try snapshot.map(entry.id, column.id, key)
      return .elements(try (0..<map.count).map { "\(try map.key(at: $0)): \(try map.value(at: $0))" })
    }
  }
}

/// An older version on its way to a newer one.
struct LogReplay {
  private var contents: ReplayContents
  private let newest: ReplayContents
  /// Classes and objects that are as in the newest version already, whatever else is reported of them.
  private var whole: Set<ClassID> = []
  private var fresh: [ClassID: Set<ObjectKey>] = [:]

  init(_ contents: ReplayContents, _ newer: Snapshot) {
    self.contents = contents
    newest = (try? ReplayContents(newer)) ?? contents
  }

  mutating func apply(_ record: CommitRecord) throws {
    for changes in record.classes { try apply(changes) }
  }

  private mutating func apply(_ changes: ClassChanges) throws {
    let id = changes.classID
    if changes.isTruncated {
      whole.insert(id)
      contents.classes[id] = newest.classes[id]
    }
    guard !whole.contains(id) else { return }
    for key in changes.inserted.keys {
      fresh[id, default: []].insert(key)
      contents.classes[id, default: [:]][key] = newest.classes[id]?[key] ?? [:]
    }
    for column in changes.modified {
      for key in column.keys.keys {
        guard let cell = newest.classes[id]?[key]?[column.column], case .single = cell else { continue }
        contents.classes[id]?[key]?[column.column] = cell
      }
    }
    for list in changes.lists { try edit(id, list.column, list.key, list.edits) }
    for set in changes.sets { try edit(id, set.column, set.key, set.edits.flatMap(\.listEdits)) }
    for map in changes.maps { try edit(id, map.column, map.key, map.edits.map(\.listEdit)) }
    for key in changes.allDeleted.keys {
      #expect(contents.classes[id]?[key] != nil, "object \(key.rawValue) was deleted, and was not there")
      contents.classes[id]?[key] = nil
    }
  }

  private mutating func edit(_ id: ClassID, _ column: ColumnID, _ key: ObjectKey, _ edits: [ListEdit]) throws {
    guard fresh[id]?.contains(key) != true else { return }
    guard case .elements(var elements)? = contents.classes[id]?[key]?[column] else {
      Issue.record("an edit of a list of object \(key.rawValue), which is not there")
      return
    }
    for edit in edits {
      try #require(edit.sizeBefore == elements.count, "object \(key.rawValue), column \(column.rawValue): \(edit)")
      switch edit.action {
      case .insert(let at, let count): elements.insert(contentsOf: [String?](repeating: nil, count: count), at: at)
      case .remove(let at, let count): elements.removeSubrange(at..<at + count)
      case .set(let at, let count): for position in at..<at + count { elements[position] = nil }
      case .move(let from, let to): elements.insert(elements.remove(at: from), at: to)
      case .clear: elements = []
      }
    }
    contents.classes[id]?[key]?[column] = .elements(elements)
  }

  /// Returns what is other than in the newest version, or nil.
  func difference(_ expected: ReplayContents) -> String? {
    for (id, objects) in expected.classes {
      let found = contents.classes[id] ?? [:]
      if Set(found.keys) != Set(objects.keys) { return "class \(id.rawValue) has other objects" }
      for (key, cells) in objects {
        for (column, cell) in cells where !Self.fits(found[key]?[column], cell) {
          return "class \(id.rawValue), object \(key.rawValue), column \(column.rawValue): "
            + "\(String(describing: found[key]?[column])) for \(cell)"
        }
      }
    }
    return nil
  }

  private static func fits(_ found: ReplayContents.Cell?, _ wanted: ReplayContents.Cell) -> Bool {
    guard case .elements(let elements)? = found, case .elements(let expected) = wanted else { return found == wanted }
    return elements.count == expected.count && zip(elements, expected).allSatisfy { $0 == nil || $0 == $1 }
  }
}

extension KeyRanges {
  fileprivate var keys: [ObjectKey] { runs.flatMap { run in (run.start..<run.end).map { ObjectKey(rawValue: $0) } } }
}

/// A store of nodes that link to each other in every way, and random changes of it.
struct ReplayFixture {
  let store: TemporaryStore
  private let node: ClassDescriptor
  private let part: ClassDescriptor

  init(clusterSize: Int) throws {
    store = try TemporaryStore(clusterSize: clusterSize)
    try store.write { writer in
      try writer.apply(
        [
          ClassDeclaration(
            name: "Node",
            columns: [
              ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
              ColumnDeclaration(name: "value", type: .int, isIndexed: true),
              ColumnDeclaration(name: "name", type: .string, isOptional: true),
              ColumnDeclaration(name: "next", type: .link, target: "Node"),
              ColumnDeclaration(name: "part", type: .link, target: "Part"),
              ColumnDeclaration(name: "numbers", type: .int, collection: .list),
              ColumnDeclaration(name: "links", type: .link, collection: .list, target: "Node"),
              ColumnDeclaration(name: "parts", type: .link, collection: .list, target: "Part"),
              ColumnDeclaration(name: "labels", type: .string, collection: .set),
              ColumnDeclaration(name: "words", type: .int, collection: .map),
            ]),
          ClassDeclaration(
            name: "Part", isEmbedded: true,
            columns: [
              ColumnDeclaration(name: "size", type: .int),
              ColumnDeclaration(name: "about", type: .link, target: "Node"),
            ]),
        ], schemaVersion: 1)
    }
    node = try #require(try store.snapshot.schema["Node"])
    part = try #require(try store.snapshot.schema["Part"])
  }

  /// One commit, a part of which may be undone.
  func change(_ random: inout SeededRandom) throws {
    struct Undone: Error {}
    try store.write { writer in
      for _ in 0..<random.int(1...12) { try step(writer, &random) }
      if random.oneIn(3) {
        try? writer.savepoint {
          for _ in 0..<random.int(1...6) { try step(writer, &random) }
          throw Undone()
        }
        try step(writer, &random)
      }
    }
  }

  /// A migration that changes primary keys, and nothing that is reported as a change of everything.
  func migrate(_ random: inout SeededRandom) throws {
    let schema = try store.snapshot.schema
    try store.write { writer in
      let migration = try SchemaMigration(
        writer, to: schema.classes.map { ClassDeclaration($0, in: schema) },
        schemaVersion: (schema.schemaVersion ?? 0) + 1)
      try migration.begin()
      for _ in 0..<random.int(0...4) { try step(writer, &random) }
      var keys: [ObjectKey] = []
      try writer.forEachKey(node.id) { keys.append($0) }
      for key in keys where random.oneIn(4) {
        try writer.set(node.id, column("id", writer), key, .int(Int64(random.next() >> 1)))
      }
      for _ in 0..<random.int(0...4) { try step(writer, &random) }
      try migration.finish()
      for _ in 0..<random.int(0...4) { try step(writer, &random) }
    }
  }

  private func step(_ writer: StoreWriter, _ random: inout SeededRandom) throws {
    var keys: [ObjectKey] = []
    try writer.forEachKey(node.id) { keys.append($0) }
    guard keys.count > 4, !random.oneIn(6) else {
      let key = try writer.create(node.id, primaryKey: .int(Int64(random.next() >> 1)))
      return try writer.set(node.id, column("value", writer), key, .int(random.anyInt64()))
    }
    let (key, other) = (random.pick(keys), random.pick(keys))
    switch random.int(0...8) {
    case 0: try writer.delete(node.id, key)
    case 1: try writer.set(node.id, column("value", writer), key, .int(random.anyInt64()))
    case 2: try writer.set(node.id, column("name", writer), key, random.oneIn(3) ? .null : .string(random.string()))
    case 3: try writer.set(node.id, column("next", writer), key, random.oneIn(4) ? .null : .link(other))
    case 4:
      if let id = writer.schema["Node"]?.column(named: "numbers")?.id {
        try list(writer, id, key, &random) { .int(Int64($0.int(0...99))) }
      }
    case 5: try list(writer, column("links", writer), key, &random) { .link($0.pick(keys)) }
    case 6: try embed(writer, key, other, &random)
    case 7: try set(writer, key, &random)
    default: try map(writer, key, &random)
    }
  }

  private func column(_ name: String, _ writer: StoreWriter) throws -> ColumnID {
    try #require(writer.schema["Node"]?.column(named: name)).id
  }

  private func list(
    _ writer: StoreWriter, _ column: ColumnID, _ key: ObjectKey, _ random: inout SeededRandom,
    _ value: (inout SeededRandom) -> StoredValue
  ) throws {
    let count = try writer.list(node.id, column, key).count
    guard count > 0, !random.oneIn(2) else {
      let values = (0..<random.int(1...20)).map { _ in value(&random) }
      return try writer.lists.insert(node.id, column, key, at: random.int(0...count), values)
    }
    let position = random.int(0..<count)
    switch random.int(0...4) {
    case 0: try writer.lists.remove(node.id, column, key, position..<min(count, position + random.int(1...3)))
    case 1: try writer.lists.set(node.id, column, key, at: position, value(&random))
    case 2: try writer.lists.move(node.id, column, key, from: position, to: random.int(0..<count))
    case 3: try writer.lists.assign(node.id, column, key, [value(&random), value(&random)])
    default: try writer.lists.clear(node.id, column, key)
    }
  }

  private func embed(
    _ writer: StoreWriter, _ key: ObjectKey, _ other: ObjectKey, _ random: inout SeededRandom
  ) throws {
    let parts = try column("parts", writer)
    let count = try writer.list(node.id, parts, key).count
    let made =
      random.oneIn(2)
      ? try writer.createEmbedded(in: node.id, column("part", writer), key)
      : try writer.insertEmbedded(in: node.id, parts, key, at: random.int(0...count))
    try writer.set(part.id, part.columns[0].id, made, .int(random.anyInt64()))
    try writer.set(part.id, part.columns[1].id, made, .link(other))
  }

  private func set(_ writer: StoreWriter, _ key: ObjectKey, _ random: inout SeededRandom) throws {
    let labels = try column("labels", writer)
    let values = (0..<random.int(1...4)).map { _ in StoredValue.string("label \(random.int(0...9))") }
    switch random.int(0...5) {
    case 0: try writer.sets.clear(node.id, labels, key)
    case 1: _ = try writer.sets.remove(node.id, labels, key, values)
    case 2: try writer.sets.assign(node.id, labels, key, values)
    default: _ = try writer.sets.insert(node.id, labels, key, values)
    }
  }

  private func map(_ writer: StoreWriter, _ key: ObjectKey, _ random: inout SeededRandom) throws {
    let words = try column("words", writer)
    let pairs = (0..<random.int(1...4)).map { _ in ("key \(random.int(0...9))", StoredValue.int(random.anyInt64())) }
    switch random.int(0...5) {
    case 0: try writer.maps.clear(node.id, words, key)
    case 1: _ = try writer.maps.remove(node.id, words, key, pairs[0].0)
    case 2: try writer.maps.assign(node.id, words, key, pairs)
    default: try writer.maps.put(node.id, words, key, pairs)
    }
  }
}
