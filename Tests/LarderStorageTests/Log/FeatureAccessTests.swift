import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

@Suite("Features of a store")
struct FeatureAccessTests {
  /// A new store whose identity was changed, with further tables, and nothing open.
  private func makeStore(
    _ directory: TemporaryDirectory, tables: [String] = [], _ change: (inout CatalogIdentity) -> Void = { _ in }
  ) throws -> String {
    let path = directory.file("store.larder")
    _ = try Store.open(path: path)
    let environment = try Environment.open(path: path, options: EnvironmentOptions(tables: StoreLayout.tables + tables))
    let catalog = environment.table(StoreLayout.catalog)
    let transaction = try environment.beginWrite()
    let stored = try #require(try transaction.get(catalog, StoreLayout.identityKey))
    var identity = try CatalogIdentity(stored, path: path)
    change(&identity)
    try transaction.put(catalog, StoreLayout.identityKey, identity.encode())
    try transaction.commit()
    return path
  }

  private func code(opening path: String, readOnly: Bool) -> StorageError.Code? {
    var options = StoreOptions()
    options.readOnly = readOnly
    do {
      _ = try Store.open(path: path, options: options)
      return nil
    } catch {
      return (error as? StorageError)?.code ?? .internalError
    }
  }

  @Test("L-24 an unknown incompatible bit forbids opening, a read-only one writing, a compatible one nothing")
  func bits() throws {
    let directory = try TemporaryDirectory("features")
    let path = try makeStore(directory) { $0.compatible = 1 << 40 }
    #expect(code(opening: path, readOnly: false) == nil)
    let other = try TemporaryDirectory("features")
    let limited = try makeStore(other) { $0.readOnlyCompatible = 1 << 3 }
    #expect(code(opening: limited, readOnly: false) == .unknownFeature)
    #expect(code(opening: limited, readOnly: true) == nil)
  }

  @Test("L-24 an unknown incompatible bit forbids opening at all")
  func incompatible() throws {
    let directory = try TemporaryDirectory("features")
    let path = try makeStore(directory) { $0.incompatible |= 1 << 40 }
    #expect(code(opening: path, readOnly: false) == .unknownFeature)
    #expect(code(opening: path, readOnly: true) == .unknownFeature)
  }

  @Test("L-24 unknown tables of sync forbid writing unless the store allows unknown writers")
  func syncTables() throws {
    let directory = try TemporaryDirectory("features")
    let path = try makeStore(directory, tables: ["sync.queue"])
    #expect(code(opening: path, readOnly: false) == .unknownFeature)
    #expect(code(opening: path, readOnly: true) == nil)
    let other = try TemporaryDirectory("features")
    let allowing = try makeStore(other, tables: ["sync.queue"]) { $0.compatible = FeatureBits.unknownWritersAllowed }
    #expect(code(opening: allowing, readOnly: false) == nil)
  }

  @Test("L-3 a new store is its own origin 0")
  func ownOrigin() throws {
    let directory = try TemporaryDirectory("features")
    let store = try Store.open(path: directory.file("store.larder"))
    let origins = try store.log.origins(in: try store.environment.beginRead())
    #expect(origins == [Origin(high: store.identity.storeID.high, low: store.identity.storeID.low)])
  }
}
