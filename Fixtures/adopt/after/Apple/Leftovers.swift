// What has no counterpart on Linux. This file is not built; what is listed of it is.

import Combine
import Larder
import Realm.Private
import SwiftUI

class Watched: Object {
  @Persisted var name = ""
  @Persisted var ticks = 0
  var seenOnly = 0
  @Persisted var nickname = ""
  @Persisted var level: Int?
  let kind = RealmOptional(Watched.makeKind())
  let parents = LinkingObjects<Watched>(fromType: Watched.type(), property: "child")

  static func makeKind() -> Int { 1 }

  override static func ignoredProperties() -> [String] {
    return ["one"] + Watched.others
  }

  static let others: [String] = []
}

class Members: Object {
  @Persisted var stored = 0
  var undecided = 1
  private var hidden = 2
}

extension Members {
  override static func primaryKey() -> String? { keyName() }
  static func keyName() -> String { "stored" }
}

class FromElsewhere: SharedModel {
  @objc dynamic var title = ""
}

protocol Choosing: AnyObject {
  @objc optional func choose(_ index: Int)
  func refuse()
}

extension Watched: Choosing {
  func refuse() {}
}

@objc protocol ViewDelegate {
  func changed()
}

final class Controller: NSObject {
  let watched = Watched()
  var observation: NSKeyValueObservation?
  var cancellables: Set<AnyCancellable> = []

  func start(_ results: Results<Watched>, _ anything: Any) {
    watched.addObserver(self, forKeyPath: "name", options: .new, context: nil)
    observation = watched.observe(\.ticks, options: [.new]) { object, change in print(object, change) }
    results.collectionPublisher.sink { _ in } receiveValue: { _ in }.store(in: &cancellables)
    NotificationCenter.default.addObserver(self, selector: #selector(tick), name: nil, object: nil)
    watched.willChangeValue(forKey: "name")
    watched.objectWillChange.sink { print("soon") }.store(in: &cancellables)
  }

  override func observeValue(forKeyPath path: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?) {
    print(path ?? "")
  }

  @objc func tick() {
    watched.ticks += 1
  }

  func read(_ holder: RealmOptional<Int>, _ things: [Thing]) -> Int? {
    let level = watched.level
    level.value = 3
    let unknown = makeSomething()
    return holder.value ?? unknown.level.value ?? things.first.level.value
  }

  func handle(_ error: Error) -> Int {
    if let error = error as? NSError { return error.code }
    let forced = error as! NSError
    do { try work() } catch let error as Realm.Error, let error as NSError { return forced.code }
    return #keyPath(nothing).count
  }
}

struct ListView: View {
  @ObservedResults(Watched.self) var all
  @ObservedRealmObject var one: Watched

  var body: some View { Text(one.name) }
}

func openSynced(_ user: RLMUser) -> Realm.Configuration {
  user.flexibleSyncConfiguration()
}

class Sealed: Object {
  @Persisted var name = ""
  let kind: Int

  init(name: String) {
    self.name = name
    kind = 1
    super.init()
  }
}

struct Store {
  func add(_ object: Object, update: Bool) {}

  func use(_ any: Any) {
    unknown().add(Watched(), update: true)
    if let list = any as? ListBase { print(list._rlmArray.count) }
  }
}

final class WatchedTests: XCTestCase {
  override func setUp() {
    Realm.Configuration.defaultConfiguration.inMemoryIdentifier = name
  }
}
