import Foundation
import TestSupport
import Testing

@testable import LarderStorage

/// Random migrations with random changes of objects before, within and after them, compared with plain Swift values.
@Suite struct MigrationModelTests {
  struct Column: Hashable {
    var name: String
    var type: ColumnType
    var isOptional: Bool
    var isIndexed: Bool
    var isList: Bool

    var declaration: ColumnDeclaration {
      ColumnDeclaration(
        name: name, type: type, collection: isList ? .list : .none, isOptional: isOptional, isIndexed: isIndexed)
    }
    var zero: StoredValue { isOptional ? .null : .zero(type) }
    var initial: [StoredValue] { isList ? [] : [zero] }
  }

  /// Values of a list, or the one value of another property.
  typealias Row = [String: [StoredValue]]

  struct Model {
    var columns: [Column] = []
    var rows: [ObjectKey: Row] = [:]
  }

  private static let types: [ColumnType] = [.int, .string, .double, .date, .bool]

  private func value(_ column: Column, _ random: inout SeededRandom) -> StoredValue {
    if column.isOptional, random.oneIn(3) { return .null }
    switch column.type {
    case .int: return .int(Int64(random.int(-3...3)))
    case .string:
      return .string(random.oneIn(12) ? String(repeating: "long ", count: 400) : random.string(maxLength: 3))
    case .double: return .double(Double(random.int(-3...3)) / 2)
    case .date: return .date(Timestamp(seconds: Int64(random.int(-2...2)), nanoseconds: 0))
    default: return .bool(random.oneIn(2))
    }
  }

  private func contents(_ column: Column, _ random: inout SeededRandom) -> [StoredValue] {
    column.isList ? (0..<random.int(0...4)).map { _ in value(column, &random) } : [value(column, &random)]
  }

  private func newColumn(_ names: inout Int, _ random: inout SeededRandom) -> Column {
    names += 1
    let isList = random.oneIn(4)
    let type = random.pick(Self.types)
    return Column(
      name: "c\(names)", type: type, isOptional: random.oneIn(2),
      isIndexed: !isList && random.oneIn(2), isList: isList)
  }

  /// Some changes of objects in an open transaction.
  private func change(
    _ writer: StoreWriter, _ model: inout Model, _ count: Int, _ random: inout SeededRandom
  ) throws {
    let entry = try #require(writer.schema["Thing"])
    for _ in 0..<count {
      if model.rows.isEmpty || random.oneIn(4) {
        let key = try writer.create(entry.id)
        model.rows[key] = Dictionary(uniqueKeysWithValues: model.columns.map { ($0.name, $0.initial) })
      } else if random.oneIn(6) {
        let key = random.pick(model.rows.keys.sorted())
        try writer.delete(entry.id, key)
        model.rows[key] = nil
      }
      guard !model.rows.isEmpty, !model.columns.isEmpty else { continue }
      let key = random.pick(model.rows.keys.sorted())
      let column = random.pick(model.columns)
      let id = try #require(entry.column(named: column.name)?.id)
      let values = contents(column, &random)
      if column.isList {
        try writer.lists.assign(entry.id, id, key, values)
      } else {
        try writer.set(entry.id, id, key, values[0])
      }
      model.rows[key]?[column.name] = values
    }
  }

  private func compare(_ store: TemporaryStore, _ model: Model) throws {
    let snapshot = try store.snapshot
    let problems = try StoreVerifier.verify(snapshot)
    #expect(problems.isEmpty, "\(problems.map(\.description))")
    let entry = try #require(snapshot.schema["Thing"])
    #expect(entry.columns.map(\.name) == model.columns.map(\.name))
    var keys: Set<ObjectKey> = []
    for cluster in 0..<(try snapshot.clusterCount(of: entry.id)) {
      guard let presence = try snapshot.presence(entry.id, cluster: cluster) else { continue }
      for slot in 0..<presence.count where presence.bool(slot) {
        keys.insert(ObjectKey(rawValue: UInt64(cluster * snapshot.clusterSize + slot)))
      }
    }
    #expect(keys == Set(model.rows.keys))
    for (key, row) in model.rows {
      for column in model.columns {
        let id = try #require(entry.column(named: column.name)?.id)
        let found =
          column.isList
          ? try snapshot.list(entry.id, id, key).values() : [try snapshot.value(entry.id, id, key)]
        #expect(found == row[column.name], "\(column.name) of \(key.rawValue)")
      }
    }
  }

  /// Random differences: what the declared columns are then, where their values come from, and the renames.
  private struct Differences {
    var columns: [Column]
    /// By new name: the old column; nil for one that starts again.
    var origin: [String: Column] = [:]
    var renames: [(old: String, new: String)] = []
    var defaults: [String: StoredValue] = [:]
  }

  private func differences(_ model: Model, _ names: inout Int, _ random: inout SeededRandom) -> Differences {
    var result = Differences(columns: [])
    for old in model.columns {
      var column = old
      switch random.int(0...9) {
      case 0 where model.columns.count > 2: continue
      case 1, 2:
        names += 1
        column.name = "c\(names)"
        if !old.isOptional, random.oneIn(2) { column.isOptional = true }
        result.renames.append((old.name, column.name))
      case 3, 4: column.isOptional.toggle()
      case 5:
        column.type = random.pick(Self.types.filter { $0 != old.type })
      case 6 where !column.isList: column.isIndexed.toggle()
      default: break
      }
      if column.type == old.type { result.origin[column.name] = old }
      result.columns.append(column)
    }
    for _ in 0..<random.int(0...2) { result.columns.append(newColumn(&names, &random)) }
    for column in result.columns where !column.isList && random.oneIn(2) {
      let chosen = value(column, &random)
      if !chosen.isNull { result.defaults[column.name] = chosen }
    }
    result.columns.shuffle(using: &random)
    return result
  }

  /// The rows as they are when a migration has begun; those of `renamed` columns hold what they hold after the renaming.
  private func migrated(_ model: Model, _ differences: Differences) -> Model {
    var result = Model(columns: differences.columns)
    for (key, row) in model.rows {
      var made: Row = [:]
      for column in differences.columns {
        let value = differences.defaults[column.name]
        guard let old = differences.origin[column.name], let values = row[old.name] else {
          made[column.name] = column.isList ? [] : [value ?? column.zero]
          continue
        }
        let filler = value ?? .zero(column.type)
        made[column.name] = values.map { $0.isNull && !column.isOptional ? filler : $0 }
      }
      result.rows[key] = made
    }
    return result
  }

  @Test("M-39 to M-43, M-63 random migrations agree with plain values", arguments: 0..<6)
  func agrees(_ round: Int) throws {
    var random = SeededRandom.forTest()
    for _ in 0..<round { _ = random.next() }
    let store = try TemporaryStore(clusterSize: 8)
    var model = Model()
    var names = 0
    for _ in 0..<4 { model.columns.append(newColumn(&names, &random)) }
    try store.write { writer in
      try writer.apply([ClassDeclaration(name: "Thing", columns: model.columns.map(\.declaration))], schemaVersion: 1)
      try change(writer, &model, 60, &random)
    }
    try compare(store, model)
    for version in 2..<14 {
      let differences = differences(model, &names, &random)
      let before = model
      let isCancelled = random.oneIn(4)
      let writer = try store.store.beginWrite()
      // Sometimes after other changes in the same transaction.
      if random.oneIn(3) { try change(writer, &model, 5, &random) }
      let old = model
      let migration = try SchemaMigration(
        writer,
        to: [ClassDeclaration(name: "Thing", columns: differences.columns.map(\.declaration))],
        schemaVersion: UInt64(version), defaults: ["Thing": differences.defaults])
      try migration.begin()
      // Objects made before the renaming keep what was given to the new name, the others get the old values.
      var early = Model(columns: differences.columns)
      early.rows = migrated(old, differences).rows
      if random.oneIn(2) { try change(writer, &early, 10, &random) }
      for rename in differences.renames {
        try migration.renameColumn(onType: "Thing", from: rename.old, to: rename.new)
        for key in early.rows.keys where old.rows[key] != nil {
          early.rows[key]?[rename.new] = migrated(old, differences).rows[key]?[rename.new]
        }
      }
      model = early
      if random.oneIn(2) { try change(writer, &model, 10, &random) }
      try migration.finish()
      if random.oneIn(3) { try change(writer, &model, 5, &random) }
      if isCancelled {
        writer.cancel()
        model = before
      } else {
        try writer.commit()
      }
      try compare(store, model)
      try store.write { try change($0, &model, 10, &random) }
    }
    try compare(store, model)
  }

  @Test("M-40 objects made in a migration hold what they were given, also in a class that was empty or is new")
  func madeInBetween() throws {
    let store = try TemporaryStore(clusterSize: 8)
    try store.write { writer in
      let column = ColumnDeclaration(name: "a", type: .int)
      try writer.apply([ClassDeclaration(name: "Thing", columns: [column])], schemaVersion: 1)
    }
    let thing = ClassDeclaration(
      name: "Thing",
      columns: [
        ColumnDeclaration(name: "b", type: .int), ColumnDeclaration(name: "c", type: .double, isOptional: true),
      ])
    let fresh = ClassDeclaration(
      name: "Fresh",
      columns: [
        ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
        ColumnDeclaration(name: "name", type: .string, isIndexed: true),
      ])
    try store.write { writer in
      let migration = try SchemaMigration(
        writer, to: [thing, fresh], schemaVersion: 2, defaults: ["Thing": ["c": .double(0.5)]])
      try migration.begin()
      _ = try writer.create(try #require(writer.schema["Thing"]).id)
      let entry = try #require(writer.schema["Fresh"])
      for number in 0..<20 {
        let key = try writer.create(entry.id, primaryKey: .int(Int64(number)))
        try writer.set(entry.id, try #require(entry.column(named: "name")).id, key, .string("n\(number % 3)"))
      }
      try migration.renameColumn(onType: "Thing", from: "a", to: "b")
      try migration.finish()
    }
    let snapshot = try store.snapshot
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
    let things = try #require(snapshot.schema["Thing"])
    let c = try #require(things.column(named: "c")?.id)
    #expect(try snapshot.value(things.id, c, ObjectKey(rawValue: 0)) == .null)
    let entry = try #require(snapshot.schema["Fresh"])
    let column = try #require(entry.column(named: "name")?.id)
    let name = try #require(try snapshot.index(entry.id, column))
    #expect(try name.entryCount() == 20 && name.count(equalTo: .string("n1")) == 7)
  }

  @Test("M-39 adding, renaming and indexing properties rewrites no leaf; a default writes its own leaves only")
  func touchesOnlyWhatChanges() throws {
    let store = try TemporaryStore(clusterSize: 64)
    try store.write { writer in
      let declared = ["a", "b", "c"].map { ColumnDeclaration(name: $0, type: .int) }
      try writer.apply([ClassDeclaration(name: "Thing", columns: declared)], schemaVersion: 1)
      let entry = try #require(writer.schema["Thing"])
      for number in 0..<2_000 {
        let key = try writer.create(entry.id)
        for column in entry.columns { try writer.setInt(entry.id, column.id, key, Int64(number &* 7919 % 1_001)) }
      }
    }
    let before = try store.snapshot
    func migrate(_ names: [String], rename: Bool = false, defaults: [String: StoredValue] = [:]) throws -> Snapshot {
      try store.write { writer in
        let columns = names.map { ColumnDeclaration(name: $0, type: .int, isIndexed: $0 == "a") }
        let migration = try SchemaMigration(
          writer, to: [ClassDeclaration(name: "Thing", columns: columns)], schemaVersion: nil,
          defaults: ["Thing": defaults])
        try migration.begin()
        if rename { try migration.renameColumn(onType: "Thing", from: "b", to: "renamed") }
        try migration.finish()
      }
      return try store.snapshot
    }
    let old = try #require(before.schema["Thing"])
    let middle = try migrate(["a", "renamed", "c", "new"], rename: true)
    let last = try migrate(["a", "renamed", "new", "seven"], defaults: ["seven": .int(7)])
    for after in [middle, last] {
      let new = try #require(after.schema["Thing"])
      for cluster in 0..<(try after.clusterCount(of: new.id)) {
        for (name, was) in [("a", "a"), ("renamed", "b")] {
          let column = try #require(new.column(named: name)?.id)
          #expect(column == old.column(named: was)?.id)
          let (stored, storedBefore) = (
            try after.leafBytes(new.id, column, cluster: cluster),
            try before.leafBytes(old.id, column, cluster: cluster)
          )
          let now = try #require(stored)
          let then = try #require(storedBefore)
          // The very page, since a page that is written moves. Leaves of one cluster share pages: at the end it is a copy.
          if after === middle { #expect(now.base == then.base) } else { #expect(now.bytes == then.bytes) }
        }
        let added = try #require(new.column(named: "new")?.id)
        #expect(try after.leaf(new.id, added, cluster: cluster) == nil)
      }
      #expect(try StoreVerifier.verify(after).isEmpty)
    }
    let entry = try #require(last.schema["Thing"])
    let seven = try #require(entry.column(named: "seven")?.id)
    for key in [0, 999, 1_999] {
      #expect(try last.value(entry.id, seven, ObjectKey(rawValue: UInt64(key))) == .int(7))
    }
  }
}
