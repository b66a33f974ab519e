/// A list that the transaction has opened for changes, with its decoded chunks.
final class OpenList {
  let id: ListID
  let column: ColumnDescriptor
  let editor: ListEditor
  /// The writer will write this list out; false after it let go of it.
  var isRegistered = true
  /// It is among the lists that the next flush writes.
  var isChanged = false
  /// The number of bytes of the editor that the transaction has counted.
  var countedBytes = 0

  init(id: ListID, column: ColumnDescriptor, editor: ListEditor) {
    self.id = id
    self.column = column
    self.editor = editor
  }
}
