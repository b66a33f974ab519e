import LarderSync
import SyncModel
import TestSupport
import Testing

/// A device in a process whose main thread does nothing.
@MainActor
@Suite("A device without a main thread", .timeLimit(.minutes(30)))
struct BlockedMainTests {
  @Test("Y-60: While the main thread is blocked a device subscribes, receives, uploads and follows on another one")
  func blocked() async throws {
    let server = try ServerProcess()
    let folder = try TemporaryDirectory("worker")
    let ben = try await TestDevice("ben", server, token: try server.token("ben", "role=editor"))
    try await ben.subscribe()
    try ben.realm.write {
      ben.realm.add(City(1, "Edo", "JP"))
      ben.realm.add(City(2, "Osaka", "JP"))
    }
    try await ben.settle()
    let token = try server.token("worker", "role=editor")
    let worker = try WorkerProcess("SyncWorker", [server.url, folder.path, token, "blocked", "Tokyo"])
    let first = worker.readLine()
    try #require(first == "uploaded", "\(worker.errorOutput)")
    try await ben.settle()
    #expect(ben.city(1)?.visits == 1)
    try ben.realm.write { ben.city(1)?.name = "Tokyo" }
    try await ben.settle()
    let lines = worker.readAll().split(separator: "\n").map(String.init)
    #expect(worker.waitUntilExit() == 0, "\(worker.errorOutput)")
    #expect(lines == ben.content)
    #expect(lines.first == "1 Tokyo JP 0  1 []")
  }
}
