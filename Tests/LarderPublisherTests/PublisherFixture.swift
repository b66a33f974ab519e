import Dispatch
import Foundation
import Larder
import LarderLocks
import Testing

#if canImport(Combine)
  import Combine
#elseif OpenCombine
  import OpenCombine
  import OpenCombineDispatch
#endif

#if canImport(Combine) || OpenCombine
  class Sailor: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted var ship: Ship?
    @Persisted var logs: List<LogEntry>
    @Persisted var tags: MutableSet<String>
    @Persisted var marks: Map<String, Int>
  }

  class Ship: Object, ObjectKeyIdentifiable {
    @Persisted var name: String
    @Persisted(originProperty: "ship") var crew: LinkingObjects<Sailor>
  }

  class LogEntry: EmbeddedObject {
    @Persisted var text: String
  }

  class SailorCard: Projection<Sailor>, ObjectKeyIdentifiable {
    @Projected(\Sailor.name) var title
    @Projected(\Sailor.ship?.name) var shipName
  }

  /// Lines that sinks write, in order.
  final class Journal: Sendable {
    private let lines = Lock<[String]>([])
    private let signal = DispatchSemaphore(value: 0)

    func add(_ line: String) {
      lines.withLock { $0.append(line) }
      signal.signal()
    }

    /// Waits for one more line; false when none comes.
    func wait() -> Bool { signal.wait(timeout: .now() + 20) == .success }
    var all: [String] { lines.withLock { $0 } }
  }

  /// A Realm on a serial queue, with three sailors.
  final class PublisherFixture: @unchecked Sendable {
    // Unchecked: the Realm, and what is subscribed to, is used on its queue.
    let queue = DispatchQueue(label: "owner")
    let configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [Sailor.self, Ship.self, LogEntry.self])
    let journal = Journal()
    private var realm: Realm?
    var subscriptions: Set<AnyCancellable> = []
    var token: NotificationToken?

    init() throws {
      try queue.sync {
        let realm = try Realm(configuration: configuration, queue: queue)
        try realm.write {
          for id in 0..<3 { realm.create(Sailor.self, value: ["id": id, "name": "n\(id)"] as [String: Any]) }
        }
        self.realm = realm
      }
    }

    func here(_ body: (Realm) throws -> Void) throws { try queue.sync { if let realm { try body(realm) } } }

    /// Runs a block with the fixture on its queue, to subscribe.
    func subscribe(_ body: (Realm, inout Set<AnyCancellable>) throws -> Void) throws {
      try queue.sync { if let realm { try body(realm, &subscriptions) } }
    }

    func write(_ body: (Realm) throws -> Void) throws { try here { realm in try realm.write { try body(realm) } } }

    /// Writes with another Realm.
    func elsewhere(_ body: (Realm) throws -> Void) throws {
      let realm = try Realm(configuration: configuration)
      realm.refresh()
      try realm.write { try body(realm) }
    }

    func cancelAll() { queue.sync { subscriptions = [] } }

    static func sailor(_ realm: Realm, _ id: Int) throws -> Sailor {
      try #require(realm.object(ofType: Sailor.self, forPrimaryKey: id))
    }
  }

  extension Publisher {
    /// Subscribes to what never fails, or fails a test.
    func note(_ body: @escaping (Output) -> Void) -> AnyCancellable {
      sink { completion in
        if case .failure(let error) = completion { Issue.record(error) }
      } receiveValue: {
        body($0)
      }
    }
  }
#endif
