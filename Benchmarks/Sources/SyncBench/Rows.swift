import Foundation
import LarderSync

/// The rows, one after the other: each uses what the one before has left.
@MainActor
struct Rows {
  private let server: String
  private let token: String
  private let folder: String
  private let count: Int

  init(server: String, token: String, folder: String, count: Int) {
    self.server = server
    self.token = token
    self.folder = folder
    self.count = count
  }

  func run() async throws {
    let writer = try await Device("writer", server, token: token, folder: folder)
    try await writer.subscribe()
    try await upload(writer)
    let reader = try await bootstrap()
    try await follow(writer, reader)
    try await latency(writer, reader)
  }

  /// Objects that one device creates, in transactions of 1,000, until the server has them.
  private func upload(_ writer: Device) async throws {
    let begin = ContinuousClock.now
    for start in stride(from: 0, to: count, by: 1_000) {
      try await writer.realm.asyncWrite {
        for id in start..<min(start + 1_000, count) { writer.realm.add(Item(id)) }
      }
    }
    try await writer.session.wait(for: .upload)
    report("upload of \(count) objects", Double(count) / seconds(since: begin), "objects/s")
  }

  /// A new device that asks for everything.
  private func bootstrap() async throws -> Device {
    let reader = try await Device("reader", server, token: token, folder: folder)
    let begin = ContinuousClock.now
    try await reader.subscribe()
    guard reader.realm.objects(Item.self).count == count else { throw BenchError("the bootstrap is not whole") }
    let time = seconds(since: begin)
    report("bootstrap of \(count) objects", Double(count) / time, "objects/s")
    report("bootstrap, values", Double(count * Item.values) / time, "values/s")
    return reader
  }

  /// Commits of one property each that are sent while a device was away, until that device has them.
  private func follow(_ writer: Device, _ reader: Device) async throws {
    reader.session.suspend()
    let commits = 2_000
    for number in 0..<commits {
      try writer.realm.write { writer.realm.object(ofType: Item.self, forPrimaryKey: number % count)?.count += 1 }
    }
    try await writer.session.wait(for: .upload)
    let begin = ContinuousClock.now
    reader.session.resume()
    try await reader.session.wait(for: .download)
    report("\(commits) commits to a device that was away", Double(commits) / seconds(since: begin), "commits/s")
  }

  /// From a commit on one device to the observer on the other, 20 a second.
  private func latency(_ writer: Device, _ reader: Device) async throws {
    guard let sent = writer.realm.object(ofType: Item.self, forPrimaryKey: 0),
      let seen = reader.realm.object(ofType: Item.self, forPrimaryKey: 0)
    else { throw BenchError("there is no object to change") }
    let clock = ContinuousClock.now
    var times: [Double] = []
    let notifications = seen.observe(keyPaths: [\Item.stamp]) { (change: ObjectChange<Item>) in
      guard case .change(let item, _) = change else { return }
      times.append(Self.microseconds(since: clock) / 1000 - Double(item.stamp) / 1000)
    }
    for _ in 0..<400 {
      try await writer.realm.asyncWrite { sent.stamp = Int(Self.microseconds(since: clock)) }
      try await Task.sleep(for: .milliseconds(50))
    }
    try await Task.sleep(for: .seconds(1))
    notifications.invalidate()
    guard times.count > 200 else { throw BenchError("only \(times.count) of 400 changes were observed") }
    times.sort()
    report("commit to observer, median", times[times.count / 2], "ms")
    report("commit to observer, 99 of 100", times[times.count * 99 / 100], "ms")
  }

  private static func microseconds(since begin: ContinuousClock.Instant) -> Double {
    let time = begin.duration(to: .now).components
    return Double(time.seconds) * 1e6 + Double(time.attoseconds) / 1e12
  }

  private func seconds(since begin: ContinuousClock.Instant) -> Double { Self.microseconds(since: begin) / 1e6 }

  private func report(_ name: String, _ value: Double, _ unit: String) {
    let padded = name.padding(toLength: 44, withPad: " ", startingAt: 0)
    print("\(padded) \(String(format: value < 1000 ? "%10.2f" : "%10.0f", value)) \(unit)")
  }
}
