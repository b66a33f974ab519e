import Foundation
import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

/// Tests how far the log reaches back while commits are made.
@Suite("Retained records") struct RetainedRecordsTests {
  private static let kept: UInt64 = 64
  private static let declarations = [
    ClassDeclaration(name: "Node", columns: [ColumnDeclaration(name: "value", type: .int, isOptional: true)])
  ]

  /// The commits before the newest one that the log can tell of.
  private func records(_ snapshot: Snapshot) throws -> UInt64 {
    let bounds = try #require(try snapshot.store.log.bounds(in: snapshot.transaction))
    #expect(bounds.lowerBound == snapshot.state.logFloor && bounds.upperBound == snapshot.version)
    return bounds.upperBound - bounds.lowerBound + 1
  }

  @Test("F-123: the log keeps 64 commits after each of 1,000", arguments: [false, true])
  func everyCommit(_ isEncrypted: Bool) throws {
    let fixture = try TemporaryStore(key: isEncrypted ? .test(1) : nil)
    try fixture.write { try $0.apply(Self.declarations, schemaVersion: 0) }
    let node = try #require(try fixture.snapshot.schema["Node"])
    let value = try #require(node.column(named: "value")).id
    let key = try fixture.write { try $0.create(node.id) }
    var most: UInt64 = 0
    for number in 0..<1_000 as Range<Int64> {
      try fixture.write { try $0.set(node.id, value, key, .int(number)) }
      let snapshot = try fixture.snapshot
      let records = try records(snapshot)
      #expect(records >= min(snapshot.version, Self.kept), "after version \(snapshot.version)")
      most = max(most, records)
      guard snapshot.version > Self.kept else { continue }
      let changes = try snapshot.changes(since: snapshot.version - Self.kept)
      #expect(changes.isComplete && changes[node.id] != nil)
    }
    // What is not needed goes all the same.
    #expect(most < 4 * Self.kept)
  }

  @Test("F-123: so it does when two processes commit in turn")
  func twoProcesses() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a.larder")
    let store = try Store.open(path: path)
    let writer = try store.beginWrite()
    try writer.apply(Self.declarations, schemaVersion: 0)
    try writer.commit()
    let node = try #require(try store.snapshot().schema["Node"])
    let value = try #require(node.column(named: "value")).id
    let worker = try WorkerProcess("NodeWorker", [path])
    try worker.send("add 0")
    _ = worker.readLine()
    for number in 0..<300 as Range<Int64> {
      if number % 3 == 0 {
        let writer = try store.beginWrite()
        try writer.set(node.id, value, ObjectKey(rawValue: 0), .int(number))
        try writer.commit()
      } else {
        try worker.send("set 0 \(number)")
        #expect(worker.readLine() != nil)
      }
      let snapshot = try store.snapshot()
      #expect(try records(snapshot) >= min(snapshot.version, Self.kept), "after version \(snapshot.version)")
    }
  }
}
