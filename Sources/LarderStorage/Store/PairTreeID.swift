/// Names one pair tree of the store.
enum PairTreeID: Hashable {
  /// The index of a column.
  case index(ClassID, ColumnID)
  /// An index over several columns, by its number in the class.
  case composite(ClassID, UInt16)
  /// The full-text index of a column: its words, and the numbers of words.
  case words(ClassID, ColumnID)
  case lengths(ClassID, ColumnID)
  /// The links to objects of a class that come from a column: target, origin, column.
  case backlinks(ClassID, ClassID, ColumnID)
}
