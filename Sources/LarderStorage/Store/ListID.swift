/// Names one tree of elements: a list, a set, the values of a map, or the keys of a map.
struct ListID: Hashable {
  var classID: ClassID
  var column: ColumnID
  var key: ObjectKey
  /// The keys of a map rather than its values.
  var holdsKeys = false
}

extension ListID: Comparable {
  static func < (lhs: ListID, rhs: ListID) -> Bool {
    (lhs.classID, lhs.column, lhs.holdsKeys ? 1 : 0, lhs.key) < (
      rhs.classID, rhs.column, rhs.holdsKeys ? 1 : 0, rhs.key
    )
  }
}
