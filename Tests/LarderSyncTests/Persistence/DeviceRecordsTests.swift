import LarderStorage
import LarderSyncProtocol
import TestSupport
import Testing

@testable import LarderSync

@Suite("A device that is kept in its store")
struct DeviceRecordsTests {
  private static let classes = [
    ClassDeclaration(
      name: "Item",
      columns: [
        ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
        ColumnDeclaration(name: "texts", type: .string, collection: .list),
      ], syncMode: .synced)
  ]

  private let name = ObjectName(className: "Item", key: .int(1))

  @Test(
    "A device that is loaded again knows its commits, what waits and the elements of lists, as one that never ended")
  func restart() throws {
    let temporary = try TemporaryStore(clusterSize: 8)
    try temporary.write { try $0.apply(Self.classes, schemaVersion: 1) }
    let catalog = SyncCatalog(try temporary.snapshot.schema)
    let site = SiteID(high: 1, low: 2)
    var constant = Device(site: site, store: StoreReplica())
    let path = LocalPath("texts")
    let edits: [[LocalChange]] = [
      [.create([]), .listInsert(path, at: 0, [.string("a"), .string("b")], sizeBefore: 0)],
      [.listMove(path, from: 0, to: 1, sizeBefore: 2), .listInsert(path, at: 1, [.string("c")], sizeBefore: 2)],
      [.listRemove(path, at: 0, count: 1, sizeBefore: 3)],
    ]
    for (index, changes) in edits.enumerated() {
      let commit = LocalCommit(
        time: SyncTime(milliseconds: UInt64(index + 1)), nonce: UInt64(index),
        edits: changes.map { LocalEdit(name, $0) })
      try constant.replay(commit)
      try temporary.write { writer in
        let transaction = ReplicaTransaction(writer, catalog)
        let records = try DeviceRecords(writer)
        var device =
          try records.load(transaction)
          ?? Device(
            DeviceHead(site: site), commits: [], viewExceptions: [], store: StoreReplica(transaction: transaction))
        if index == 0, let entry = catalog["Item"] { _ = try transaction.create(name, entry) }
        try device.replay(commit)
        #expect(device.keptCommits == constant.keptCommits)
        try transaction.finish()
        try records.save(&device, transaction)
      }
    }
    try temporary.write { writer in
      let device = try #require(try DeviceRecords(writer).load(ReplicaTransaction(writer, catalog)))
      #expect(device.keptCommits == constant.keptCommits)
      #expect(device.retained == constant.retained)
      #expect(device.waitingOperations(on: name) == constant.waitingOperations(on: name))
      #expect(device.head == constant.head)
    }
  }
}
