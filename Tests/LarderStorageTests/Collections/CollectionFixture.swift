import TestSupport
import Testing

@testable import LarderStorage

/// A store with one object of a class `Owner` that has the columns to be tested, a class `Item` to link to and an embedded
/// class `Part`.
struct CollectionFixture {
  let directory: TemporaryDirectory
  let store: Store
  let owner: ClassID
  let item: ClassID
  let part: ClassID
  let key: ObjectKey

  init(_ columns: [ColumnDeclaration]) throws {
    directory = try TemporaryDirectory()
    var options = StoreOptions()
    options.durability = .none
    store = try Store.open(path: directory.file("test.larder"), options: options)
    let writer = try store.beginWrite()
    try writer.apply(
      [
        ClassDeclaration(name: "Owner", columns: columns),
        ClassDeclaration(name: "Item", columns: [ColumnDeclaration(name: "number", type: .int)]),
        ClassDeclaration(name: "Part", isEmbedded: true, columns: [ColumnDeclaration(name: "number", type: .int)]),
      ], schemaVersion: 1)
    owner = try #require(writer.schema["Owner"]).id
    item = try #require(writer.schema["Item"]).id
    part = try #require(writer.schema["Part"]).id
    key = try writer.create(owner)
    try writer.commit()
  }

  func column(_ name: String) throws -> ColumnID {
    try #require(try store.snapshot().schema["Owner"]?.column(named: name)).id
  }

  func snapshot() throws -> Snapshot { try store.snapshot() }
  func problems() throws -> [StoreProblem] { try StoreVerifier.verify(try store.snapshot()) }

  @discardableResult
  func write<R>(_ body: (StoreWriter) throws -> R) throws -> R {
    let writer = try store.beginWrite()
    do {
      let result = try body(writer)
      try writer.commit()
      return result
    } catch {
      writer.cancel()
      throw error
    }
  }

  static func elements(_ list: any ListReading) throws -> [StoredValue] {
    try (0..<list.count).map { try list.value(at: $0) }
  }
}
