import TestSupport
import Testing

@testable import LarderStorage

/// Stores of very many classes.
@Suite struct ManyClassesTests {
  private static func declarations(_ count: Int) -> [ClassDeclaration] {
    (0..<count).map { number in
      var columns = [
        ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
        ColumnDeclaration(name: "next", type: .link, target: "Class\((number + 1) % count)"),
      ]
      if number % 100 == 0 { columns.append(ColumnDeclaration(name: "any", type: .mixed, isOptional: true)) }
      return ClassDeclaration(name: "Class\(number)", columns: columns)
    }
  }

  @Test(
    "F-64: a transaction makes the state of the classes that it uses, and keeps it for the next one",
    .notUnder(.reopening, "it looks at what is kept for the next transaction"))
  func used() throws {
    let fixture = try TemporaryStore()
    try fixture.write { try $0.apply(Self.declarations(1_000), schemaVersion: 0) }
    let schema = try fixture.snapshot.schema
    let (first, second) = (try #require(schema["Class7"]), try #require(schema["Class8"]))
    try fixture.write { writer in
      #expect(writer.classes.allSatisfy { $0 == nil })
      let target = try writer.create(second.id, primaryKey: 1)
      let key = try writer.create(first.id, primaryKey: 1)
      try writer.set(first.id, #require(first.column(named: "next")).id, key, .link(target))
      #expect(writer.classes.count { $0 != nil } == 2)
    }
    struct Undone: Error {}
    try fixture.write { writer in
      #expect(writer.classes.count { $0 != nil } == 2)
      // A class that only an undone part used is as before, but for the keys that were given.
      #expect(throws: Undone.self) {
        try writer.savepoint {
          for number in 1...3 { _ = try writer.create(schema.classes[500].id, primaryKey: Int64(number)) }
          throw Undone()
        }
      }
      #expect(try writer.count(of: schema.classes[500].id) == 0)
      #expect(try writer.object(schema.classes[500].id, primaryKey: .int(1)) == nil)
      #expect(try writer.create(schema.classes[500].id, primaryKey: 1).rawValue == 3)
      // Deleting looks for links in every class that may hold them.
      try writer.delete(second.id, ObjectKey(rawValue: 0))
    }
    let snapshot = try fixture.snapshot
    #expect(try snapshot.value(first.id, first.columns[1].id, ObjectKey(rawValue: 0)) == .null)
    #expect(try snapshot.count(of: schema.classes[500].id) == 1)
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
  }

  @Test(
    "F-64: a version makes the directory of a class once, whichever reader asks first; there is none where there is no class"
  )
  func directories() async {
    let directories = ClassDirectories([3, 0, 2], CatalogState(), clusterSize: 8, mostObjects: 100)
    let (first, last) = (ClassID(rawValue: 0), ClassID(rawValue: 2))
    let found = await withTaskGroup(of: [ObjectIdentifier?].self) { group in
      for _ in 0..<16 {
        group.addTask {
          [
            directories.leaves(first).map { ObjectIdentifier($0) },
            directories.index(last, ColumnID(rawValue: 1)).map { ObjectIdentifier($0) },
          ]
        }
      }
      return await group.reduce(into: Set<[ObjectIdentifier?]>()) { $0.insert($1) }
    }
    #expect(found.count == 1 && found.allSatisfy { !$0.contains(nil) })
    #expect(directories.leaves(first) !== directories.leaves(last))
    #expect(directories.leaves(ClassID(rawValue: 1)) == nil && directories.leaves(ClassID(rawValue: 3)) == nil)
    for (classID, column) in [(3, 0), (1, 0), (2, 2)] as [(UInt16, UInt16)] {
      #expect(directories.index(ClassID(rawValue: .init(classID)), ColumnID(rawValue: .init(column))) == nil)
    }
  }

  @Test("F-64: the columns that may link to a class are those that say so")
  func incoming() throws {
    let fixture = try TemporaryStore()
    try fixture.write { try $0.apply(Self.declarations(300), schemaVersion: 0) }
    let schema = try fixture.snapshot.schema
    for target in schema.classes {
      let expected = schema.classes.flatMap { origin in
        origin.columns.filter { $0.target == target.id || $0.type == .mixed }.map { "\(origin.name).\($0.name)" }
      }
      #expect(schema.incoming(to: target).map { "\($0.origin.name).\($0.column.name)" } == expected)
      let links = schema.classes.flatMap { origin in
        origin.columns.filter { $0.target == target.id }.map { "\(origin.name).\($0.name)" }
      }
      #expect(schema.origins(of: target.id).map { "\($0.origin.name).\($0.column.name)" } == links)
    }
  }
}
