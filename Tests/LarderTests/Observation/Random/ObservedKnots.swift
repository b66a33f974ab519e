import KnotModel
import TestSupport
import Testing

@testable import Larder

/// An observer of something random, and what it is to be notified of.
class ObservedKnots {
  private(set) var calls = 0
  fileprivate(set) var token: NotificationToken?
  let title: String

  init(_ title: String) { self.title = title }

  func called() { calls += 1 }
  func keep(_ token: NotificationToken) { self.token = token }
  func stop() { token?.invalidate() }

  /// Everything up to the Realm's version was delivered: compares what was reported with what was done since the last time.
  func settle(_ realm: Realm, _ world: KnotWorld) {}
}

/// Observes the results of a random query, with all modifications or those that a key path names.
final class ObservedKnotResults: ObservedKnots {
  private let make: (Realm) -> Results<Knot>
  private let keyPath: String?
  private var known: [Int]?
  private var told: [ToldChange] = []

  /// - Parameters:
  ///   - isPlain: Observes all knots.
  ///   - isFiltered: Hears of modifications at the end of a random key path only.
  init(_ realm: Realm, _ random: inout SeededRandom, isPlain: Bool = false, isFiltered: Bool = false) {
    let description = isPlain ? RandomKnotQuery() : RandomKnotQuery(&random)
    make = { description.results($0) }
    keyPath = isFiltered ? random.pick(["label", "others", "next.value", "next.next.label", "friends.others"]) : nil
    super.init("\(description), key path \(keyPath ?? "none")")
    keep(
      make(realm).observe(keyPaths: keyPath.map { [$0] }, on: nil) { [unowned self] change in
        called()
        switch change {
        case .initial(let knots): check(knots)
        case .update(let knots, let deletions, let insertions, let modifications):
          told.append(ToldChange(deletions: deletions, insertions: insertions, modifications: modifications))
          check(knots)
        case .error(let error): Issue.record(error)
        }
      })
  }

  /// Checks that a call comes with what a new query finds.
  private func check(_ knots: Results<Knot>) {
    #expect(knots.realm.map { Array(make($0).map(\.id)) } == Array(knots.map(\.id)), "\(title)")
  }

  override func settle(_ realm: Realm, _ world: KnotWorld) {
    let now = Array(make(realm).map(\.id))
    defer { (known, told) = (now, []) }
    // The first call tells of everything so far.
    guard let known else { return #expect(calls == 1 && told.isEmpty, "\(title)") }
    let modified = keyPath.map { world.modified($0) } ?? world.modified
    let isDue = known != now || known.contains { modified.contains($0) }
    #expect(told.count == (isDue ? 1 : 0), "\(title)")
    told.first?.check(known, now, { modified.contains($0) }, title)
  }
}

/// Observes one knot, which may be deleted.
final class ObservedKnot: ObservedKnots {
  private let id: Int
  private var told: [[String]] = []
  private var hasEnded = false

  init(_ knot: Knot) {
    id = knot.id
    super.init("knot \(knot.id)")
    keep(
      knot.observe { [unowned self] (change: ObjectChange<Knot>) in
        called()
        switch change {
        case .change(_, let properties): told.append(properties.map(\.name))
        case .deleted: told.append(["deleted"])
        case .error(let error): Issue.record(error)
        }
      })
  }

  override func settle(_ realm: Realm, _ world: KnotWorld) {
    let isGone = world.journal.deleted.contains(id)
    let assigned = world.journal.assigned[id] ?? []
    let names = isGone ? ["deleted"] : Knot.propertyNames.filter { assigned.contains($0) }
    #expect(told == (hasEnded || names.isEmpty ? [] : [names]), "\(title)")
    told = []
    hasEnded = isGone
  }
}
