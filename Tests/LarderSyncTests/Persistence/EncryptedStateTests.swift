import Foundation
import LarderStorage
import LarderSyncProtocol
import TestSupport
import Testing

@testable import LarderSync

@Suite("The state of synchronisation in encrypted stores")
struct EncryptedStateTests {
  private static let texts = [
    "plain-object", "plain-pending", "plain-query", "plain-secret", "plain-cursor", "plain-refused", "plain-schema",
  ]

  /// A store with state of every kind, among it a bootstrap that is not applied yet; the texts of which files have which.
  private func found(_ key: EncryptionKey?) throws -> Set<String> {
    let temporary = try TemporaryStore(clusterSize: 8, key: key)
    try temporary.write { try $0.apply(ModelDevice.classes, schemaVersion: 1) }
    try ModelDevice.subscribe(temporary.store, ["text == 'plain-query'"])
    try ModelDevice.edit(temporary.store) {
      $0.replace(ModelDevice.name(1), with: [SyncProperty("text", .string("plain-object"))])
    }
    let keeper = DeviceKeeper(temporary.store)
    try keeper.write { transaction in
      transaction.server.secret = Array("plain-secret".utf8)
      transaction.server.cursor = Array("plain-cursor".utf8)
      let refused = RefusedOperation(
        siteVersion: 1, operation: 0, object: ModelDevice.name(1), reason: .insert, message: "plain-refused")
      _ = try RefusedRecords(transaction.state).add([RefusedEntry(operation: refused, values: [])])
      let schema = SyncSchema(classes: [SchemaClass("plain-schema", primaryKey: "id", properties: [])])
      try transaction.state.setState(ServerSchema.stateName, schema.encoded())
      var staged = StagedBootstrap(
        BootstrapBegin(view: ViewTag(subscriptions: 1, rules: 1), isFull: true, objects: 1, bytes: 0))
      let page = BootstrapPage(
        className: "Item", after: nil, through: nil, version: 7, ownSiteVersion: 0,
        objects: [ObjectDelta(ModelDevice.name(2), .whole([SyncProperty("text", .string("plain-pending"))]))])
      try staged.stage(page, by: 10, transaction.state)
      try staged.save(transaction.state)
    }
    let waits = try temporary.write { try StagedBootstrap.load(SyncWriting($0))?.hasParts == true }
    #expect(waits)
    let folder = URL(fileURLWithPath: temporary.path).deletingLastPathComponent()
    let files = try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey]))
    var found: Set<String> = []
    for case let file as URL in files where try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
    {
      let content = try Data(contentsOf: file)
      found.formUnion(Self.texts.filter { content.range(of: Data($0.utf8)) != nil })
    }
    return found
  }

  @Test("Y-69: no file of an encrypted store has a plain value, of objects, sync state or a bootstrap that waits")
  func encrypted() throws {
    #expect(try found(.test()) == [])
    // What is looked for is there without a key.
    #expect(try found(nil) == Set(Self.texts))
  }
}
