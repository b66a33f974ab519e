import KnotModel
import Testing

@testable import Larder

/// Observes a list, a set or a map of a knot that is never deleted.
final class ObservedKnotCollection: ObservedKnots {
  private let id: Int
  private let property: String
  private var told: [ToldChange] = []
  /// The knots that the elements are or lead to, at the last call.
  private var known: [Int?]?
  private let targets: (Knot) -> [Int?]

  private init(_ id: Int, _ property: String, _ targets: @escaping (Knot) -> [Int?]) {
    self.id = id
    self.property = property
    self.targets = targets
    super.init("\(property) of knot \(id)")
  }

  private func tell<C>(_ change: RealmCollectionChange<C>) {
    called()
    switch change {
    case .initial: break
    case .update(_, let deletions, let insertions, let modifications):
      told.append(ToldChange(deletions: deletions, insertions: insertions, modifications: modifications))
    case .error(let error): Issue.record(error)
    }
  }

  static func others(_ knot: Knot) -> ObservedKnotCollection {
    let result = ObservedKnotCollection(knot.id, "others") { $0.others.map(\.id) }
    result.keep(knot.others.observe { [unowned result] in result.tell($0) })
    return result
  }

  static func numbers(_ knot: Knot) -> ObservedKnotCollection {
    let result = ObservedKnotCollection(knot.id, "numbers") { $0.numbers.map { _ in nil } }
    result.keep(knot.numbers.observe { [unowned result] in result.tell($0) })
    return result
  }

  static func friends(_ knot: Knot) -> ObservedKnotCollection {
    let result = ObservedKnotCollection(knot.id, "friends") { $0.friends.map(\.id) }
    result.keep(knot.friends.observe { [unowned result] in result.tell($0) })
    return result
  }

  /// Keys become positions among the keys before and after.
  static func named(_ knot: Knot) -> ObservedKnotCollection {
    let result = ObservedKnotCollection(knot.id, "named") { knot in
      knot.named.keys.sorted().map { knot.named[$0]??.id }
    }
    var keys: [String] = []
    result.keep(
      knot.named.observe { [unowned result] change in
        result.called()
        switch change {
        case .initial(let map): keys = map.keys.sorted()
        case .update(let map, let deletions, let insertions, let modifications):
          let now = map.keys.sorted()
          func positions(_ some: [String], _ all: [String]) -> [Int] { some.map { all.firstIndex(of: $0) ?? -1 } }
          result.told.append(
            ToldChange(
              deletions: positions(deletions, keys), insertions: positions(insertions, now),
              modifications: positions(modifications, keys)))
          keys = now
        case .error(let error): Issue.record(error)
        }
      })
    return result
  }

  override func settle(_ realm: Realm, _ world: KnotWorld) {
    guard let knot = realm.object(ofType: Knot.self, forPrimaryKey: id) else {
      Issue.record("\(title): the owner is gone")
      return
    }
    let now = targets(knot)
    defer { (known, told) = (now, []) }
    // The first call tells of everything so far.
    guard let before = known else { return #expect(calls == 1 && told.isEmpty, "\(title)") }
    let elements = world.journal.elements(id, property)
    #expect(elements.old.count == now.count, "\(title)")
    let isModified = { (position: Int) in before[position].map { world.modified.contains($0) } ?? false }
    let isDue = ToldChange.isDue(elements, count: before.count, isModified)
    #expect(told.count == (isDue ? 1 : 0), "\(title)")
    told.first?.check(elements, count: before.count, isModified, title)
  }
}
