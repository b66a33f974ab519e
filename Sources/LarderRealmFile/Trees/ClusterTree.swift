/// Objects in groups of neighbouring keys: where the groups are, without what they hold.
struct ClusterTree: Sendable {
  /// Realm puts up to 256 objects into a leaf.
  static let mostInLeaf = 4_096

  /// A leaf, and what is added to the keys in it.
  struct Leaf: Sendable {
    let keyOffset: UInt64
    let offset: Int
  }

  /// The leaves by their keys.
  let leaves: [Leaf]
  /// The number of objects as the root says it.
  let objectCount: Int

  init(root: Int, _ reader: NodeReader) throws {
    var walk = Walk(reader: reader)
    let node = try reader.node(root)
    if node.isInner {
      let slots = try reader.slots(node)
      guard slots.count >= 3 else { throw reader.damaged("a tree of objects has no parts", at: root) }
      objectCount = try Int(truncatingIfNeeded: reader.number(slots[2], "the number of objects"))
      try walk.inner(node, keyOffset: 0, depth: nil)
    } else {
      objectCount = try ClusterLeaf.keys(reader.slots(node), keyOffset: 0, node, reader).count
      walk.leaves = [Leaf(keyOffset: 0, offset: root)]
    }
    leaves = walk.leaves
  }

  /// The index of the leaf in which a key can be; nil when it is before all.
  func leafIndex(of key: Int64) -> Int? {
    let wanted = UInt64(bitPattern: key)
    var (low, high) = (0, leaves.count)
    while low < high {
      let middle = (low + high) / 2
      if leaves[middle].keyOffset <= wanted { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }

  private struct Walk {
    let reader: NodeReader
    var leaves: [Leaf] = []
    var visits = Visits()

    init(reader: NodeReader) { self.reader = reader }

    /// - Parameter depth: The number of levels under the node; nil when the node says it.
    mutating func inner(_ node: Node, keyOffset: UInt64, depth: Int?) throws {
      try visits.enter(node.offset, reader)
      let slots = try reader.slots(node)
      guard node.isInner, slots.count >= 3 else {
        throw reader.damaged("a tree of objects has leaves on several levels", at: node.offset)
      }
      let stated = try reader.number(slots[1], "the depth of a tree of objects")
      guard stated >= 1, stated <= Visits.mostLevels, depth == nil || depth == Int(stated) else {
        throw reader.damaged("a tree of objects is \(stated) levels deep", at: node.offset)
      }
      let offsets = try keyOffsets(slots, depth: Int(stated), node)
      for (child, offset) in zip(slots[3...], offsets) {
        let reference = try reader.reference(child, "a part of a tree of objects")
        if stated > 1 {
          try inner(reader.node(reference), keyOffset: keyOffset &+ offset, depth: Int(stated) - 1)
        } else {
          try leaf(reference, keyOffset: keyOffset &+ offset)
        }
      }
    }

    private mutating func leaf(_ reference: Int, keyOffset: UInt64) throws {
      try visits.enter(reference, reader)
      if let last = leaves.last, last.keyOffset >= keyOffset {
        throw reader.damaged("keys of a tree of objects do not ascend", at: reference)
      }
      leaves.append(Leaf(keyOffset: keyOffset, offset: reference))
    }

    private func keyOffsets(_ slots: [Int64], depth: Int, _ node: Node) throws -> [UInt64] {
      let count = slots.count - 3
      guard let reference = try reader.optionalReference(slots[0], "the keys of a tree of objects") else {
        // A node without keys of its own has every one of its children full.
        guard depth <= 7 else { throw reader.damaged("a tree of objects is too deep to have no keys", at: node.offset) }
        return (0..<count).map { UInt64($0) << UInt64(8 * depth) }
      }
      let keys = try reader.node(reference)
      _ = try reader.integers(keys, count: count)
      return keys.unsignedIntegers
    }
  }
}

/// A group of neighbouring objects: their keys, and where each column of them is.
struct ClusterLeaf: Sendable {
  /// Ascending.
  let keys: [Int64]
  private let slots: [Int64]

  init(_ leaf: ClusterTree.Leaf, _ reader: NodeReader) throws {
    let node = try reader.node(leaf.offset)
    slots = try reader.slots(node)
    keys = try Self.keys(slots, keyOffset: leaf.keyOffset, node, reader)
  }

  /// Returns the reference to the column at an index; 0 where there is none.
  func column(_ index: Int) -> Int64 { index + 1 < slots.count ? slots[index + 1] : 0 }

  static func keys(_ slots: [Int64], keyOffset: UInt64, _ node: Node, _ reader: NodeReader) throws -> [Int64] {
    guard let first = slots.first, !node.isInner else { throw reader.damaged("objects have no keys", at: node.offset) }
    switch Slot(first) {
    case .empty: throw reader.damaged("objects have no keys", at: node.offset)
    case .number(let count):
      guard count <= ClusterTree.mostInLeaf else {
        throw reader.damaged("\(count) objects are in one group", at: node.offset)
      }
      return (0..<count).map { Int64(bitPattern: $0 &+ keyOffset) }
    case .reference(let reference):
      let array = try reader.node(reference)
      guard array.count <= ClusterTree.mostInLeaf else {
        throw reader.damaged("\(array.count) objects are in one group", at: node.offset)
      }
      _ = try reader.integers(array)
      let keys = array.unsignedIntegers
      guard zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }) else {
        throw reader.damaged("keys of objects do not ascend", at: reference)
      }
      return keys.map { Int64(bitPattern: $0 &+ keyOffset) }
    }
  }
}
