import Foundation

/// What happened to a sectioned collection.
@frozen
public enum SectionedResultsChange<Collection> {
  /// The first call: the sections as they are.
  case initial(Collection)
  /// What changed since the last call: rows by index paths, and whole sections by their numbers.
  case update(
    Collection, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
    sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)
}
