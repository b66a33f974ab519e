/// Objects of a class of which one column was assigned.
struct Assignment: Sendable {
  let classID: ClassID
  let column: ColumnID
  let keys: KeyRanges
}
