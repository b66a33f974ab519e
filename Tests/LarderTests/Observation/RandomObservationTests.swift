import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Larder

final class Knot: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var value: Int
  @Persisted var label: String
  @Persisted var next: Knot?
  @Persisted var others: List<Knot>
  @Persisted var numbers: List<Int>
  @Persisted(originProperty: "next") var previous: LinkingObjects<Knot>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }

  /// All that an observer of rows can see.
  var text: String { "\(id) \(value) \(label)" }
}

/// Observers of random queries while random transactions are made here, in parts that are undone, and elsewhere.
///
/// Covers N-2, N-3, N-7, N-8, N-10 to N-17, S-42 to S-49 and U-22: each change set, applied to what was told before, gives what a
/// fresh evaluation gives; and at the end of each turn nobody was left uninformed.
@Suite("Random observed queries") struct RandomObservationTests {
  private static let seeds = 10
  /// Transactions of one seed; `LARDER_TRANSACTIONS` says how many for all together.
  private static let transactions =
    (ProcessInfo.processInfo.environment["LARDER_TRANSACTIONS"].flatMap { Int($0) } ?? 2_000) / seeds

  private struct Undo: Error {}

  @Test(
    "N-7, N-10 to N-17, S-42 to S-49 random transactions and queries: what was told leads to what there is",
    arguments: 0..<seeds)
  func random(_ number: Int) throws {
    var random = SeededRandom.forTest()
    for _ in 0..<number { _ = random.next() }
    let configuration = temporaryConfiguration([Knot.self])
    let queue = DispatchQueue(label: "observing")
    let elsewhere = DispatchQueue(label: "writing")
    let other = UncheckedBox(try elsewhere.sync { try Realm(configuration: configuration, queue: elsewhere) })
    defer { withExtendedLifetime(other) {} }
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      var writer = RandomKnots(seed: random.next())
      try realm.write { for _ in 0..<8 { writer.add(realm) } }
      let observed = try (0..<6).map { _ in try ObservedKnots(realm, &random) } + [try ObservedSections(realm, &random)]
      var done = 0
      while done < Self.transactions {
        for _ in 0..<random.int(1...3) {
          done += 1
          if random.oneIn(2) {
            try realm.write { try Self.change(realm, &writer, &random) }
          } else {
            let box = UncheckedBox((writer, random))
            (writer, random) = try elsewhere.sync {
              var (writer, random) = box.value
              try other.value.write { try Self.change(other.value, &writer, &random) }
              return UncheckedBox((writer, random))
            }.value
          }
        }
        realm.refresh()
        for entry in observed { entry.check(realm) }
      }
      // An observer that hears nothing would agree with queries that never change.
      #expect(observed.contains { $0.calls > Self.transactions / 20 })
      for entry in observed { entry.stop() }
    }
  }

  private static func change(_ realm: Realm, _ knots: inout RandomKnots, _ random: inout SeededRandom) throws {
    for _ in 0..<random.int(1...4) {
      if random.oneIn(6) {
        let isUndone = random.oneIn(2)
        let before = knots
        do {
          try realm.write {
            for _ in 0..<random.int(1...3) { knots.change(realm) }
            if isUndone { throw Undo() }
          }
        } catch is Undo {
          knots.comeBack(to: before)
        }
      } else {
        knots.change(realm)
      }
    }
  }
}

/// Makes random changes; remembers which identifiers there are.
struct RandomKnots {
  private var random: SeededRandom
  private var ids: [Int] = []
  private var nextID = 0

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func comeBack(to before: RandomKnots) { ids = before.ids }

  mutating func add(_ realm: Realm) {
    let knot = Knot()
    (knot.id, knot.value, knot.label) = (nextID, random.int(0...12), "l\(random.int(0...4))")
    ids.append(nextID)
    nextID += 1
    realm.add(knot)
  }

  private mutating func pick(_ realm: Realm) -> Knot? {
    realm.object(ofType: Knot.self, forPrimaryKey: random.pick(ids))
  }

  mutating func change(_ realm: Realm) {
    guard ids.count > 3, let knot = pick(realm), let target = pick(realm) else { return add(realm) }
    switch random.int(0...13) {
    case 0...1: if ids.count < 40 { add(realm) }
    // The first ones stay: lists of theirs are observed.
    case 2 where ids.count > (random.oneIn(2) ? 6 : 20) && knot.id > 1:
      ids.removeAll { $0 == knot.id }
      realm.delete(knot)
    case 3...5: knot.value = random.int(0...12)
    case 6: knot.value = knot.value
    case 7...8: knot.label = "l\(random.int(0...4))"
    case 9: knot.next = random.oneIn(4) ? nil : target
    case 10: knot.others.insert(target, at: random.int(0...knot.others.count))
    case 11: if knot.others.count > 0 { knot.others.remove(at: random.int(0..<knot.others.count)) }
    case 12: knot.numbers.append(random.int(0...12))
    default: if knot.others.count > 1 { knot.others.swapAt(0, knot.others.count - 1) } else { knot.numbers.removeAll() }
    }
  }
}

/// An observer that follows its change sets on plain arrays.
class ObservedRows {
  private(set) var calls = 0
  fileprivate var token: NotificationToken?
  fileprivate let title: String

  init(_ title: String) { self.title = title }

  fileprivate func called() { calls += 1 }
  func stop() { token?.invalidate() }
  func check(_ realm: Realm) {}
}

final class ObservedKnots: ObservedRows {
  private let make: (Realm) -> Results<Knot>
  private var known: [String]?

  init(_ realm: Realm, _ random: inout SeededRandom) throws {
    let description = RandomKnotQuery(&random)
    make = { description.results($0) }
    super.init("\(description)")
    token = make(realm).observe { [unowned self] change in
      called()
      switch change {
      case .initial(let knots): known = texts(knots)
      case .update(let knots, let deletions, let insertions, let modifications):
        var rows = (known ?? []).map { Optional($0) }
        for index in modifications { rows[index] = nil }
        for index in deletions.reversed() { rows.remove(at: index) }
        for index in insertions { rows.insert(nil, at: index) }
        let now = texts(knots)
        #expect(rows.count == now.count && zip(rows, now).allSatisfy { $0 == nil || $0 == $1 }, "\(title)")
        #expect(!(deletions.isEmpty && insertions.isEmpty && modifications.isEmpty), "\(title)")
        known = now
      case .error(let error): Issue.record(error)
      }
    }
  }

  private func texts(_ knots: Results<Knot>) -> [String] { Array(knots).map(\.text) }

  override func check(_ realm: Realm) { #expect(known == texts(make(realm)), "\(title)") }
}

final class ObservedSections: ObservedRows {
  private let make: (Realm) -> SectionedResults<String, Knot>
  private var known: [[String]]?

  init(_ realm: Realm, _ random: inout SeededRandom) throws {
    let description = RandomKnotQuery(&random, source: .all)
    let sort = random.pick(["label", "value", "next.value"])
    make = { realm in
      description.results(realm).sectioned(
        by: { (knot: Knot) in knot.label },
        sortDescriptors: [
          Larder.SortDescriptor(keyPath: sort), "id",
        ])
    }
    super.init("sections by label, sorted by \(sort), of \(description)")
    token = make(realm).observe { [unowned self] change in
      called()
      switch change {
      case .initial(let sections): known = texts(sections)
      case .update(let sections, let deletions, let insertions, let modifications, let inserted, let deleted):
        var rows = (known ?? []).map { $0.map { Optional($0) } }
        for path in modifications { rows[path.section][path.item] = nil }
        for path in deletions.reversed() { rows[path.section].remove(at: path.item) }
        for section in deleted.reversed() { rows.remove(at: section) }
        for section in inserted { rows.insert([], at: section) }
        for path in insertions { rows[path.section].insert(nil, at: path.item) }
        let now = texts(sections)
        #expect(rows.map(\.count) == now.map(\.count), "\(title)")
        for (old, new) in zip(rows, now) { #expect(zip(old, new).allSatisfy { $0 == nil || $0 == $1 }, "\(title)") }
        known = now
      }
    }
  }

  private func texts(_ sections: SectionedResults<String, Knot>) -> [[String]] { sections.map { $0.map(\.text) } }

  override func check(_ realm: Realm) { #expect(known == texts(make(realm)), "\(title)") }
}

/// A query drawn at random: a source, conditions, an order, distinct values.
struct RandomKnotQuery: CustomStringConvertible {
  enum Source { case all, list, inverse }

  private enum Step {
    case filter(String)
    case sort([Larder.SortDescriptor])
    case distinct([String])
  }

  private let source: Source
  private var steps: [Step] = []

  init(_ random: inout SeededRandom, source: Source? = nil) {
    self.source = source ?? random.pick([.all, .all, .all, .all, .list, .inverse])
    if !random.oneIn(5) { steps.append(.filter(Self.condition(&random))) }
    if random.oneIn(2) { steps.append(.sort(Self.order(&random))) }
    if random.oneIn(4) { steps.append(.distinct(random.pick([["label"], ["value"], ["next.value", "label"]]))) }
    if random.oneIn(5) { steps.append(.filter(Self.condition(&random))) }
  }

  private static func condition(_ random: inout SeededRandom) -> String {
    func simple() -> String {
      let (number, label) = (random.int(0...12), "l\(random.int(0...4))")
      switch random.int(0...13) {
      case 0: return "value > \(number)"
      case 1: return "value BETWEEN {\(number / 2), \(number + 2)}"
      case 2: return "label = '\(label)'"
      case 3: return "next.value <= \(number)"
      case 4: return "next.next.label = '\(label)'"
      case 5: return "ANY others.value > \(number)"
      case 6: return "others.@count > \(number / 6)"
      case 7: return "SUBQUERY(others, $o, $o.value < \(number) AND $o.label != '\(label)').@count > 0"
      case 8: return "previous.@count > 0"
      case 9: return "ANY previous.value >= \(number)"
      case 10: return "next = nil"
      case 11: return "value > next.value"
      case 12: return "others.@sum.value > \(number)"
      default: return "ANY numbers > \(number)"
      }
    }
    switch random.int(0...4) {
    case 0: return "\(simple()) AND \(simple())"
    case 1: return "\(simple()) OR \(simple())"
    case 2: return "NOT (\(simple()))"
    default: return simple()
    }
  }

  private static func order(_ random: inout SeededRandom) -> [Larder.SortDescriptor] {
    let paths = random.pick([["value"], ["label", "value"], ["next.value"], ["next.next.label", "value"], ["id"]])
    return paths.map { Larder.SortDescriptor(keyPath: $0, ascending: random.oneIn(2)) }
  }

  func results(_ realm: Realm) -> Results<Knot> {
    var results: Results<Knot>
    let first = realm.object(ofType: Knot.self, forPrimaryKey: 0)
    switch (source, first) {
    case (.list, let first?): results = first.others.filter("TRUEPREDICATE")
    case (.inverse, let first?): results = first.previous.filter("TRUEPREDICATE")
    default: results = realm.objects(Knot.self)
    }
    for step in steps {
      switch step {
      case .filter(let text): results = results.filter(text)
      case .sort(let descriptors): results = results.sorted(by: descriptors)
      case .distinct(let paths): results = results.distinct(by: paths)
      }
    }
    return results
  }

  var description: String {
    "\(source)"
      + steps.map { step in
        switch step {
        case .filter(let text): " where \(text)"
        case .sort(let descriptors): " sorted \(descriptors.map { "\($0.keyPath) \($0.ascending)" })"
        case .distinct(let paths): " distinct \(paths)"
        }
      }.joined()
  }
}
