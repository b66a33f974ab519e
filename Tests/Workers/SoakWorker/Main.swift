import Foundation
import Larder

/// Writes, observes and reads one store for a while, looks now and then at what it takes, and says whether it held.
///
/// `SoakWorker SECONDS`. Ends with status 1 when an observer got something wrong, a frozen version changed, nothing came to
/// rest, or memory, the file, reader slots or open files grew without a bound.
@main
enum Main {
  static let writers = 4
  static let observers = 8
  static let items = 2_000
  static let looks = 60.0

  static func main() throws {
    let seconds = CommandLine.arguments.dropFirst().first.flatMap { Double($0) } ?? 600
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("soak-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("soak.larder")
    let configuration = Realm.Configuration(fileURL: file, objectTypes: [Item.self])
    try fill(configuration)
    // A moment of everything first, so that what is made once is there before the first look.
    _ = try run(configuration, until: Date() + 1, every: 1, Tally()) { try Sample(of: file, since: Date(), commits: 0) }
    try writeAlone(configuration)
    let start = Date()
    let tally = Tally()
    func look() throws -> Sample {
      let sample = try Sample(of: file, since: start, commits: tally.all.commits)
      print(sample.line)
      return sample
    }
    print(Sample.heading)
    let first = try look()
    let (samples, areCurrent) = try run(configuration, until: start + seconds, every: seconds / looks, tally, look)
    let quiet = try look()
    try writeAlone(configuration)
    let last = try look()
    let counts = tally.all
    let bounds = Bounds(first: first, samples, last: last, mostBehind: counts.mostBehind)
    print(
      """
      \(Int(seconds)) s: \(counts.commits) commits, \(counts.deliveries) deliveries, \(counts.frozenReads) frozen readings, at most \
      \(counts.mostVersions) versions in use
      the oldest version: \(counts.oldest?.description ?? "none")
      \(bounds.room)
      wrong deliveries or readings: \(counts.wrong); observers at the end \(areCurrent ? "show" : "do not show") what there is
      """)
    var breaches = bounds.breaches
    if last.fileKiB > quiet.fileKiB { breaches.append("the file grew by commits beside which nothing was read") }
    for breach in breaches { print("not bounded: \(breach)") }
    guard counts.wrong == 0, areCurrent, breaches.isEmpty else {
      try? FileManager.default.removeItem(at: folder)
      exit(1)
    }
  }

  /// Everything at once, and what it took meanwhile. When it returns all is let go.
  private static func run(
    _ configuration: Realm.Configuration, until end: Date, every pause: Double, _ tally: Tally,
    _ look: () throws -> Sample
  ) throws -> (samples: [Sample], areCurrent: Bool) {
    let observed = (0..<observers).map { Observer($0) }
    for (number, observer) in observed.enumerated() { try observer.start(configuration, number, tally) }
    let writing = (0..<writers).map { number in Thread { write(configuration, number, until: end, tally) } }
    let threads = writing + [Thread { readFrozen(configuration, until: end, tally) }]
    for thread in threads { thread.start() }
    var samples: [Sample] = []
    while Date() < end {
      Thread.sleep(until: min(end, Date(timeIntervalSinceNow: pause)))
      samples.append(try look())
    }
    while !threads.allSatisfy(\.isFinished) { Thread.sleep(forTimeInterval: 0.1) }
    let areCurrent = observed.enumerated().allSatisfy { $1.isCurrent($0) }
    for observer in observed { observer.stop() }
    return (samples, areCurrent)
  }

  /// Some hundred commits with no older version in use: they must find their pages among the free ones.
  private static func writeAlone(_ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    for number in 0..<500 {
      try realm.write { realm.object(ofType: Item.self, forPrimaryKey: number)?.score = 1 }
    }
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
      var mixture = Mixture(realm)
      while Date() < end {
        let mixed = try mixture.next()
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
        let versions = realm.liveVersions
        tally.note { counts in
          counts.commits += 1 + mixed
          counts.mostVersions = max(counts.mostVersions, versions.count)
          guard let oldest = versions.first, let newest = versions.last else { return }
          counts.mostBehind = max(counts.mostBehind, Int(newest.version - oldest.version))
          if oldest.age > counts.oldest?.age ?? 0 { counts.oldest = oldest }
        }
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
        tally.note { $0.frozenReads += 1 }
        Thread.sleep(forTimeInterval: 0.01)
      }
    } catch {
      tally.note { $0.wrong += 1 }
    }
  }
}
