/// Names one pair tree of the store.
enum PairTreeID: Hashable {
  /// The index of a column.
  case index(ClassID, ColumnID)
  /// The links to objects of a class that come from a column: target, origin, column.
  case backlinks(ClassID, ClassID, ColumnID)
}
