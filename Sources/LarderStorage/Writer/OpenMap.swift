/// The two lists of a map, opened.
struct OpenMap {
  let keys: OpenList
  let values: OpenList

  var column: ColumnDescriptor { values.column }
  var id: ListID { values.id }
  var count: Int { keys.editor.count }

  func key(at position: Int) throws -> String {
    guard case .string(let key) = try keys.editor.value(at: position) else {
      throw keys.editor.tree.damage(0, "is no text")
    }
    return key
  }
}
