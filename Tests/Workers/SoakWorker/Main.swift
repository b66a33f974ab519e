import Dispatch
import Foundation
import Larder
import Synchronization

/// Writes, observes and reads one store for a while, checks what observers are told, and prints what it took.
///
/// `SoakWorker SECONDS`. Ends with status 1 when an observer was told something wrong, or nothing came to rest.
final class Item: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var group: Int
  @Persisted var score: Double
  @Persisted var name: String
  @Persisted var next: Item?
}

/// What happened, counted across threads.
final class Tally: Sendable {
  struct Counts {
    var commits = 0
    var deliveries = 0
    var frozenReads = 0
    var wrong = 0
    var mostVersions = 0
    var oldest: Realm.LiveVersion?
  }

  private let counts = Mutex(Counts())
  func note(_ change: (inout Counts) -> Void) { counts.withLock { change(&$0) } }
  var all: Counts { counts.withLock { $0 } }
}

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

  /// Whether it shows what a fresh look shows.
  func isCurrent(_ number: Int) -> Bool {
    queue.sync {
      realm?.refresh()
      return realm?.objects(Item.self).filter("group = %@", number).count == count
    }
  }

  func stop() { queue.sync { (token, realm) = (nil, nil) } }
}

enum Process {
  /// Resident memory in KiB.
  static var memory: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}

@main
enum Main {
  static let writers = 4
  static let observers = 8
  static let items = 2_000

  static func main() throws {
    let seconds = CommandLine.arguments.dropFirst().first.flatMap { Double($0) } ?? 600
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("soak-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("soak.larder")
    let configuration = Realm.Configuration(fileURL: file, objectTypes: [Item.self])
    try fill(configuration)
    let tally = Tally()
    let observed = (0..<observers).map { Observer($0) }
    for (number, observer) in observed.enumerated() { try observer.start(configuration, number, tally) }
    let end = Date(timeIntervalSinceNow: seconds)
    let before = (memory: Process.memory, bytes: size(of: file))
    let threads = (0..<writers).map { number in Thread { write(configuration, number, until: end, tally) } }
    let reader = Thread { readFrozen(configuration, until: end, tally) }
    for thread in threads + [reader] { thread.start() }
    while (threads + [reader]).contains(where: { !$0.isFinished }) { Thread.sleep(forTimeInterval: 0.1) }
    let isCurrent = observed.enumerated().allSatisfy { $1.isCurrent($0) }
    for observer in observed { observer.stop() }
    let counts = tally.all
    print(
      """
      \(Int(seconds)) s: \(counts.commits) commits, \(counts.deliveries) deliveries, \(counts.frozenReads) frozen readings, at most \
      \(counts.mostVersions) versions in use
      the oldest version: \(counts.oldest?.description ?? "none")
      memory \(before.memory) to \(Process.memory) KiB, file \(before.bytes / 1024) to \(size(of: file) / 1024) KiB
      wrong deliveries: \(counts.wrong); observers at the end \(isCurrent ? "show" : "do not show") what there is
      """)
    if counts.wrong > 0 || !isCurrent { exit(1) }
  }

  private static func size(of file: URL) -> Int {
    ((try? FileManager.default.attributesOfItem(atPath: file.path))?[.size] as? Int) ?? 0
  }

  private static func fill(_ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in 0..<items {
        realm.create(Item.self, value: ["id": id, "group": id % 10, "name": "item \(id)"] as [String: Any])
      }
    }
  }

  private static func write(_ configuration: Realm.Configuration, _ number: Int, until end: Date, _ tally: Tally) {
    do {
      let realm = try Realm(configuration: configuration)
      var generator = SystemRandomNumberGenerator()
      while Date() < end {
        try realm.write {
          for _ in 0..<Int.random(in: 1...5, using: &generator) {
            let id = Int.random(in: 0..<items, using: &generator)
            guard let item = realm.object(ofType: Item.self, forPrimaryKey: id) else {
              realm.create(Item.self, value: ["id": id, "group": id % 10] as [String: Any])
              continue
            }
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: item.group = Int.random(in: 0..<10, using: &generator)
            case 1: item.name = "item \(id) of \(number)"
            case 2: item.next = realm.object(ofType: Item.self, forPrimaryKey: (id + 1) % items)
            case 3 where id % 7 == 0: realm.delete(item)
            default: item.score = Double.random(in: 0..<1, using: &generator)
            }
          }
        }
        tally.note { $0.commits += 1 }
        Thread.sleep(forTimeInterval: 0.001)
      }
    } catch {
      tally.note { $0.wrong += 1 }
    }
  }

  /// Keeps a few old versions, reads them, and lets go of the oldest.
  private static func readFrozen(_ configuration: Realm.Configuration, until end: Date, _ tally: Tally) {
    do {
      let realm = try Realm(configuration: configuration)
      var kept: [(realm: Realm, sum: Double)] = []
      while Date() < end {
        realm.refresh()
        let frozen = realm.freeze()
        kept.append((frozen, frozen.objects(Item.self).sum(ofProperty: "score")))
        if kept.count > 5 { kept.removeFirst() }
        for (old, sum) in kept where old.objects(Item.self).sum(ofProperty: "score") != sum {
          tally.note { $0.wrong += 1 }
        }
        let versions = realm.liveVersions
        tally.note { counts in
          counts.frozenReads += 1
          counts.mostVersions = max(counts.mostVersions, versions.count)
          if let oldest = versions.first, oldest.age > counts.oldest?.age ?? 0 { counts.oldest = oldest }
        }
        Thread.sleep(forTimeInterval: 0.01)
      }
    } catch {
      tally.note { $0.wrong += 1 }
    }
  }
}
