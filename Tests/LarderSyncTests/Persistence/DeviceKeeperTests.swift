import LarderStorage
import LarderSyncProtocol
import TestSupport
import Testing

@testable import LarderSync

@Suite("The device of a store between its transactions")
struct DeviceKeeperTests {
  private let temporary: TemporaryStore

  init() throws {
    temporary = try TemporaryStore(clusterSize: 8)
    try temporary.write { try $0.apply(ModelDevice.classes, schemaVersion: 1) }
  }

  private func write(_ key: Int) throws {
    try ModelDevice.edit(temporary.store) { $0.replace(ModelDevice.name(key), with: [SyncProperty("x", .int(1))]) }
  }

  @Test("a device that another process has changed is read again, and takes each commit once")
  func revision() throws {
    let (one, two) = (DeviceKeeper(temporary.store), DeviceKeeper(temporary.store))
    try one.replay()
    try two.replay()
    for key in 1...6 {
      try write(key)
      try (key % 2 == 0 ? one : two).replay()
    }
    try one.replay()
    for keeper in [two, one] {
      let kept = try keeper.write { $0.device.keptCommits.map(\.siteVersion) }
      #expect(kept == [1, 2, 3, 4, 5, 6])
    }
    #expect(one.device?.site == two.device?.site)
  }

  @Test("A transaction that fails leaves the store and the device as they were")
  func failure() throws {
    struct Failure: Error {}
    let keeper = DeviceKeeper(temporary.store)
    try write(1)
    try keeper.replay()
    let version = try temporary.snapshot.version
    #expect(throws: Failure.self) {
      try keeper.write { transaction -> Void in
        transaction.device.store.replace(ModelDevice.name(1), with: nil)
        transaction.server.cursor = [1]
        throw Failure()
      }
    }
    #expect(try temporary.snapshot.version == version && ModelDevice.content(temporary.store).count == 1)
    let (commits, cursor) = try keeper.write { ($0.device.keptCommits.count, $0.server.cursor) }
    #expect(commits == 1 && cursor == nil)
  }

  @Test("What the server says is not sent back, and the log drops operations that the device has")
  func taken() throws {
    let keeper = DeviceKeeper(temporary.store)
    try write(1)
    try keeper.replay()
    try keeper.write { $0.device.store.replace(ModelDevice.name(2), with: [SyncProperty("x", .int(2))]) }
    #expect(try !keeper.needsReplay())
    let commits = try keeper.write { $0.device.keptCommits.count }
    #expect(commits == 1)
    for _ in 0..<130 { try keeper.write { _ in } }
    let snapshot = try temporary.snapshot
    #expect(try OperationsReader(snapshot).commits(after: 0, upTo: snapshot.version).isEmpty)
    #expect(try ModelDevice.content(temporary.store).count == 2)
  }
}
