import Foundation
import TestSupport
import Testing

/// A process that forks while it has a write transaction open.
@Suite("Forked processes") struct ForkedProcessTests {
  @Test("F-132: every call of a forked child on what it inherited is refused, and the parent's transaction is whole")
  func openTransaction() throws {
    let directory = try TemporaryDirectory()
    let result = try WorkerProcess.run(
      "ProcessWorker", ["fork", directory.file("store.larder")], environment: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(result.output == "committed 2\ncancelled 2\nlent 3\n", "\(result.errors)")
    #expect(result.status == 0)
  }
}
