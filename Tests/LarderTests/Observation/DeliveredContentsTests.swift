import Dispatch
import Foundation
import LarderLocks
import Testing

@testable import Larder

/// Contents that came with a notification are read as those of a query that was just made.
@Suite struct DeliveredContentsTests {
  @Test("N-10: positions, iteration and searches in delivered contents agree with a new query")
  func reading() throws {
    let realm = try Realm(configuration: temporaryConfiguration())
    try realm.write { for id in 0..<3_000 { realm.add(Person(id: id, name: "n\(id * 7_919 % 3_000)", age: id % 3)) } }
    let queue = DispatchQueue(label: "observer")
    let told = DispatchSemaphore(value: 0)
    let problems = Lock<[String]>([])
    let token = realm.objects(Person.self).filter("age < 2").sorted(byKeyPath: "name").observe(on: queue) { change in
      guard let people = Self.contents(change) else { return }
      for problem in Self.check(people) { problems.withLock { $0.append(problem) } }
      told.signal()
    }
    #expect(told.wait(timeout: .now() + 20) == .success)
    for round in 0..<4 {
      try realm.write {
        for id in stride(from: round, to: 3_000, by: 500) {
          realm.object(ofType: Person.self, forPrimaryKey: id)?.name = "m\(round)\(id)"
          realm.object(ofType: Person.self, forPrimaryKey: id + 1)?.age = round
        }
      }
      #expect(told.wait(timeout: .now() + 20) == .success)
    }
    token.invalidate()
    #expect(problems.withLock { $0 } == [])
  }

  private static func contents(_ change: RealmCollectionChange<Results<Person>>) -> Results<Person>? {
    switch change {
    case .initial(let people), .update(let people, _, _, _): people
    case .error: nil
    }
  }

  /// Returns the differences from a new query, read in every way.
  private static func check(_ people: Results<Person>) -> [String] {
    guard let realm = people.realm else { return ["no Realm"] }
    let expected = realm.objects(Person.self).filter("age < 2").sorted(byKeyPath: "name").map { $0.id }
    var problems: [String] = []
    func same<Value: Equatable>(_ what: String, _ found: Value, _ wanted: Value) {
      if found != wanted { problems.append("\(what) at version with \(expected.count) people") }
    }
    same("first page", (0..<50).map { people[$0].id }, Array(expected.prefix(50)))
    same("first", people.first?.id, expected.first)
    same("last", people.last?.id, expected.last)
    same("iteration", people.map { $0.id }, Array(expected))
    same(
      "every second", stride(from: 0, to: people.count, by: 2).map { people[$0].id },
      expected.enumerated().filter { $0.offset % 2 == 0 }.map(\.element))
    same("backwards", people.reversed().map { $0.id }, expected.reversed())
    if let last = people.last { same("index", people.index(of: last), expected.count - 1) }
    return problems
  }
}
