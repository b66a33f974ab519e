import Foundation
import LarderStorage
import Testing

@testable import Larder
@testable import LarderObservation

/// Sections as plain arrays, to which change sets are applied.
final class SectionModel {
  private let sections: SectionedResults<String, Person>
  private var layout: SectionLayout<String>
  private var shown: [[String]] = []

  init(_ sections: SectionedResults<String, Person>) {
    self.sections = sections
    layout = sections.state.layout
  }

  /// Each row as text: all that can be seen of it.
  private func rows() -> [[String]] { sections.map { $0.map { "\($0.id) \($0.name) \($0.age)" } } }

  func remember() {
    layout = sections.state.layout
    shown = rows()
  }

  /// Computes the change since `remember()` the way an observer is notified, applies it, and compares.
  func check(from before: Realm) throws {
    guard let older = before.core.snapshot, let newer = sections.state.host.snapshot,
      case .objects(let query, _) = sections.state.source.state.source
    else {
      Issue.record("not at a version")
      return
    }
    let progress = QueryProgress(
      query: ObservedResults(query), scope: .standard, older: older, newer: newer,
      summary: try newer.changes(since: older.moment))
    let (keys, changes) = try progress.advance(KeySequence(try query.keys(in: older)))
    #expect(keys.keys == (try query.keys(in: newer)))
    let new = rows()
    let told = SectionChanges(
      from: SectionsBefore(layout: layout, changes: changes) { _ in true }, to: sections.state.layout, isWhole: true)
    var result = shown.map { $0.map { Optional($0) } }
    for path in told.modifications { result[path.section][path.item] = nil }
    for path in told.deletions.reversed() { result[path.section].remove(at: path.item) }
    for section in told.sectionsToDelete.reversed() { result.remove(at: section) }
    for section in told.sectionsToInsert { result.insert([], at: section) }
    for path in told.insertions { result[path.section].insert(nil, at: path.item) }
    #expect(result.map(\.count) == new.map(\.count))
    // What is not named must be right already.
    for (section, rows) in result.enumerated() {
      for (item, row) in rows.enumerated() where row != nil && row != new[section][item] {
        Issue.record("row \(section):\(item) shows \(row ?? "") instead of \(new[section][item])")
      }
    }
  }
}
