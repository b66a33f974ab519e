import TestSupport
import Testing

@testable import LarderStorage

/// Processes that have one synced store open.
@Suite("The holder of a synced store", .timeLimit(.minutes(30)))
struct SyncHolderTests {
  private let temporary: TemporaryStore
  private let node: ClassDescriptor

  init() throws {
    temporary = try TemporaryStore(clusterSize: 8)
    let columns = [
      ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true), ColumnDeclaration(name: "value", type: .int),
    ]
    try temporary.write {
      try $0.apply([ClassDeclaration(name: "Node", columns: columns, syncMode: .synced)], schemaVersion: 1)
    }
    node = try #require(temporary.store.snapshot().schema["Node"])
  }

  private func ask(_ worker: WorkerProcess, _ line: String) throws -> String? {
    try worker.send(line)
    return worker.readLine()
  }

  @Test("Y-64: of several processes one is the holder; another takes over when it lets go, and when it is killed")
  func takeOver() throws {
    let own = SyncHolder(of: temporary.store)
    #expect(own.lastHolder == nil && !own.isHolder)
    let first = try WorkerProcess("NodeWorker", [temporary.store.path])
    let second = try WorkerProcess("NodeWorker", [temporary.store.path])
    #expect(try ask(first, "take") == "true")
    #expect(try ask(second, "take") == "false")
    #expect(try !own.take() && own.lastHolder == first.processIdentifier)
    #expect(try ask(first, "take") == "true")
    #expect(try ask(first, "release") == "false")
    #expect(try ask(second, "take") == "true")
    #expect(own.lastHolder == second.processIdentifier)
    second.kill()
    _ = second.waitUntilExit()
    #expect(try own.take() && own.isHolder)
    #expect(try ask(first, "take") == "false")
    #expect(try !SyncHolder(of: temporary.store).take())
    own.release()
    #expect(try ask(first, "take") == "true")
  }

  @Test("Y-64: the holder finds what all processes committed, each once, and so does the one that takes over")
  func operationsOfAll() throws {
    let worker = try WorkerProcess("NodeWorker", [temporary.store.path])
    #expect(try ask(worker, "take") == "true")
    var versions: [UInt64] = []
    for number in 0..<4 {
      if number.isMultiple(of: 2) {
        versions.append(try #require(try ask(worker, "add \(number)").flatMap { UInt64($0) }))
      } else {
        try temporary.write { _ = try $0.create(node.id, primaryKey: .int(Int64(number))) }
        versions.append(try temporary.store.newestVersion)
      }
    }
    // What the worker had sent when it was killed it has said in the store.
    try temporary.write { try SyncWriting($0).setState("sent", [UInt8(versions[1])]) }
    worker.kill()
    _ = worker.waitUntilExit()
    let holder = SyncHolder(of: temporary.store)
    #expect(try holder.take())
    let snapshot = try temporary.store.snapshot()
    let sent = UInt64(try #require(try snapshot.syncState("sent")?.first))
    let left = try OperationsReader(snapshot).commits(after: sent, upTo: snapshot.version)
    #expect(left.map(\.version) == Array(versions[2...]))
    #expect(left.flatMap(\.operations).map(\.object.primaryKey) == [.int(2), .int(3)])
  }
}
