/// Names one list of the store.
struct ListID: Hashable {
  var classID: ClassID
  var column: ColumnID
  var key: ObjectKey
}

extension ListID: Comparable {
  static func < (lhs: ListID, rhs: ListID) -> Bool {
    (lhs.classID, lhs.column, lhs.key) < (rhs.classID, rhs.column, rhs.key)
  }
}
