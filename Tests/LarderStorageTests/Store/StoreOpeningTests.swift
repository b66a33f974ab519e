import Foundation
import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

@Suite struct StoreOpeningTests {
  private func code(_ body: () throws -> Void) -> StorageError.Code? {
    do { try body() } catch let error as StorageError { return error.code } catch { return nil }
    return nil
  }

  @Test func oneFileIsOneStore() throws {
    let fixture = try StoreFixture()
    #expect(try Store.open(path: fixture.store.path, options: fixture.store.options) === fixture.store)
  }

  @Test func theStoreIsReopenedAsItWas() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("again.larder")
    var options = StoreOptions()
    options.clusterSize = 16
    var store: Store? = try Store.open(path: path, options: options)
    let id = store?.storeID
    let writer = try #require(try store?.beginWrite())
    try writer.apply(StoreFixture.declarations, schemaVersion: 7)
    let city = try #require(writer.schema["City"])
    _ = try writer.create(city.id, primaryKey: .int(9))
    try writer.commit()
    store = nil
    let again = try Store.open(path: path, options: StoreOptions())
    #expect(again.storeID == id)
    #expect(again.clusterSize == 16)
    let snapshot = try again.snapshot()
    #expect(snapshot.version == 1)
    #expect(snapshot.schema.schemaVersion == 7)
    #expect(try snapshot.object(city.id, primaryKey: .int(9)) == ObjectKey(rawValue: 0))
  }

  @Test("E-4 a file that is no store is refused and stays as it is")
  func foreignFilesAreRefused() throws {
    let directory = try TemporaryDirectory()
    for (name, bytes) in [
      ("text", Array("This is a text file, and long enough to be something.\n".utf8)),
      ("zeros", [UInt8](repeating: 0, count: 20_000)),
    ] {
      let path = try directory.write(bytes, to: name)
      #expect(code { _ = try Store.open(path: path) } == .notADatabase, "\(name)")
      #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path))) == bytes)
    }
  }

  @Test("E-4 another program's LMDB file is refused and stays as it is")
  func foreignEnvironmentsAreRefused() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("other.mdb")
    do {
      let other = try Environment.open(path: path, options: EnvironmentOptions(tables: ["theirs"]))
      let transaction = try other.beginWrite()
      try transaction.put(other.table("theirs"), KeyBytes(1), [1, 2, 3])
      try transaction.commit()
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(code { _ = try Store.open(path: path) } == .notADatabase)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test("E-1 a missing folder is named")
  func aMissingFolderIsAnError() {
    #expect(code { _ = try Store.open(path: "/nonexistent/folder/x.larder") } == .notFound)
  }

  @Test("E-4 a truncated store is refused") func aTruncatedStoreIsRefused() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("cut.larder")
    try fill(path)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.truncate(atOffset: 16_384)
    try handle.close()
    let found = code { _ = try Store.open(path: path) }
    #expect(found == .truncated || found == .corrupted || found == .notADatabase)
  }

  /// Makes a store of some hundred objects and closes it.
  private func fill(_ path: String, edit: (Environment) throws -> Void = { _ in }) throws {
    do {
      let store = try Store.open(path: path)
      let writer = try store.beginWrite()
      try writer.apply(StoreFixture.declarations, schemaVersion: 1)
      let city = try #require(writer.schema["City"])
      for number in 0..<5_000 {
        let key = try writer.create(city.id, primaryKey: .int(Int64(number)))
        try writer.setString(city.id, city.columns[1].id, key, "City number \(number)")
      }
      try writer.commit()
    }
    let environment = try Environment.open(
      path: path, options: EnvironmentOptions(tables: StoreLayout.tables))
    try edit(environment)
  }

  @Test("E-6, L-24 newer formats and unknown features are refused without a write")
  func newerFormatsAreRefused() throws {
    let directory = try TemporaryDirectory()
    for (name, change, expected): (String, (inout CatalogIdentity) -> Void, StorageError.Code) in [
      ("format", { $0.formatVersion = 99 }, .unsupportedFormat),
      ("incompatible", { $0.incompatible = 1 << 40 }, .unknownFeature),
      ("read-only", { $0.readOnlyCompatible = 1 << 40 }, .unknownFeature),
    ] {
      let path = directory.file(name)
      try fill(path) { environment in
        let table = environment.table(StoreLayout.catalog)
        let transaction = try environment.beginWrite()
        var identity = try CatalogIdentity(
          try #require(try transaction.get(table, StoreLayout.identityKey)), path: path)
        change(&identity)
        try transaction.put(table, StoreLayout.identityKey, identity.encode())
        try transaction.commit()
      }
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(code { _ = try Store.open(path: path) } == expected, "\(name)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
    var readOnly = StoreOptions()
    readOnly.readOnly = true
    let store = try Store.open(path: directory.file("read-only"), options: readOnly)
    #expect(try store.snapshot().count(of: ClassID(rawValue: 1)) == 5_000)
    #expect(code { _ = try store.beginWrite() } == .permissionDenied)
  }

  @Test(.notUnder(.smallClusters, "the leaf it damages is another one then"))
  func aDamagedLeafIsAnErrorThatNamesIt() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("damaged.larder")
    try fill(path) { environment in
      let table = environment.table(StoreLayout.clusters)
      let transaction = try environment.beginWrite()
      let key = KeyBytes(StoreLayout.leafKey(ClassID(rawValue: 1), ColumnID(rawValue: 2), cluster: 1))
      var bytes = try #require(try transaction.get(table, key)).bytes
      bytes[bytes.count / 2] ^= 0x10
      try transaction.put(table, key, bytes)
      try transaction.commit()
    }
    let snapshot = try Store.open(path: path).snapshot()
    do {
      _ = try snapshot.value(ClassID(rawValue: 1), ColumnID(rawValue: 2), ObjectKey(rawValue: 1_500))
      Issue.record("the damage went unnoticed")
    } catch let error as StorageError {
      #expect(error.code == .corrupted)
      #expect(error.message.contains("City.name"))
    }
    let problems = try StoreVerifier.verify(snapshot)
    #expect(problems.contains { $0.structure == .leaf && $0.location.contains("City.name, cluster 1") })
  }
}
