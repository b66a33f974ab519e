import LarderStorage
import LarderSyncProtocol
import TestSupport
import Testing

@testable import LarderSync

@Suite("Hidden links") struct HiddenLinksTests {
  private static let classes = [
    ClassDeclaration(
      name: "Person",
      columns: [
        ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
        ColumnDeclaration(name: "friend", type: .link, isOptional: true, target: "Person"),
        ColumnDeclaration(name: "pet", type: .link, isOptional: true, target: "Pet"),
      ], syncMode: .synced),
    ClassDeclaration(
      name: "Pet", columns: [ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true)], syncMode: .synced),
  ]

  private func name(_ className: SyncText, _ key: Int) -> ObjectName { OtherDevice.name(className, key) }

  @Test("Y-33: of each class it is said once to how many objects links lead that are not here")
  func counts() throws {
    let directory = try TemporaryDirectory("hidden")
    let store = try Store.open(path: directory.file("test.larder"))
    try ModelDevice.write(store) { try $0.apply(Self.classes, schemaVersion: 1) }
    var hidden = HiddenLinks()
    func newCounts() throws -> [HiddenLinkCount] {
      let snapshot = try store.snapshot()
      return try hidden.newCounts(in: snapshot, SyncCatalog(snapshot.schema))
    }
    #expect(try newCounts() == [])
    try OtherDevice.write(store) {
      $0.replace(name("Person", 1), with: [SyncProperty("friend", .link(name("Person", 8)))])
      $0.replace(name("Person", 2), with: [SyncProperty("friend", .link(name("Person", 9)))])
    }
    #expect(try newCounts() == [HiddenLinkCount(className: "Person", objects: 2)])
    #expect(try newCounts() == [])
    try OtherDevice.write(store) {
      $0.replace(name("Person", 3), with: [SyncProperty("pet", .link(name("Pet", 1)))])
    }
    #expect(try newCounts() == [HiddenLinkCount(className: "Pet", objects: 1)])
  }
}
