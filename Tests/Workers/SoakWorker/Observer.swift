import Dispatch
import Larder

/// Holds what belongs to a queue.
final class Observer: @unchecked Sendable {
  // Unchecked: used on its queue only.
  private let queue: DispatchQueue
  private var realm: Realm?
  private var token: NotificationToken?
  private var count = 0

  init(_ number: Int) { queue = DispatchQueue(label: "observer \(number)") }

  func start(_ configuration: Realm.Configuration, _ number: Int, _ tally: Tally) throws {
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      let items = realm.objects(Item.self).filter("group = %@", number)
      let sorted = number % 2 == 0 ? items.sorted(byKeyPath: "score") : items
      token = sorted.observe { [unowned self] change in
        switch change {
        case .initial(let items): count = items.count
        case .update(let items, let deletions, let insertions, _):
          count += insertions.count - deletions.count
          if count != items.count { tally.note { $0.wrong += 1 } }
        case .error: tally.note { $0.wrong += 1 }
        }
        tally.note { $0.deliveries += 1 }
      }
      self.realm = realm
    }
  }

  /// True if it shows what a new query shows.
  func isCurrent(_ number: Int) -> Bool {
    queue.sync {
      realm?.refresh()
      return realm?.objects(Item.self).filter("group = %@", number).count == count
    }
  }

  func stop() { queue.sync { (token, realm) = (nil, nil) } }
}
