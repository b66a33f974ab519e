import LarderLMDB

/// A stored list, read in place.
///
/// Belongs to one thread; valid while the transaction of `get` is and, of a write transaction, until its next change.
/// Remembers the chunk it read last, so that walking by position costs a few nanoseconds an element.
package final class ListView: ListReading {
  private let tree: ListTree
  private let get: (Table, KeyBytes) throws -> ByteView?
  private let root: ListChunk?
  package let count: Int
  private var recent: (start: Int, chunk: UInt32, leaf: LeafView)?

  /// - Parameter limit: So many elements there are at most in all lists together.
  /// - Throws: `.corrupted` when the root is damaged, or counts more elements than that.
  package init(
    _ tree: ListTree, limit: Int = .max, get: @escaping (Table, KeyBytes) throws -> ByteView?
  ) throws {
    self.tree = tree
    self.get = get
    let root = try tree.chunk(ListTree.root, level: nil, get: get)
    self.root = root
    count = root?.count ?? 0
    if count > limit { throw tree.tooMany }
  }

  /// The positions of the part of the list in which a position cannot be read: what a damaged chunk held, with all below it.
  package func unreadable(at position: Int) -> Range<Int> {
    var (start, chunk) = (0, root)
    while case .inner(let inner) = chunk, let child = inner.child(at: position - start) {
      start += child.start
      let end = start + inner.elements(child.index)
      let found = try? tree.chunk(inner.chunk(child.index), level: inner.level - 1, get: get)
      guard let found, found.count == end - start else { return start..<max(end, position + 1) }
      chunk = found
    }
    return position..<position + 1
  }

  package func value(at position: Int) throws -> StoredValue {
    precondition(position >= 0 && position < count, "list position out of range")
    let found = try leaf(at: position)
    let slot = position - found.start
    guard found.leaf.isLarge(slot) else { return try found.leaf.value(slot) }
    guard let large = try tree.largeValues(found.chunk, found.leaf, get: get).first(where: { $0.slot == slot }) else {
      throw tree.damage(found.chunk, "lacks a large value")
    }
    return try StoredValue(bytes: large.bytes, type: tree.type)
  }

  private func leaf(at position: Int) throws -> (start: Int, chunk: UInt32, leaf: LeafView) {
    if let recent, position >= recent.start, position < recent.start + recent.leaf.count { return recent }
    var start = 0
    var number = ListTree.root
    var chunk = root
    while case .inner(let inner) = chunk {
      guard let child = inner.child(at: position - start) else { throw tree.damage(number, "counts too few elements") }
      start += child.start
      number = inner.chunk(child.index)
      chunk = try tree.chunk(number, level: inner.level - 1, get: get)
      guard chunk?.count == inner.elements(child.index) else { throw tree.damage(number, "is counted wrongly") }
    }
    guard case .leaf(let leaf) = chunk, position - start < leaf.count else {
      throw tree.damage(number, "counts too few elements")
    }
    recent = (start, number, leaf)
    return (start, number, leaf)
  }

  package func forEachChunk(_ body: (_ firstPosition: Int, LeafView) throws -> Bool) throws {
    guard let root else { return }
    var position = 0
    _ = try visit(root, ListTree.root, &position, body)
  }

  private func visit(
    _ chunk: ListChunk, _ number: UInt32, _ position: inout Int, _ body: (Int, LeafView) throws -> Bool
  ) throws -> Bool {
    switch chunk {
    case .leaf(let leaf):
      let start = position
      position += leaf.count
      return try leaf.count == 0 || body(start, leaf)
    case .inner(let inner):
      for index in 0..<inner.count {
        let number = inner.chunk(index)
        guard let child = try tree.chunk(number, level: inner.level - 1, get: get),
          child.count == inner.elements(index)
        else { throw tree.damage(number, "is counted wrongly") }
        if try !visit(child, number, &position, body) { return false }
      }
      return true
    }
  }
}
