import Foundation
import KnotModel
import TestSupport
import Testing

@testable import Larder

/// Observes sections, by label, of the results of a random query.
final class ObservedKnotSections: ObservedKnots {
  private typealias Sections = [(key: String, rows: [Int])]

  private struct Told {
    var deletions: [IndexPath]
    var insertions: [IndexPath]
    var modifications: [IndexPath]
    var inserted: IndexSet
    var deleted: IndexSet
  }

  private let make: (Realm) -> Results<Knot>
  private let order: [Larder.SortDescriptor]
  private var known: (sections: Sections, order: [Int])?
  private var told: [Told] = []

  init(_ realm: Realm, _ random: inout SeededRandom, isPlain: Bool = false) {
    let description = isPlain ? RandomKnotQuery() : RandomKnotQuery(&random, source: .all)
    let sort = random.pick(["label", "value", "next.value"])
    make = { description.results($0) }
    order = [Larder.SortDescriptor(keyPath: sort), "id"]
    super.init("sections by label, sorted by \(sort), of \(description)")
    keep(
      sections(realm).observe { [unowned self] change in
        called()
        guard
          case .update(let sections, let deletions, let insertions, let modifications, let inserted, let deleted) =
            change
        else { return }
        told.append(
          Told(
            deletions: deletions, insertions: insertions, modifications: modifications, inserted: inserted,
            deleted: deleted))
        if let realm = sections.realm {
          #expect(sections.map { $0.map(\.id) } == self.sections(realm).map { $0.map(\.id) }, "\(title)")
        }
      })
  }

  private func sections(_ realm: Realm) -> SectionedResults<String, Knot> {
    make(realm).sectioned(by: { (knot: Knot) in knot.label }, sortDescriptors: order)
  }

  override func settle(_ realm: Realm, _ world: KnotWorld) {
    let now: Sections = sections(realm).map { ($0.key, $0.map(\.id)) }
    let nowOrder = Array(make(realm).sorted(by: order).map(\.id))
    defer { (known, told) = ((now, nowOrder), []) }
    guard let known else { return #expect(calls == 1 && told.isEmpty, "\(title)") }
    // Whatever changes in the results is reported (S-49).
    let isDue = known.order != nowOrder || known.order.contains { world.modified.contains($0) }
    #expect(told.count == (isDue ? 1 : 0), "\(title)")
    guard let told = told.first, checkApplying(told, known.sections, now) else { return }
    checkSections(told, known.sections, now)
    checkRows(told, known.sections, now, world.modified) { self.isOvertaken($0, known.order, nowOrder) }
  }

  /// S-42, S-44: rows go, then sections; sections come, then rows.
  private func checkApplying(_ told: Told, _ old: Sections, _ new: Sections) -> Bool {
    var rows = old.map(\.rows)
    for path in told.deletions.reversed() { rows[path.section].remove(at: path.item) }
    for section in told.deleted.reversed() { rows.remove(at: section) }
    for section in told.inserted { rows.insert([], at: section) }
    for path in told.insertions where path.item <= rows[path.section].count {
      rows[path.section].insert(new[path.section].rows[path.item], at: path.item)
    }
    let isRight = rows == new.map(\.rows)
    #expect(isRight && !told.deletions.contains { told.deleted.contains($0.section) }, "\(title)")
    return isRight
  }

  /// S-43: sections go and come with their keys; of those that stay only overtaken ones are reported.
  private func checkSections(_ told: Told, _ old: Sections, _ new: Sections) {
    let both = old.enumerated().compactMap { number, section in
      new.firstIndex { $0.key == section.key }.map { (old: number, new: $0) }
    }
    for section in told.deleted {
      guard let at = both.firstIndex(where: { $0.old == section }) else { continue }
      #expect(
        both[..<at].contains { $0.new > both[at].new } || both[at...].contains { $0.new < both[at].new },
        "\(title): section \(section) kept its place")
    }
  }

  /// S-45, S-46: a row that stays in its place is a modification if its knot was modified; else only modified ones, and those that
  /// others overtook, are reported as deleted from a section that they are in.
  private func checkRows(
    _ told: Told, _ old: Sections, _ new: Sections, _ modified: Set<Int>, _ isOvertaken: (Int) -> Bool
  ) {
    let gone = Set(told.deletions)
    var expected: [IndexPath] = []
    for (number, section) in old.enumerated() where !told.deleted.contains(number) {
      let rows = new.first { $0.key == section.key }?.rows ?? []
      for (row, id) in section.rows.enumerated() {
        let path = IndexPath(item: row, section: number)
        if gone.contains(path) {
          #expect(!rows.contains(id) || modified.contains(id) || isOvertaken(id), "\(title): \(id) kept its place")
        } else if modified.contains(id) {
          expected.append(path)
          #expect(rows.firstIndex(of: id) == row, "\(title)")
        }
      }
    }
    #expect(told.modifications == expected, "\(title)")
  }

  private func isOvertaken(_ id: Int, _ old: [Int], _ new: [Int]) -> Bool {
    let places = Dictionary(uniqueKeysWithValues: new.enumerated().map { ($1, $0) })
    let both = old.compactMap { id in places[id].map { (id: id, new: $0) } }
    guard let at = both.firstIndex(where: { $0.id == id }) else { return false }
    return both[..<at].contains { $0.new > both[at].new } || both[at...].contains { $0.new < both[at].new }
  }
}
