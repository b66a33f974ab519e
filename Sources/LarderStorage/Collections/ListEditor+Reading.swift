extension ListEditor {
  package func forEachChunk(_ body: (_ firstPosition: Int, LeafView) throws -> Bool) throws {
    var position = 0
    _ = try visit(root, &position, body)
  }

  private func visit(
    _ node: ListNode, _ position: inout Int, _ body: (Int, LeafView) throws -> Bool
  ) throws -> Bool {
    if node.level == 0 {
      guard node.count > 0 else { return true }
      let owned = node.encoded ?? OwnedLeaf(encode(node).bytes)
      node.encoded = owned
      defer { position += node.count }
      return try body(position, try LeafView(owned.view))
    }
    for index in node.children.indices {
      if node.level == 1, let leaf = try storedLeaf(node, index) {
        defer { position += leaf.count }
        if try !body(position, leaf) { return false }
      } else if try !visit(load(node, index), &position, body) {
        return false
      }
    }
    return true
  }

  /// A leaf as it is stored, where that is what the list holds: it was not needed in decoded form yet.
  private func storedLeaf(_ parent: ListNode, _ index: Int) throws -> LeafView? {
    let child = parent.children[index]
    guard child.node == nil, child.count > 0 else { return nil }
    guard case .leaf(let leaf)? = try tree.chunk(child.chunk, level: 0, get: transaction.get), leaf.count == child.count
    else { throw tree.damage(child.chunk, "is counted wrongly") }
    return leaf
  }
}
