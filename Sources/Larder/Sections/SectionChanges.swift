import Foundation
import LarderObservation

/// The changes of sections between two deliveries (S-42 to S-46).
///
/// Deleting `deletions` and `sectionsToDelete` from the old sections, and inserting `sectionsToInsert` and `insertions` of the new
/// ones, lowest first, gives the new sections; `modifications` name rows, by their old places, that stayed where they were.
struct SectionChanges {
  var deletions: [IndexPath] = []
  var insertions: [IndexPath] = []
  var modifications: [IndexPath] = []
  var sectionsToInsert = IndexSet()
  var sectionsToDelete = IndexSet()

  var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && sectionsToInsert.isEmpty
      && sectionsToDelete.isEmpty
  }

  /// - Parameters:
  ///   - before: The sections before, and what changed in their source.
  ///   - isWhole: Also tells sections that others overtook, as deleted and inserted; else each section is looked at by itself.
  init<Key: _Persistable>(
    from before: SectionsBefore<Key>, to new: SectionLayout<Key>, isWhole: Bool
  ) {
    let old = before.layout
    let changes = before.changes
    // By old section: its number now, unless it is reported as deleted.
    var kept = old.keys.map { new.number(of: SectionKey($0)) }
    if isWhole { Self.dropOvertaken(&kept) }
    let keptNew = Set(kept.compactMap { $0 })
    for (number, now) in kept.enumerated() where now == nil { sectionsToDelete.insert(number) }
    for number in new.keys.indices where !keptNew.contains(number) {
      sectionsToInsert.insert(number)
      insertions += new.rows[number].indices.map { IndexPath(item: $0, section: number) }
    }
    for position in changes.deletions {
      let (section, row) = old.place(of: position)
      if kept[section] != nil { deletions.append(IndexPath(item: row, section: section)) }
    }
    for position in changes.insertions { insert(new.place(of: position), keptNew) }
    for (position, after) in zip(changes.modifications, changes.modificationsInNew) {
      let (section, row) = old.place(of: position)
      let place = new.place(of: after)
      if kept[section] == place.section, row == place.row {
        if before.isModified(after) { modifications.append(IndexPath(item: row, section: section)) }
      } else {
        if kept[section] != nil { deletions.append(IndexPath(item: row, section: section)) }
        insert(place, keptNew)
      }
    }
    deletions.sort()
    insertions.sort()
    modifications.sort()
  }

  private mutating func insert(_ place: (section: Int, row: Int), _ kept: Set<Int>) {
    // All rows of a new section are there already.
    if kept.contains(place.section) { insertions.append(IndexPath(item: place.row, section: place.section)) }
  }

  /// Keeps the longest run of sections whose order did not change.
  private static func dropOvertaken(_ kept: inout [Int?]) {
    let both = kept.enumerated().compactMap { old, new in new.map { (old: old, new: $0) } }
    if zip(both, both.dropFirst()).allSatisfy({ $0.new < $1.new }) { return }
    let stays = LongestIncreasingSubsequence.marks(both.map(\.new))
    for (pair, stays) in zip(both, stays) where !stays { kept[pair.old] = nil }
  }

  /// Returns the changes of one section, by its key.
  func only<Key: _Persistable>(_ key: SectionKey, _ old: SectionLayout<Key>, _ new: SectionLayout<Key>)
    -> SectionChanges
  {
    let before = old.number(of: key)
    let after = new.number(of: key)
    var result = self
    result.deletions = deletions.filter { $0.section == before }
    result.modifications = modifications.filter { $0.section == before }
    result.insertions = insertions.filter { $0.section == after }
    result.sectionsToDelete = sectionsToDelete.filteredIndexSet { $0 == before }
    result.sectionsToInsert = sectionsToInsert.filteredIndexSet { $0 == after }
    return result
  }
}
