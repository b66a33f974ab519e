import LarderStorage
import TestSupport
import Testing

/// Several processes with one encrypted store.
@Suite("Processes of an encrypted store", .timeLimit(.minutes(30)))
struct EncryptedProcessTests {
  @Test("M-102: two processes write and read with one key")
  func twoProcesses() throws {
    let fixture = try NodeStore(key: .test(7))
    let other = try WorkerProcess("NodeWorker", [fixture.store.path], environment: ["NODE_KEY": "7"])
    for number in 0..<40 as Range<Int64> {
      try other.send("add \(number)")
      let version = other.readLine().flatMap { UInt64($0) }
      #expect(try version == fixture.store.newestVersion, "\(other.errorOutput)")
      let keys = try fixture.add(-number)
      try other.send("set \(keys[0].rawValue) \(number + 1000)")
      #expect(other.readLine() != nil)
      let snapshot = try fixture.store.snapshot()
      #expect(try snapshot.value(fixture.node, fixture.value, keys[0]) == .int(number + 1000))
      #expect(
        try snapshot.value(fixture.node, fixture.value, ObjectKey(rawValue: keys[0].rawValue - 1)) == .int(number))
    }
    other.closeInput()
    #expect(other.waitUntilExit() == 0)
    #expect(try StoreVerifier.verify(fixture.store.snapshot()).isEmpty)
  }
}
