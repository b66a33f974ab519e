import TestSupport
import Testing

@testable import LarderStorage

/// Migrations that change primary keys.
@Suite struct RekeyingTests {
  /// Gives some nodes other primary keys, some of which other nodes have until then. Returns nothing that was not there before.
  private func reassign(
    _ fixture: RekeyingFixture, _ writer: StoreWriter, _ serial: inout Int64, _ random: inout SeededRandom
  ) throws {
    let node = try #require(writer.schema["Node"])
    let column = try #require(node.primaryKey).id
    let keys = try fixture.keys(node.id, writer)
    let chosen = random.oneIn(4) ? keys : keys.filter { _ in random.oneIn(3) }
    var values = try chosen.map { try writer.value(node.id, column, $0) }
    switch random.int(0...2) {
    case 0: values.shuffle(using: &random)
    case 1:
      for index in values.indices {
        serial += 1
        values[index] = .string("again \(serial)")
      }
    default:
      values = values.map { value in
        if case .string(let text) = value { .string("\(text)'") } else { value }
      }
      if let first = values.indices.first, !(try hasNull(node, column, keys, writer)) { values[first] = .null }
    }
    for (key, value) in zip(chosen, values) { try writer.set(node.id, column, key, value) }
  }

  private func hasNull(
    _ node: ClassDescriptor, _ column: ColumnID, _ keys: [ObjectKey], _ writer: StoreWriter
  ) throws -> Bool {
    try keys.contains { try writer.value(node.id, column, $0).isNull }
  }

  @Test(
    "L-6: a migration that changes primary keys gives just these objects new keys, and they keep values, parts and links to them",
    arguments: [8, 496], [false, true])
  func agrees(clusterSize: Int, isEncrypted: Bool) throws {
    var random = SeededRandom.forTest()
    let fixture = try RekeyingFixture(clusterSize: clusterSize, key: isEncrypted ? .test() : nil)
    var serial: Int64 = 0
    try fixture.store.write { try fixture.make(30, $0, &serial, &random) }
    for round in 2..<12 {
      let before = try fixture.store.snapshot
      let writer = try fixture.store.store.beginWrite()
      defer { writer.cancel() }
      if random.oneIn(3) { try fixture.make(2, writer, &serial, &random) }
      let migration = try SchemaMigration(writer, to: fixture.declarations, schemaVersion: UInt64(round))
      try migration.begin()
      if random.oneIn(2) { try fixture.make(3, writer, &serial, &random) }
      try reassign(fixture, writer, &serial, &random)
      let node = try #require(writer.schema["Node"])
      if random.oneIn(2) {
        let key = random.pick(try fixture.keys(node.id, writer))
        try fixture.fill(node, key, writer, &serial, &random)
      }
      if random.oneIn(2) { try writer.delete(node.id, random.pick(try fixture.keys(node.id, writer))) }
      let (wanted, wantedKeys) = (try fixture.dump(writer), try fixture.primaryKeys(writer))
      try migration.finish()
      try writer.commit()

      let after = try fixture.store.snapshot
      let problems = try StoreVerifier.verify(after)
      #expect(problems.isEmpty, "seed \(random.seed), round \(round): \(problems.map(\.description))")
      #expect(try fixture.dump(after) == wanted, "seed \(random.seed), round \(round)")
      #expect(try fixture.primaryKeys(after) == wantedKeys)
      try checkKeys(fixture, before, after, "seed \(random.seed), round \(round)")
      try checkRecord(fixture, before, after)
      try fixture.store.write { try fixture.make(2, $0, &serial, &random) }
      guard problems.isEmpty else { return }
    }
  }

  /// Just the objects whose primary key changed have new keys, which no object had before.
  private func checkKeys(
    _ fixture: RekeyingFixture, _ before: Snapshot, _ after: Snapshot, _ place: String
  ) throws {
    let node = try #require(after.schema["Node"]).id
    let (old, new) = (try fixture.places(before), try fixture.places(after))
    let (oldKeys, newKeys) = (try fixture.primaryKeys(before), try fixture.primaryKeys(after))
    for (title, key) in new {
      guard let was = old[title] else { continue }
      if oldKeys[title] == newKeys[title] {
        #expect(key == was, "\(title), \(place)")
      } else {
        #expect(key >= before.nextObjectKey(of: node), "\(title), \(place)")
      }
      #expect(try after.object(node, primaryKey: try #require(newKeys[title])) == key)
    }
  }

  /// The log has the old objects as deleted, with the primary keys they had, and the new ones as created.
  private func checkRecord(_ fixture: RekeyingFixture, _ before: Snapshot, _ after: Snapshot) throws {
    let node = try #require(after.schema["Node"]).id
    let record = try #require(try after.store.log.record(after.version, in: after.transaction))
    let changes = try #require(record[node])
    #expect(!changes.isTruncated && record.flags.contains(.migration) && !record.flags.contains(.truncated))
    let (old, new) = (try fixture.places(before), try fixture.places(after))
    let (gone, come) = (Set(old.values).subtracting(new.values), Set(new.values).subtracting(old.values))
    #expect(changes.deleted == KeyRanges(gone.sorted()) && changes.derivedDeleted.isEmpty)
    #expect(changes.inserted == KeyRanges(come.sorted()))
    let primaryKeys = try fixture.primaryKeys(before)
    for (title, key) in old where gone.contains(key) {
      let tombstone = try after.store.log.tombstone(node, key, in: after.transaction)
      #expect(tombstone?.primaryKey == primaryKeys[title] && tombstone?.version == after.version)
    }
    // Parts go and come with their owners, and the record names the new ones.
    for name in ["Part", "Inner"] {
      let id = try #require(after.schema[name]).id
      guard let parts = record[id] else { continue }
      for key in parts.inserted.runs.flatMap({ $0.start..<$0.end }).map({ ObjectKey(rawValue: $0) }) {
        let named = try #require(parts.owners.lazy.compactMap { $0.owner(of: key) }.first)
        #expect(
          try after.backlinks(
            to: ObjectLink(classID: id, key: key), from: named.owner.classID, named.column) == [named.owner.key])
      }
    }
  }

  /// A class of people with an identifier and a name, one of them the key.
  private func people(_ key: String?, idType: ColumnType = .int) -> ClassDeclaration {
    ClassDeclaration(
      name: "Person",
      columns: [
        ColumnDeclaration(name: "id", type: idType, isPrimaryKey: key == "id"),
        ColumnDeclaration(name: "code", type: .int, isPrimaryKey: key == "code"),
      ])
  }

  private func personKeys(_ snapshot: Snapshot) throws -> [UInt64] {
    let person = try #require(snapshot.schema["Person"]).id
    return try (0..<snapshot.nextObjectKey(of: person).rawValue).filter {
      try snapshot.contains(person, ObjectKey(rawValue: $0))
    }
  }

  @Test(
    "L-6: what counts is the value: another property with the same value, or a class that gains or loses its key, moves nothing"
  )
  func identities() throws {
    let store = try TemporaryStore(clusterSize: 8)
    func migrate(_ declaration: ClassDeclaration, defaults: [String: StoredValue] = [:]) throws -> [UInt64] {
      let version = (try store.snapshot.schema.schemaVersion ?? 0) + 1
      try store.write { writer in
        let migration = try SchemaMigration(
          writer, to: [declaration], schemaVersion: version, defaults: ["Person": defaults])
        try migration.begin()
        guard declaration.columns[0].type == .string else { return try migration.finish() }
        let person = try #require(writer.schema["Person"])
        let column = try #require(person.column(named: "id")).id
        try writer.forEachKey(person.id) { key in
          try writer.set(person.id, column, key, .string("\(key.rawValue)"))
        }
        try migration.finish()
      }
      let after = try store.snapshot
      #expect(try StoreVerifier.verify(after).isEmpty)
      return try personKeys(after)
    }
    try store.write { writer in
      try writer.apply([people(nil)], schemaVersion: 1)
      let person = try #require(writer.schema["Person"])
      for number in 0..<3 {
        let key = try writer.create(person.id)
        for column in person.columns { try writer.set(person.id, column.id, key, .int(Int64(number))) }
      }
    }
    #expect(try migrate(people("id")) == [0, 1, 2])
    #expect(try migrate(people("code")) == [0, 1, 2])
    #expect(try migrate(people(nil)) == [0, 1, 2])
    #expect(try migrate(people("id")) == [0, 1, 2])
    // The same digits as text are another key.
    #expect(try migrate(people("id", idType: .string)) == [3, 4, 5])
    let record = try #require(
      try store.snapshot.store.log.record(store.snapshot.version, in: store.snapshot.transaction))
    let changes = try #require(record.classes.first)
    // A column went, so that not all is reported, but what came and what went is.
    #expect(changes.isTruncated)
    #expect(changes.inserted == ranges(3, 4, 5) && changes.deleted == ranges(0, 1, 2))
  }

  @Test("L-7: what a migration deletes leaves the primary key it had before, not the one that the block gave it")
  func tombstones() throws {
    var random = SeededRandom.forTest()
    let fixture = try RekeyingFixture()
    var serial: Int64 = 0
    try fixture.store.write { try fixture.make(4, $0, &serial, &random) }
    try fixture.store.write { writer in
      let migration = try SchemaMigration(writer, to: fixture.declarations, schemaVersion: 2)
      try migration.begin()
      let node = try #require(writer.schema["Node"])
      let key = ObjectKey(rawValue: 2)
      try writer.set(node.id, try #require(node.primaryKey).id, key, .string("other"))
      try writer.delete(node.id, key)
      try migration.finish()
    }
    let after = try fixture.store.snapshot
    let node = try #require(after.schema["Node"]).id
    #expect(
      try after.store.log.tombstone(node, ObjectKey(rawValue: 2), in: after.transaction)?.primaryKey
        == .string("made 5"))
    #expect(try StoreVerifier.verify(after).isEmpty)
  }

  @Test("L-6, L-8: links to rows that are not there stay such links in objects that move")
  func ghosts() throws {
    let store = try TemporaryStore(clusterSize: 8)
    let declaration = ClassDeclaration(
      name: "Node",
      columns: [
        ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
        ColumnDeclaration(name: "next", type: .link, target: "Node"),
        ColumnDeclaration(name: "links", type: .link, collection: .list, target: "Node"),
        ColumnDeclaration(name: "any", type: .mixed),
      ])
    let (ghost, holder) = (ObjectKey(rawValue: 0), ObjectKey(rawValue: 1))
    try store.write { writer in
      try writer.apply([declaration], schemaVersion: 1)
      let node = try #require(writer.schema["Node"])
      for number in 0..<2 { _ = try writer.create(node.id, primaryKey: .int(Int64(number))) }
      let columns = node.columns.map(\.id)
      try writer.set(node.id, columns[1], holder, .link(ghost))
      try writer.lists.insert(node.id, columns[2], holder, at: 0, [.link(ghost), .link(holder)])
      try writer.set(node.id, columns[3], holder, .list([.object(ObjectLink(classID: node.id, key: ghost))]))
    }
    try store.write { writer in
      // The row goes physically, without the clean-up of a deletion.
      let owner = try writer.classWriter(try #require(writer.schema["Node"]).id)
      let cluster = try writer.cluster(owner, 0)
      cluster.presenceWillChange(0)
      cluster.presence.clear(0)
      owner.primaryKeys.remove(.int(0), ghost)
      owner.count -= 1
      owner.isDirty = true
    }
    try store.write { writer in
      let migration = try SchemaMigration(writer, to: [declaration], schemaVersion: 2)
      try migration.begin()
      let node = try #require(writer.schema["Node"])
      try writer.set(node.id, try #require(node.primaryKey).id, holder, .int(7))
      try migration.finish()
    }
    let after = try store.snapshot
    let node = try #require(after.schema["Node"])
    let moved = try #require(try after.object(node.id, primaryKey: .int(7)))
    #expect(moved == ObjectKey(rawValue: 2))
    #expect(try after.list(node.id, node.columns[2].id, moved).values() == [.link(ghost), .link(moved)])
    for column in node.columns.dropFirst() {
      #expect(
        try after.backlinks(to: ObjectLink(classID: node.id, key: ghost), from: node.id, column.id) == [moved],
        "\(column.name)")
    }
    #expect(try StoreVerifier.verify(after).allSatisfy { $0.structure == .backlink })
  }
}
