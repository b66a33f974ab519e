import Foundation
import Larder

/// Threads that seal and open values of an encrypted store until the process ends.
struct BusyEnd {
  private let configuration: Realm.Configuration
  private let isQueued: Bool

  private static let threads = 4
  private static let entries = 300

  init(_ configuration: Realm.Configuration, isQueued: Bool) throws {
    self.configuration = configuration
    self.isQueued = isQueued
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in 0..<Self.entries {
        realm.create(
          Entry.self, value: ["id": id, "text": String(repeating: "text \(id) ", count: 20)] as [String: Any])
      }
    }
  }

  /// Returns when all threads are at work, a moment later each time.
  func begin() throws {
    let begun = DispatchSemaphore(value: 0)
    for number in 0..<Self.threads {
      if isQueued {
        queue(number, begun)
      } else {
        start(number, begun)
      }
    }
    for _ in 0..<Self.threads { begun.wait() }
    usleep(UInt32.random(in: 0...3_000))
  }

  private func start(_ number: Int, _ begun: DispatchSemaphore) {
    Thread.detachNewThread {
      guard let realm = try? Realm(configuration: configuration) else { exit(65) }
      var round = 0
      while true {
        realm.refresh()
        let length = realm.objects(Entry.self).reduce(0) { $0 + $1.text.utf8.count }
        guard length > 0 else { exit(66) }
        try? realm.write { Self.change(realm, number, round) }
        if round == 0 { begun.signal() }
        round += 1
      }
    }
  }

  /// Queued writes, each of which asks for the next one when its completion is called.
  private func queue(_ number: Int, _ begun: DispatchSemaphore) {
    let queue = DispatchQueue(label: "queue \(number)")
    queue.async {
      guard let realm = try? Realm(configuration: configuration, queue: queue) else { exit(65) }
      Self.write(realm, number, 0, begun, queue)
    }
  }

  private static func write(
    _ realm: Realm, _ number: Int, _ round: Int, _ begun: DispatchSemaphore, _ queue: DispatchQueue
  ) {
    realm.writeAsync {
      change(realm, number, round)
    } onComplete: { error in
      if error != nil { exit(67) }
      if round == 0 { begun.signal() }
      nonisolated(unsafe) let realm = realm
      queue.async { write(realm, number, round + 1, begun, queue) }
    }
  }

  private static func change(_ realm: Realm, _ number: Int, _ round: Int) {
    for id in stride(from: number, to: entries, by: threads) {
      realm.object(ofType: Entry.self, forPrimaryKey: id)?.text = String(repeating: "\(round) ", count: 50)
    }
  }
}
