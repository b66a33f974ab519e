import Foundation

/// A change of a sectioned collection.
@frozen
public enum SectionedResultsChange<Collection> {
  /// The first call: the sections as they are.
  case initial(Collection)
  /// The changes since the last call: rows by index paths, and whole sections by their numbers.
  case update(
    Collection, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
    sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)
}
