import LarderLMDB

/// A stored list, read in place.
///
/// Belongs to one thread; valid while the transaction of `get` is and, of a write transaction, until its next change.
/// Remembers the chunk it read last, so that walking by position costs a few nanoseconds an element; of a long list that is read here and
/// there, also where its chunks begin and those it has read (`ListDirectory`).
package final class ListView: ListReading {
  private let tree: ListTree
  private let get: (Table, KeyBytes) throws -> ByteView?
  private let root: ListChunk?
  package let count: Int
  /// The type of the elements.
  package var type: ColumnType { tree.type }
  @exclusivity(unchecked) private var recent: Found?
  @exclusivity(unchecked) private var directory: ListDirectory?
  /// Chunks that were looked for from the root down.
  private var descents = 0

  private typealias Found = (start: Int, chunk: UInt32, leaf: LeafView)

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
    if let directory {
      let place = directory.place(of: position)
      let slot = position &- directory.start(place)
      if let leaf = directory.leaf(place), !leaf.isLarge(slot) { return try leaf.value(slot) }
    }
    let found = try leaf(at: position)
    let slot = position - found.start
    guard found.leaf.isLarge(slot) else { return try found.leaf.value(slot) }
    guard let large = try tree.largeValues(found.chunk, found.leaf, get: get).first(where: { $0.slot == slot }) else {
      throw tree.damage(found.chunk, "lacks a large value")
    }
    return try StoredValue(bytes: large.bytes, type: tree.type)
  }

  @inline(__always)
  private func leaf(at position: Int) throws -> Found {
    if let recent, position >= recent.start, position < recent.start + recent.leaf.count { return recent }
    let found = try directory.map { try look(for: position, $0) } ?? descend(to: position)
    recent = found
    return found
  }

  private func descend(to position: Int) throws -> Found {
    var start = 0
    var number = ListTree.root
    var chunk = root
    while case .inner(let inner) = chunk {
      guard let next = inner.child(at: position - start) else { throw tree.damage(number, "counts too few elements") }
      start += next.start
      number = inner.chunk(next.index)
      chunk = try child(inner, next.index)
    }
    guard case .leaf(let leaf) = chunk, position - start < leaf.count else {
      throw tree.damage(number, "counts too few elements")
    }
    try noteDescent()
    return (start, number, leaf)
  }

  /// The child of an inner chunk, which holds as many elements as that says.
  private func child(_ inner: ListInnerView, _ index: Int) throws -> ListChunk {
    let number = inner.chunk(index)
    guard let child = try tree.chunk(number, level: inner.level - 1, get: get), child.count == inner.elements(index)
    else { throw tree.damage(number, "is counted wrongly") }
    return child
  }

  // MARK: - Reading here and there

  /// The same by the directory.
  private func look(for position: Int, _ directory: ListDirectory) throws -> Found {
    let place = directory.place(of: position)
    let (start, number) = (directory.start(place), directory.chunk(place))
    if let leaf = directory.leaf(place) { return (start, number, leaf) }
    guard case .leaf(let leaf)? = try tree.chunk(number, level: 0, get: get), leaf.count == directory.elements(place)
    else {
      throw tree.damage(number, "is counted wrongly")
    }
    directory.keep(leaf, place)
    return (start, number, leaf)
  }

  /// Makes the directory when as many descents were made as making it costs.
  private func noteDescent() throws {
    descents += 1
    guard case .inner(let inner) = root else { return }
    let inners = min(count / tree.limits.elements, CachePolicy.directoryChunks) / tree.limits.children
    if descents == CachePolicy.descentsBeforeDirectory + inners { directory = try makeDirectory(inner) }
  }

  /// Nil for more chunks than a directory may have, and where a chunk above the leaves is damaged: what is sound of the list can be read.
  private func makeDirectory(_ root: ListInnerView) throws -> ListDirectory? {
    var (starts, chunks) = ([Int](), [UInt32]())
    var position = 0
    func visit(_ inner: ListInnerView) throws -> Bool {
      for index in 0..<inner.count {
        if inner.level > 1 {
          guard case .inner(let below)? = try? child(inner, index), try visit(below) else { return false }
          continue
        }
        starts.append(position)
        chunks.append(inner.chunk(index))
        position += inner.elements(index)
      }
      return chunks.count <= CachePolicy.directoryChunks
    }
    guard try visit(root), position == count else { return nil }
    starts.append(position)
    return ListDirectory(starts: starts, chunks: chunks)
  }

  // MARK: - All in order

  package func forEachChunk(_ body: (_ firstPosition: Int, LeafView) throws -> Bool) throws {
    guard let root else { return }
    var position = 0
    _ = try visit(root, &position, body)
  }

  private func visit(
    _ chunk: ListChunk, _ position: inout Int, _ body: (Int, LeafView) throws -> Bool
  ) throws -> Bool {
    switch chunk {
    case .leaf(let leaf):
      let start = position
      position += leaf.count
      return try leaf.count == 0 || body(start, leaf)
    case .inner(let inner):
      for index in 0..<inner.count {
        if try !visit(try child(inner, index), &position, body) { return false }
      }
      return true
    }
  }
}
