import LarderLMDB

/// A list opened for changes in a write transaction.
///
/// Chunks are read and decoded when first needed and written, each once, by `flush`; until then all changes stay in
/// memory. Positions must be in range: the caller checks them. Belongs to the transaction's thread. Every operation
/// touches O(log n) chunks; appending one element costs tens of nanoseconds.
final class ListEditor: ListReading {
  let tree: ListTree
  let transaction: WriteTransaction
  @exclusivity(unchecked) private(set) var root: ListNode
  @exclusivity(unchecked) private var nextChunk: UInt32 = 1
  /// Chunks that are stored, or may be, and are no longer part of the list.
  private var retired: [UInt32] = []
  /// Everything stored goes before the list is written.
  private var erasesStored = false
  private var isStored: Bool
  /// Estimated bytes of the elements that it has in memory; elements that go stay counted.
  @exclusivity(unchecked) private(set) var heldBytes = 0
  /// The leaf that was read last, and the position of its first element.
  @exclusivity(unchecked) private var recent: (start: Int, leaf: ListNode)?
  /// The filters that searches for links have made; for a list that was closed since, those that they made then. Nil before the first search.
  @exclusivity(unchecked) var search: LinkSearch? {
    didSet { if root.level == 0 { search?.reset() } }
  }

  /// Opens a list; with `isNew`, the caller knows that none is stored.
  ///
  /// - Parameter limit: So many elements there are at most in all lists together.
  /// - Throws: `.corrupted` when the root is damaged, or counts more elements than that.
  package init(_ tree: ListTree, isNew: Bool = false, limit: Int = .max, transaction: WriteTransaction) throws {
    self.tree = tree
    self.transaction = transaction
    root = ListNode(ListTree.root, Self.emptyBuffer(tree), bytes: 0)
    root.isDirty = false
    isStored = false
    if !isNew, let chunk = try tree.chunk(ListTree.root, level: nil, get: transaction.get) {
      isStored = true
      root = try decode(chunk, ListTree.root)
      if chunk.count > limit || root.count > limit { throw tree.tooMany }
      if case .inner(let inner) = chunk { nextChunk = inner.nextChunk }
    }
  }

  private static func emptyBuffer(_ tree: ListTree) -> ColumnBuffer {
    ColumnBuffer(type: tree.type, capacity: min(8, tree.limits.elements), isOptional: tree.isOptional)
  }

  package var count: Int { root.count }

  // MARK: - Reading

  package func value(at position: Int) throws -> StoredValue {
    precondition(position >= 0 && position < count, "list position out of range")
    let (start, leaf) = try leaf(at: position)
    return leaf.buffer?.value(position - start) ?? .null
  }

  private func leaf(at position: Int) throws -> (start: Int, leaf: ListNode) {
    if let recent, position >= recent.start, position < recent.start + recent.leaf.count { return recent }
    var node = root
    var start = 0
    while node.level > 0 {
      let child = node.child(holding: position - start)
      node = try load(node, child.index)
      start += child.start
    }
    recent = (start, node)
    return (start, node)
  }

  func load(_ parent: ListNode, _ index: Int) throws -> ListNode {
    let child = parent.children[index]
    if let node = child.node { return node }
    guard let chunk = try tree.chunk(child.chunk, level: parent.level - 1, get: transaction.get),
      chunk.count == child.count
    else { throw tree.damage(child.chunk, "is counted wrongly") }
    let node = try decode(chunk, child.chunk)
    parent.attach(node, at: index)
    return node
  }

  private func decode(_ chunk: ListChunk, _ number: UInt32) throws -> ListNode {
    let node: ListNode
    switch chunk {
    case .inner(let inner):
      let children = (0..<inner.count).map { ListNode.Child(chunk: inner.chunk($0), count: inner.elements($0)) }
      node = ListNode(number, level: inner.level, children)
    case .leaf(let leaf):
      try leaf.checkMixed()
      let capacity = min(tree.limits.elements, max(8, leaf.count))
      let buffer = ColumnBuffer(decoding: leaf, capacity: capacity, isOptional: tree.isOptional)
      // In memory every value is whole; those that do not fit leave the leaf again when it is encoded.
      for large in try tree.largeValues(number, leaf, get: transaction.get) {
        if tree.type == .mixed { _ = try StoredValue(bytes: large.bytes, type: .mixed) }
        large.bytes.withUnsafeBytes { buffer.setBytes(large.slot, $0) }
      }
      node = ListNode(number, buffer, bytes: sizes.size(buffer, 0..<buffer.count))
      node.hasStoredLarge = leaf.hasLarge
      heldBytes += node.bytes + 16 * node.count
    }
    node.isDirty = false
    return node
  }

  private var sizes: ListSizes { ListSizes(tree) }

  // MARK: - Inserting

  /// Inserts elements so that the first lands at `position`.
  func insert(_ values: [StoredValue], at position: Int) throws {
    guard !values.isEmpty else { return }
    heldBytes += sizes.size(values[...]) + 16 * values.count
    recent = nil
    let siblings = try insert(values[...], at: position, into: root, isLast: true)
    if !siblings.isEmpty { try growRoot(siblings) }
  }

  /// Inserts elements at several positions, which rise and count before any of them is inserted.
  ///
  /// Many of them are merged with what is there in one pass.
  func merge(_ elements: [(position: Int, value: StoredValue)]) throws {
    if elements.count > 16, elements.count > count / 4 { return try mergeAll(elements) }
    var end = elements.count
    while end > 0 {
      var start = end - 1
      while start > 0, elements[start - 1].position == elements[start].position { start -= 1 }
      try insert(elements[start..<end].map(\.value), at: elements[start].position)
      end = start
    }
  }

  private func mergeAll(_ elements: [(position: Int, value: StoredValue)]) throws {
    guard let first = elements.first else { return }
    var tail: [StoredValue] = []
    tail.reserveCapacity(count - first.position + elements.count)
    var next = first.position
    for element in elements {
      while next < element.position {
        tail.append(try value(at: next))
        next += 1
      }
      tail.append(element.value)
    }
    while next < count {
      tail.append(try value(at: next))
      next += 1
    }
    try remove(first.position..<count)
    let held = heldBytes
    try insert(tail, at: first.position)
    // The others were counted before.
    heldBytes = held + sizes.size(elements.map(\.value)[...]) + 16 * elements.count
  }

  /// Inserts below a node; returns the nodes to put after it.
  private func insert(
    _ values: ArraySlice<StoredValue>, at position: Int, into node: ListNode, isLast: Bool
  ) throws -> [ListNode] {
    node.willChange()
    noteLinks(of: values, into: node)
    let isAppend = isLast && position == node.count
    if node.level == 0 { return try insertIntoLeaf(values, at: position, node, isAppend: isAppend) }
    let (index, start) = node.child(insertingAt: position)
    let child = try load(node, index)
    let siblings = try insert(
      values, at: position - start, into: child, isLast: isLast && index == node.children.count - 1)
    node.recount(index, child.count)
    if siblings.isEmpty { return [] }
    node.insertChildren(siblings, at: index + 1)
    return try splitInner(node, fillsNodes: isAppend)
  }

  private func insertIntoLeaf(
    _ values: ArraySlice<StoredValue>, at position: Int, _ node: ListNode, isAppend: Bool
  ) throws -> [ListNode] {
    let added = sizes.size(values)
    if sizes.fits(count: node.count + values.count, bytes: node.bytes + added) {
      node.insert(values, at: position, bytes: added, limits: tree.limits)
      return []
    }
    if isAppend {
      let room = sizes.fitting(values, count: node.count, bytes: node.bytes)
      let part = values.prefix(room)
      if room > 0 { node.insert(part, at: position, bytes: sizes.size(part), limits: tree.limits) }
      return try sizes.parts(values.dropFirst(room), evenly: false).map { try makeLeaf($0) }
    }
    guard let buffer = node.buffer else { return [] }
    var all = (0..<position).map { buffer.value($0) }
    all.append(contentsOf: values)
    all.append(contentsOf: (position..<buffer.count).map { buffer.value($0) })
    let parts = sizes.parts(all[...], evenly: true)
    node.become(fill(parts[0]), bytes: sizes.size(parts[0]))
    return try parts.dropFirst().map { try makeLeaf($0) }
  }

  private func fill(_ values: ArraySlice<StoredValue>) -> ColumnBuffer {
    let capacity = max(values.count, min(tree.limits.elements, 2 * values.count))
    let buffer = ColumnBuffer(type: tree.type, capacity: capacity, isOptional: tree.isOptional)
    for value in values { buffer.append(value) }
    return buffer
  }

  private func makeLeaf(_ values: ArraySlice<StoredValue>) throws -> ListNode {
    ListNode(try takeNumber(), fill(values), bytes: sizes.size(values))
  }

  private func takeNumber() throws -> UInt32 {
    guard nextChunk < .max else {
      throw StorageError(.internalError, "A list has used up its chunk numbers. Assign it again.", key: tree.object)
    }
    search?.forget(nextChunk)
    nextChunk += 1
    return nextChunk - 1
  }

  /// Parts a node with too many children; returns the nodes to put after it.
  private func splitInner(_ node: ListNode, fillsNodes: Bool) throws -> [ListNode] {
    let children = node.children
    guard children.count > tree.limits.children else { return [] }
    let pieces = (children.count + tree.limits.children - 1) / tree.limits.children
    let size = fillsNodes ? tree.limits.children : (children.count + pieces - 1) / pieces
    node.become(level: node.level, Array(children.prefix(size)))
    return try stride(from: size, to: children.count, by: size).map { start in
      let part = children[start..<min(start + size, children.count)]
      return ListNode(try takeNumber(), level: node.level, Array(part))
    }
  }

  /// Puts a level under the root, which keeps its number, to take in what it was split into.
  private func growRoot(_ siblings: [ListNode]) throws {
    var level = siblings
    repeat {
      let first = ListNode(try takeNumber(), contentOf: root)
      root.become(level: first.level + 1, ([first] + level).map { ListNode.Child($0) })
      level = try splitInner(root, fillsNodes: true)
    } while !level.isEmpty
  }

  // MARK: - Changing

  /// Replaces an element.
  func set(at position: Int, _ value: StoredValue) throws {
    let (start, leaf) = try leaf(at: position)
    guard let buffer = leaf.buffer else { return }
    let slot = position - start
    let before = sizes.size(buffer, slot..<slot + 1)
    let after = sizes.size([value][...])
    guard sizes.fits(count: leaf.count, bytes: leaf.bytes + after - before) else {
      try remove(position..<position + 1)
      return try insert([value], at: position)
    }
    heldBytes += max(0, after - before)
    leaf.set(slot, value, bytesBefore: before, bytesAfter: after)
    leaf.willChange()
    try noteLinks(of: value, at: position)
  }

  /// Takes an element out and puts it in again, so that it is at `target`.
  func move(from source: Int, to target: Int) throws {
    let value = try value(at: source)
    try remove(source..<source + 1)
    try insert([value], at: target)
  }

  /// Removes elements.
  func remove(_ range: Range<Int>) throws {
    guard !range.isEmpty else { return }
    if range == 0..<count { return try clear() }
    recent = nil
    try remove(range, from: root)
    while root.level > 0, root.children.count == 1 {
      let child = try load(root, 0)
      retire(child.chunk)
      // Values stored for the child go with its number.
      root.become(contentOf: child)
    }
  }

  private func remove(_ range: Range<Int>, from node: ListNode) throws {
    node.willChange()
    if node.level == 0 {
      guard let buffer = node.buffer else { return }
      return node.remove(range, bytes: sizes.size(buffer, range))
    }
    var end = node.count
    var changed = 0
    for index in node.children.indices.reversed() {
      let part = end - node.children[index].count..<end
      end = part.lowerBound
      let hit = part.clamped(to: range)
      if hit.isEmpty { continue }
      changed = index
      if hit == part {
        try retire(node.children[index], level: node.level - 1)
        node.removeChild(index)
      } else {
        let child = try load(node, index)
        try remove(hit.lowerBound - part.lowerBound..<hit.upperBound - part.lowerBound, from: child)
        node.recount(index, child.count)
      }
    }
    for index in [changed + 1, changed] where index < node.children.count { try joinIfSmall(node, index) }
  }

  private func retire(_ chunk: UInt32) {
    retired.append(chunk)
    search?.forget(chunk)
  }

  private func retire(_ child: ListNode.Child, level: Int) throws {
    retire(child.chunk)
    guard level > 0 else { return }
    let node = try child.node ?? decodeInner(child.chunk, level)
    for below in node.children { try retire(below, level: level - 1) }
  }

  private func decodeInner(_ number: UInt32, _ level: Int) throws -> ListNode {
    guard let chunk = try tree.chunk(number, level: level, get: transaction.get) else {
      throw tree.damage(number, "is missing")
    }
    return try decode(chunk, number)
  }

  /// Joins a child that has become small with a neighbour, when there is room for both and some more.
  private func joinIfSmall(_ node: ListNode, _ index: Int) throws {
    let limits = tree.limits
    guard node.children.count > 1 else { return }
    let left = index + 1 < node.children.count ? index : index - 1
    let (first, second) = (node.children[left], node.children[left + 1])
    if node.level == 1 {
      guard node.children[index].count < limits.elements / 4, first.count + second.count <= limits.elements * 3 / 4
      else { return }
    }
    let (one, other) = (try load(node, left), try load(node, left + 1))
    if node.level == 1 {
      guard one.bytes + other.bytes <= limits.bytes * 3 / 4, let buffer = other.buffer else { return }
      let values = (0..<buffer.count).map { buffer.value($0) }
      one.insert(values[...], at: one.count, bytes: other.bytes, limits: limits)
    } else {
      let small = index == left ? one : other
      guard small.children.count < max(2, limits.children / 4),
        one.children.count + other.children.count <= limits.children * 3 / 4
      else { return }
      one.become(level: one.level, one.children + other.children)
    }
    one.willChange()
    retire(other.chunk)
    // It holds the elements of both.
    search?.forget(one.chunk)
    node.removeChild(left + 1)
    node.recount(left, one.count)
  }

  /// Removes every element.
  func clear() throws {
    recent = nil
    search?.reset()
    retired = []
    erasesStored = isStored
    root = ListNode(ListTree.root, Self.emptyBuffer(tree), bytes: 0)
  }

  // MARK: - Writing

  /// Writes every changed chunk. The editor stays usable.
  func flush(_ transaction: WriteTransaction) throws {
    if erasesStored { try eraseStored(transaction) }
    for number in retired { try erase(number, mayHaveLarge: tree.holdsBytes, transaction) }
    retired = []
    if root.count == 0 {
      if root.isDirty && isStored { try erase(ListTree.root, mayHaveLarge: root.hasStoredLarge, transaction) }
      root.isDirty = false
      isStored = false
      return
    }
    isStored = true
    try write(root, transaction)
  }

  private func write(_ node: ListNode, _ transaction: WriteTransaction) throws {
    if node.isDirty {
      if node.hasStoredLarge { try eraseParts(node.chunk, transaction) }
      node.hasStoredLarge = false
      if node.level == 0 {
        try writeLeaf(node, transaction)
      } else {
        let children = node.children.map { (chunk: $0.chunk, elements: $0.count) }
        let bytes = ListInnerView.encode(
          level: node.level, total: node.count, nextChunk: node === root ? nextChunk : 0, children: children,
          seed: tree.seed(node.chunk))
        try transaction.put(tree.table, tree.key(node.chunk), bytes)
      }
      node.isDirty = false
    }
    for child in node.children { if let below = child.node { try write(below, transaction) } }
  }

  private func writeLeaf(_ node: ListNode, _ transaction: WriteTransaction) throws {
    let leaf = encode(node)
    try transaction.put(tree.table, tree.key(node.chunk), leaf.bytes)
    guard !leaf.evicted.isEmpty else { return }
    node.hasStoredLarge = true
    let all = leaf.evicted.flatMap(\.bytes)
    for (part, start) in stride(from: 0, to: all.count, by: ListTree.partSize).enumerated() {
      var bytes = Array(all[start..<min(start + ListTree.partSize, all.count)])
      bytes.append(contentsOf: [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8))
      try transaction.put(tree.table, tree.partKey(node.chunk, part), bytes)
    }
  }

  /// The encoded leaf. The buffer keeps its values, also those that have to leave the leaf.
  func encode(_ node: ListNode) -> EncodedLeaf {
    guard let buffer = node.buffer else { return EncodedLeaf(bytes: []) }
    let leaf = buffer.encode(key: tree.seed(node.chunk), softLimit: .max)
    for (slot, bytes) in leaf.evicted { bytes.withUnsafeBytes { buffer.setBytes(slot, $0) } }
    return leaf
  }

  private func erase(_ number: UInt32, mayHaveLarge: Bool, _ transaction: WriteTransaction) throws {
    try transaction.delete(tree.table, tree.key(number))
    if mayHaveLarge { try eraseParts(number, transaction) }
  }

  private func eraseParts(_ number: UInt32, _ transaction: WriteTransaction) throws {
    var part = 0
    while try transaction.delete(tree.table, tree.partKey(number, part)) { part += 1 }
  }

  private func eraseStored(_ transaction: WriteTransaction) throws {
    erasesStored = false
    for number in try tree.storedChunks(transaction.cursor(tree.table)) {
      try erase(number, mayHaveLarge: tree.holdsBytes, transaction)
    }
  }
}

extension ListTree {
  /// Numbers of all chunks stored for the list, part of it or not.
  func storedChunks(_ cursor: some CursorReading) throws -> [UInt32] {
    var result: [UInt32] = []
    var entry = try cursor.seek(key(0))
    while let found = entry, found.key.count == 24, found.key.loadBigEndian(0, as: UInt64.self) == columnWord,
      found.key.loadBigEndian(8, as: UInt64.self) == object.rawValue
    {
      result.append(UInt32(truncatingIfNeeded: found.key.loadBigEndian(16, as: UInt64.self)))
      entry = try cursor.next()
    }
    return result
  }
}
