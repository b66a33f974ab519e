import Dispatch
import Larder

/// Observes the readings on a queue of its own, and notes when each number came.
final class Observer: @unchecked Sendable {
  // Unchecked: used on its queue only, but for the semaphore.
  private let queue = DispatchQueue(label: "observer")
  private let newest = DispatchSemaphore(value: 0)
  private var realm: Realm?
  private var token: NotificationToken?
  private var arrivals: [Int: UInt64] = [:]
  private var last = 0

  func start(_ configuration: Realm.Configuration) throws {
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      try realm.write { realm.create(Reading.self, value: ["id": 0] as [String: Any]) }
      token = realm.objects(Reading.self).observe { [unowned self] change in
        guard case .update(let readings, _, _, _) = change, let number = readings.first?.number else { return }
        arrivals[number] = DispatchTime.now().uptimeNanoseconds
        last = number
        newest.signal()
      }
      self.realm = realm
    }
  }

  /// Waits for the last number, and returns the time at which each one came, by number.
  func waitForArrivals(upTo count: Int) -> [Int: UInt64] {
    while queue.sync(execute: { last }) < count { newest.wait() }
    return queue.sync { arrivals }
  }

  func stop() { queue.sync { (token, realm) = (nil, nil) } }
}
