import Foundation
import Larder

/// A city's change, made in a second process and noticed in the first.
struct LiveUpdate {
  static let cityID = 1_850_147  // Tokyo

  /// Makes the change of the second process.
  static func change(in realm: Realm) throws {
    guard let city = realm.object(ofType: City.self, forPrimaryKey: cityID) else {
      throw DemoError(description: "there is no city with id \(cityID)")
    }
    try realm.write {
      city.population += 1
      city.alternateNames.append("the city of a second process")
    }
  }

  /// Observes the largest cities while a second process changes one of them; the first change set that comes.
  static func watch(_ realm: Realm, path: String) throws {
    let cities = realm.objects(City.self).filter("population > 5000000").sorted(
      byKeyPath: "population", ascending: false)
    let watcher = Watcher()
    let token = cities.observe { watcher.take($0) }
    watcher.wait { watcher.isReady }
    guard watcher.isReady else { throw DemoError(description: "observing did not begin") }

    let second = Process()
    second.executableURL = Bundle.main.executableURL
    second.arguments = ["--change", path]
    try second.run()
    Console.line("  process \(second.processIdentifier) changes Tokyo; this is process \(getpid())")
    watcher.wait { watcher.hasChanged }
    second.waitUntilExit()
    token.invalidate()
    guard second.terminationStatus == 0 else { throw DemoError(description: "the second process failed") }
    guard watcher.hasChanged else { throw DemoError(description: "no notification came") }
  }
}

/// Takes the notifications of one query on the main run loop.
private final class Watcher {
  private(set) var isReady = false
  private(set) var hasChanged = false
  private static let patience: TimeInterval = 10

  func take(_ change: RealmCollectionChange<Results<City>>) {
    switch change {
    case .initial(let cities):
      isReady = true
      Console.line("  observing the \(cities.count) cities of more than 5,000,000 people")
    case .update(let cities, let deletions, let insertions, let modifications):
      hasChanged = true
      Console.line(
        "  change set: deletions \(deletions), insertions \(insertions), modifications \(modifications)")
      for index in modifications {
        Console.line(
          "    [\(index)] \(cities[index].name): \(Console.grouped(cities[index].population)) people, last name "
            + "\"\(cities[index].alternateNames.last ?? "")\"")
      }
    case .error(let error):
      Console.line("  observing failed: \(error)")
    }
  }

  func wait(until isDone: () -> Bool) {
    let end = Date(timeIntervalSinceNow: Self.patience)
    while !isDone(), Date() < end { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.02)) }
  }
}
