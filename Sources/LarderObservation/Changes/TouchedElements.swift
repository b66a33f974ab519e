/// Elements that changes touched, with their places in the old and the new collection; everything else is the backbone.
struct TouchedElements {
  /// Positions in the old collection of elements that are deleted.
  var gone: [Int] = []
  /// Positions in the new collection of elements that came.
  var came: [Int] = []
  /// Elements of both whose place may differ.
  var common: [MoveFinder.Element] = []
  /// Positions in the old collection of elements that were modified, whether or not they are deleted or moved.
  var modified: Set<Int> = []

  func changeSet() -> CollectionChangeSet {
    let elements = common.sorted { $0.new < $1.new }
    let finder = MoveFinder(
      looseOld: (gone + elements.map(\.old)).sorted(), looseNew: (came + elements.map(\.new)).sorted())
    let moved = finder.moved(elements)
    var deletions = gone
    var insertions = came
    for (element, hasMoved) in zip(elements, moved) where hasMoved {
      deletions.append(element.old)
      insertions.append(element.new)
    }
    let modifications = modified.subtracting(deletions)
    return CollectionChangeSet(
      deletions: deletions.sorted(), insertions: insertions.sorted(), modifications: modifications.sorted())
  }
}
