/// The tree of a list or set, of a dictionary's keys or of its values: elements in the order of its leaves.
struct ElementTree {
  /// Realm puts up to 1,000 elements into a leaf.
  static let mostInLeaf = 4_096

  let root: Int

  /// Calls with each leaf; the call returns the number of its elements. Returns the number of all.
  func forEachLeaf(_ reader: NodeReader, _ visits: inout Visits, _ body: (Node, inout Visits) throws -> Int) throws
    -> Int
  { try walk(root, reader, &visits, body) }

  private func walk(
    _ offset: Int, _ reader: NodeReader, _ visits: inout Visits, _ body: (Node, inout Visits) throws -> Int
  ) throws -> Int {
    try visits.enter(offset, reader)
    let node = try reader.node(offset)
    guard node.isInner else { return try body(node, &visits) }
    return try visits.descend(offset, reader) { try inner(node, reader, &$0, body) }
  }

  private func inner(
    _ node: Node, _ reader: NodeReader, _ visits: inout Visits, _ body: (Node, inout Visits) throws -> Int
  ) throws -> Int {
    let offset = node.offset
    let slots = try reader.slots(node)
    let total = try Self.total(slots, node, reader)
    var (ends, size): ([UInt64], UInt64?) = ([], nil)
    switch Slot(slots[0]) {
    case .number(let value): size = value
    case .reference(let reference): ends = try Self.ends(reference, reader)
    case .empty: throw reader.damaged("a tree does not say where its parts end", at: offset)
    }
    var sum = 0
    let children = slots[1..<slots.count - 1]
    for (index, child) in children.enumerated() {
      let count = try walk(reader.reference(child, "a part of a tree"), reader, &visits, body)
      sum += count
      let isLast = index == children.count - 1
      let isSound = size.map { isLast || UInt64(count) == $0 } ?? (index >= ends.count || UInt64(sum) == ends[index])
      guard isSound else { throw reader.damaged("part \(index) of a tree has another number of elements", at: offset) }
    }
    guard sum == total else { throw reader.damaged("a tree has \(sum) elements where it says \(total)", at: offset) }
    return sum
  }

  private static func ends(_ offset: Int, _ reader: NodeReader) throws -> [UInt64] {
    let node = try reader.node(offset)
    _ = try reader.integers(node)
    return node.unsignedIntegers
  }

  private static func total(_ slots: [Int64], _ node: Node, _ reader: NodeReader) throws -> Int {
    guard slots.count >= 3, let last = slots.last else { throw reader.damaged("a tree has no parts", at: node.offset) }
    return try Int(truncatingIfNeeded: reader.number(last, "the number of elements"))
  }
}
