import Foundation
import LarderLocks
import TestSupport
import Testing

@testable import LarderStorage

@Suite("Reading that is stopped")
struct StoppedReadingTests {
  /// A store with thirty commits of one object each.
  private func made() throws -> TemporaryStore {
    let temporary = try TemporaryStore(clusterSize: 8, durability: .full)
    try temporary.write { writer in
      try writer.apply(
        [ClassDeclaration(name: "Note", columns: [ColumnDeclaration(name: "text", type: .string)])], schemaVersion: 1)
    }
    for _ in 0..<30 {
      try temporary.write { _ = try $0.create(try #require($0.schema["Note"]).id) }
    }
    return temporary
  }

  /// The newest version is read at most: a commit leaves no older one.
  private func expectNoReader(_ temporary: TemporaryStore) throws {
    try temporary.write { _ = try $0.create(try #require($0.schema["Note"]).id) }
    #expect(try temporary.store.liveReaders().allSatisfy { $0.version == nil || $0.commitsBehind == 0 })
  }

  @Test("The log is read to the commit at which it is stopped, and no version is held after")
  func logs() throws {
    let temporary = try made()
    let interruption = Interruption()
    var read = 0
    try Interruption.$current.withValue(interruption) {
      let snapshot = try temporary.snapshot
      let bounds = try #require(try snapshot.store.log.bounds(in: snapshot.transaction))
      #expect(throws: Interruption.Stopped.self) {
        try snapshot.store.log.forEach(bounds, in: snapshot.transaction) { _, _ in
          read += 1
          if read == 7 { interruption.stop() }
          return true
        }
      }
      #expect(throws: Interruption.Stopped.self) {
        try snapshot.store.log.summary(after: 1, upTo: snapshot.version, in: snapshot.transaction)
      }
    }
    #expect(read == 7)
    try expectNoReader(temporary)
    // Without it all is read.
    let snapshot = try temporary.snapshot
    let summary = try snapshot.store.log.summary(after: 1, upTo: snapshot.version, in: snapshot.transaction)
    #expect(summary.isComplete)
  }

  @Test("Measuring and copying a version end where they are stopped, and hold no version after")
  func measures() throws {
    let temporary = try made()
    let folder = try TemporaryDirectory("scratch")
    let stopped = Interruption()
    stopped.stop()
    try Interruption.$current.withValue(stopped) {
      #expect(throws: Interruption.Stopped.self) { try StoreStatistics(try temporary.snapshot) }
      let snapshot = try temporary.snapshot
      #expect(throws: Interruption.Stopped.self) {
        try RetainedVersion.copy(snapshot.version - 1, of: snapshot, beside: folder.file("copy"))
      }
    }
    try expectNoReader(temporary)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    #expect(try StoreStatistics(try temporary.snapshot).log.entries > 0)
  }
}
