import LarderLMDB

/// A decoded chunk of a list that is being edited.
final class ListNode {
  let chunk: UInt32
  /// 0 for a leaf.
  @exclusivity(unchecked) private(set) var level: Int
  /// Elements in this chunk and below.
  @exclusivity(unchecked) private(set) var count: Int
  /// The elements of a leaf.
  @exclusivity(unchecked) private(set) var buffer: ColumnBuffer?
  /// Bytes of the elements of a leaf, as its limits count them.
  @exclusivity(unchecked) private(set) var bytes = 0
  @exclusivity(unchecked) private(set) var children: [Child] = []
  /// True if it differs from what is stored.
  @exclusivity(unchecked) var isDirty = true
  /// True if large values are stored for this chunk.
  @exclusivity(unchecked) var hasStoredLarge = false
  /// The encoded form of a leaf that was asked for before being written.
  @exclusivity(unchecked) var encoded: OwnedLeaf?

  struct Child {
    var chunk: UInt32
    var count: Int
    /// Nil until it is needed.
    var node: ListNode?

    init(chunk: UInt32, count: Int) {
      self.chunk = chunk
      self.count = count
    }

    init(_ node: ListNode) {
      chunk = node.chunk
      count = node.count
      self.node = node
    }
  }

  /// A leaf.
  init(_ chunk: UInt32, _ buffer: ColumnBuffer, bytes: Int) {
    self.chunk = chunk
    self.buffer = buffer
    self.bytes = bytes
    level = 0
    count = buffer.count
  }

  /// An inner node.
  init(_ chunk: UInt32, level: Int, _ children: [Child]) {
    self.chunk = chunk
    self.level = level
    self.children = children
    count = children.reduce(0) { $0 + $1.count }
  }

  /// The content of another node under a number of its own.
  init(_ chunk: UInt32, contentOf other: ListNode) {
    self.chunk = chunk
    level = other.level
    count = other.count
    buffer = other.buffer
    bytes = other.bytes
    children = other.children
  }

  func willChange() {
    isDirty = true
    encoded = nil
  }

  // MARK: Leaves

  func become(_ buffer: ColumnBuffer, bytes: Int) {
    level = 0
    children = []
    self.buffer = buffer
    self.bytes = bytes
    count = buffer.count
  }

  /// Inserts elements for which there is room in the limits.
  func insert(_ values: ArraySlice<StoredValue>, at position: Int, bytes added: Int, limits: ListLimits) {
    guard var buffer else { return }
    let needed = buffer.count + values.count
    if needed > buffer.capacity {
      let capacity = max(needed, min(limits.elements, 2 * buffer.capacity))
      let grown = ColumnBuffer(type: buffer.type, capacity: capacity, isOptional: buffer.isOptional)
      grown.append(0..<buffer.count, of: buffer)
      buffer = grown
      self.buffer = grown
    }
    if position < buffer.count { buffer.insertSlots(at: position, count: values.count) }
    for (offset, value) in values.enumerated() { buffer.set(position + offset, value) }
    bytes += added
    count = buffer.count
  }

  func set(_ slot: Int, _ value: StoredValue, bytesBefore: Int, bytesAfter: Int) {
    buffer?.set(slot, value)
    bytes += bytesAfter - bytesBefore
  }

  func remove(_ range: Range<Int>, bytes removed: Int) {
    guard let buffer else { return }
    buffer.remove(range)
    bytes -= removed
    count = buffer.count
  }

  // MARK: Inner nodes

  func become(level: Int, _ children: [Child]) {
    buffer = nil
    bytes = 0
    self.level = level
    self.children = children
    count = children.reduce(0) { $0 + $1.count }
  }

  func become(contentOf other: ListNode) {
    level = other.level
    buffer = other.buffer
    bytes = other.bytes
    children = other.children
    count = other.count
  }

  func attach(_ node: ListNode, at index: Int) { children[index].node = node }

  /// Takes over a child's count after it changed.
  func recount(_ index: Int, _ childCount: Int) {
    count += childCount - children[index].count
    children[index].count = childCount
  }

  func insertChildren(_ nodes: [ListNode], at index: Int) {
    children.insert(contentsOf: nodes.map { Child($0) }, at: index)
    for node in nodes { count += node.count }
  }

  func removeChild(_ index: Int) {
    count -= children[index].count
    children.remove(at: index)
  }

  /// The child in which a position to insert at is, the earlier one between two.
  func child(insertingAt position: Int) -> (index: Int, start: Int) {
    if position == count, let last = children.last { return (children.count - 1, count - last.count) }
    var start = 0
    for (index, child) in children.enumerated() {
      if position <= start + child.count { return (index, start) }
      start += child.count
    }
    return (children.count - 1, start)
  }

  /// The child that holds a position.
  func child(holding position: Int) -> (index: Int, start: Int) {
    var start = 0
    for (index, child) in children.enumerated() {
      if position < start + child.count { return (index, start) }
      start += child.count
    }
    return (children.count - 1, start)
  }
}
