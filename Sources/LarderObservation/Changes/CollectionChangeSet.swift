/// The changes of an observed collection between two deliveries (N-10).
///
/// Removing `deletions` from the old collection, highest first, and inserting `insertions` of the new one, lowest first, gives the new collection.
/// All ascending, none twice. A moved element is a deletion and an insertion (N-11).
package struct CollectionChangeSet: Hashable, Sendable {
  /// Positions in the old collection.
  package var deletions: [Int]
  /// Positions in the new collection.
  package var insertions: [Int]
  /// Positions in the old collection of elements that changed and stayed where they were.
  package var modifications: [Int]

  package init(deletions: [Int] = [], insertions: [Int] = [], modifications: [Int] = []) {
    self.deletions = deletions
    self.insertions = insertions
    self.modifications = modifications
  }

  package var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

  /// Positions in the new collection of the elements that `modifications` names.
  package var modificationsInNew: [Int] {
    var deletion = 0
    var insertion = 0
    return modifications.map { old in
      while deletion < deletions.count, deletions[deletion] < old { deletion += 1 }
      var position = old - deletion + insertion
      while insertion < insertions.count, insertions[insertion] <= position {
        insertion += 1
        position += 1
      }
      return position
    }
  }
}
