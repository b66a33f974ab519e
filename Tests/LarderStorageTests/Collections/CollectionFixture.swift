import TestSupport
import Testing

@testable import LarderStorage

/// A store with one object of a class `Owner` that has the columns to be tested, a class `Item` to link to and an embedded
/// class `Part`.
struct CollectionFixture {
  private let temporary: TemporaryStore
  var store: Store { temporary.store }
  let owner: ClassID
  let item: ClassID
  let part: ClassID
  let key: ObjectKey

  init(_ columns: [ColumnDeclaration], clusterSize: Int = StoreLayout.defaultClusterSize) throws {
    temporary = try TemporaryStore(clusterSize: clusterSize)
    (owner, item, part, key) = try temporary.write { writer in
      try writer.apply(
        [
          ClassDeclaration(name: "Owner", columns: columns),
          ClassDeclaration(name: "Item", columns: [ColumnDeclaration(name: "number", type: .int)]),
          ClassDeclaration(name: "Part", isEmbedded: true, columns: [ColumnDeclaration(name: "number", type: .int)]),
        ], schemaVersion: 1)
      let owner = try #require(writer.schema["Owner"]).id
      return (
        owner, try #require(writer.schema["Item"]).id, try #require(writer.schema["Part"]).id, try writer.create(owner)
      )
    }
  }

  func column(_ name: String) throws -> ColumnID {
    try #require(try store.snapshot().schema["Owner"]?.column(named: name)).id
  }

  func snapshot() throws -> Snapshot { try store.snapshot() }
  func problems() throws -> [StoreProblem] { try StoreVerifier.verify(try store.snapshot()) }

  @discardableResult
  func write<R>(_ body: (StoreWriter) throws -> R) throws -> R { try temporary.write(body) }

  static func elements(_ list: any ListReading) throws -> [StoredValue] {
    try (0..<list.count).map { try list.value(at: $0) }
  }
}
