import Foundation
import KnotModel
import TestSupport
import Testing

@testable import Larder

/// An observer that is notified while others write without a pause: each call leads from what it was notified of before to what a new evaluation of
/// the version it came with finds.
final class FollowedKnots {
  private let title: String
  private let isList: Bool
  private let fresh: (Realm) -> [Row]
  private var known: [Row]?
  private var token: NotificationToken?
  private(set) var calls = 0

  /// A knot or another element, and what is to be reported as a modification when it is another: its own properties, not those of others.
  private struct Row: Equatable {
    let id: Int
    let contents: String

    init(_ knot: Knot) {
      func ids(_ knots: some Sequence<Knot>) -> [Int] { knots.map(\.id) }
      id = knot.id
      contents =
        "\(knot.value) \(knot.label) \(knot.next?.id ?? -1) \(ids(knot.others)) \(Array(knot.numbers)) \(ids(knot.friends)) "
        + "\(knot.named.map { "\($0.key) \($0.value?.id ?? -1)" }.sorted()) \(knot.any.object(Knot.self)?.id ?? -1) "
        + "\(knot.any.intValue ?? -1) \(knot.part.map { "\($0.number) \($0.link?.id ?? -1)" } ?? "")"
    }

    init(_ number: Int) { (id, contents) = (number, "\(number)") }
  }

  private typealias Sections = [(key: String, rows: [Row])]

  private init(_ title: String, isList: Bool = false, _ fresh: @escaping (Realm) -> [Row]) {
    (self.title, self.isList, self.fresh) = (title, isList, fresh)
  }

  func stop() { token?.invalidate() }

  /// Nothing is due any more.
  func end(_ realm: Realm) { #expect(known == fresh(realm), "\(title)") }

  private func tell<C: RealmCollection>(_ change: RealmCollectionChange<C>, _ rows: (C) -> [Row]) {
    calls += 1
    switch change {
    case .initial(let some): tell(rows(some), some.realm, nil)
    case .update(let some, let deletions, let insertions, let modifications):
      let told = ToldChange(deletions: deletions, insertions: insertions, modifications: modifications)
      tell(rows(some), some.realm, told)
    case .error(let error): Issue.record(error)
    }
  }

  private func tell(_ now: [Row], _ realm: Realm?, _ told: ToldChange?, mayBeEmpty: Bool = false) {
    #expect(realm.map(fresh) == now, "\(title)")
    defer { known = now }
    guard let told, let known else { return #expect(told == nil && known == nil, "\(title)") }
    let stayed = Array(
      zip(
        known.indices.filter { !told.deletions.contains($0) }, now.indices.filter { !told.insertions.contains($0) }))
    var old = known.map(\.id)
    // What is assigned to a place of a list is a modification of the place (N-19).
    for (before, after) in stayed where isList && told.modifications.contains(before) { old[before] = now[after].id }
    guard told.checkApplying(old, now.map(\.id), mayBeEmpty: mayBeEmpty, title) else { return }
    for (before, after) in stayed where known[before] != now[after] {
      #expect(told.modifications.contains(before), "\(title): \(known[before]) is \(now[after])")
    }
  }
}

extension FollowedKnots {
  /// The results of a random query.
  static func results(_ realm: Realm, _ random: inout SeededRandom) -> FollowedKnots {
    let query = RandomKnotQuery(&random)
    let result = FollowedKnots("\(query)") { query.results($0).map(Row.init) }
    result.token = query.results(realm).observe(on: nil) { [unowned result] in result.tell($0) { $0.map(Row.init) } }
    return result
  }

  /// The list of knots of the first one.
  static func list(_ realm: Realm) -> FollowedKnots {
    func list(_ realm: Realm) -> List<Knot>? { realm.object(ofType: Knot.self, forPrimaryKey: 0)?.others }
    let result = FollowedKnots("others of the first", isList: true) { list($0)?.map(Row.init) ?? [] }
    result.token = list(realm)?.observe(on: nil) { [unowned result] in result.tell($0) { $0.map(Row.init) } }
    return result
  }

  /// The list of numbers of the first one.
  static func numbers(_ realm: Realm) -> FollowedKnots {
    func list(_ realm: Realm) -> List<Int>? { realm.object(ofType: Knot.self, forPrimaryKey: 0)?.numbers }
    let result = FollowedKnots("numbers of the first", isList: true) { list($0)?.map(Row.init) ?? [] }
    result.token = list(realm)?.observe(on: nil) { [unowned result] in result.tell($0) { $0.map(Row.init) } }
    return result
  }

  /// Sections of a random query's results, by label: all their rows.
  static func sections(_ realm: Realm, _ random: inout SeededRandom) -> FollowedKnots {
    let query = RandomKnotQuery(&random, source: .all)
    func sections(_ realm: Realm) -> SectionedResults<String, Knot> {
      query.results(realm).sectioned(by: { (knot: Knot) in knot.label }, sortDescriptors: ["label", "id"])
    }
    func rows(_ sections: SectionedResults<String, Knot>) -> Sections { sections.map { ($0.key, $0.map(Row.init)) } }
    let result = FollowedKnots("sections of \(query)") { rows(sections($0)).flatMap(\.rows) }
    var known: Sections = []
    result.token = sections(realm).observe(on: nil) { [unowned result] change in
      result.calls += 1
      switch change {
      case .initial(let some):
        known = rows(some)
        result.tell(known.flatMap(\.rows), some.realm, nil)
      case .update(let some, let deletions, let insertions, let modifications, let inserted, let deleted):
        let now = rows(some)
        #expect(inserted == Self.sections(of: now, notIn: known) && deleted == Self.sections(of: known, notIn: now))
        // A section that went took its rows along (S-44).
        let gone = deletions + deleted.flatMap { section in known[section].rows.indices.map { [section, $0] } }
        let told = ToldChange(
          deletions: Self.positions(gone, known), insertions: Self.positions(insertions, now),
          modifications: Self.positions(modifications, known))
        result.tell(now.flatMap(\.rows), some.realm, told, mayBeEmpty: true)
        known = now
      }
    }
    return result
  }

  private static func sections(of some: Sections, notIn others: Sections) -> IndexSet {
    IndexSet(some.indices.filter { section in !others.contains { $0.key == some[section].key } })
  }

  /// The positions of rows among those of all sections.
  private static func positions(_ paths: [IndexPath], _ sections: Sections) -> [Int] {
    paths.map { path in sections[..<path.section].reduce(path.item) { $0 + $1.rows.count } }.sorted()
  }
}
