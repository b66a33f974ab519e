import LarderSync
import SyncModel
import TestSupport
import Testing

/// A device that is a process of its own, and is killed.
@MainActor
@Suite("A device that is killed", .timeLimit(.minutes(30)))
struct KilledDeviceTests {
  @Test("Y-24, Y-29: A device that is killed again and again, at any moment, loses and doubles nothing")
  func killed() async throws {
    var random = SeededRandom.forTest()
    let server = try ServerProcess()
    let folder = try TemporaryDirectory("worker")
    let arguments = [server.url, folder.path, try server.token("worker", "role=editor")]
    let ben = try await TestDevice("ben", server, token: try server.token("ben", "role=editor"))
    try await ben.subscribe()
    try ben.realm.write { ben.realm.add(City(1, "Tokyo", "JP")) }
    try await ben.settle()
    #expect(try settled(arguments).count == 1)

    var committed: [String] = []
    var next = 0
    var written = 0
    for _ in 0..<8 {
      let worker = try WorkerProcess("SyncWorker", arguments + ["write", "worker", "\(next)"])
      // What ben writes meanwhile is what the worker applies while it is killed.
      for _ in 0..<random.int(0...40) {
        if random.oneIn(2) {
          try ben.realm.write {
            ben.city(1)?.alternateNames.append("ben-\(written)")
            ben.city(1)?.increment(\.visits, by: 1)
            ben.realm.add(City(100 + written, random.string(maxLength: 100), "JP"))
          }
          written += 1
        }
        if let number = worker.readLine().flatMap({ Int($0) }) {
          committed.append("worker-\(number)")
          next = number + 1
        }
      }
      try await Task.sleep(for: .milliseconds(random.int(0...50)))
      worker.kill()
      for number in worker.readAll().split(separator: "\n").compactMap({ Int($0) }) {
        committed.append("worker-\(number)")
        next = number + 1
      }
      // The last one may have been committed without a word.
      next += 1
      ben.realm.refresh()
    }
    // What ben has written is on the server before the other device settles.
    try await ben.settle()
    let content = try settled(arguments)
    try await ben.settle()
    let city = try #require(ben.city(1))
    let names = Array(city.alternateNames)
    #expect(Set(names).count == names.count)
    #expect(Set(committed).isSubset(of: names))
    #expect(names.count { $0.hasPrefix("ben-") } == written)
    #expect(city.visits == names.count)
    #expect(ben.content == content)
    #expect(ben.realm.objects(City.self).count == 1 + written)
  }

  @Test("Y-19: A device that is killed while it gets its first contents has all of them in the end")
  func killedAtFirst() async throws {
    var random = SeededRandom.forTest()
    let server = try ServerProcess()
    let folder = try TemporaryDirectory("worker")
    let arguments = [server.url, folder.path, try server.token("worker", "role=editor")]
    let ben = try await TestDevice("ben", server, token: try server.token("ben", "role=editor"))
    try await ben.subscribe()
    for start in stride(from: 0, to: 3_000, by: 1_000) {
      try ben.realm.write { for id in start..<(start + 1_000) { ben.realm.add(City(id, "city \(id)", "JP")) } }
    }
    try await ben.settle()
    for _ in 0..<6 {
      let worker = try WorkerProcess("SyncWorker", arguments + ["settle"])
      try await Task.sleep(for: .milliseconds(random.int(0...600)))
      worker.kill()
      try ben.realm.write { ben.city(random.int(0..<3_000))?.increment(\.visits, by: 1) }
    }
    try await ben.settle()
    #expect(try settled(arguments) == ben.content)
  }

  /// Returns the content that the worker has once both directions are through.
  private func settled(_ arguments: [String]) throws -> [String] {
    let (status, output, errors) = try WorkerProcess.run("SyncWorker", arguments + ["settle"])
    #expect(status == 0, "\(errors)")
    return output.split(separator: "\n").map(String.init)
  }
}
