/// Reads leaves of any type, and collections.
struct ValueReader: Sendable {
  let nodes: NodeReader
  let context: FileContext

  /// The values of a leaf.
  ///
  /// - Parameters:
  ///   - isInTree: Whether it is a leaf of a collection; else it is a column of a cluster.
  ///   - count: How many there must be.
  func column(_ node: Node, _ kind: LeafKind, isInTree: Bool, count: ElementCount, _ visits: inout Visits) throws
    -> RealmFileColumn
  {
    guard !node.isInner else { throw nodes.damaged("a leaf is a tree", at: node.offset) }
    let isOptional = kind.isOptional
    switch kind.type {
    case .int: return .ints(try nodes.ints(node, isOptional: isOptional, count: count))
    case .bool: return .bools(try nodes.bools(node, isOptional: isOptional, count: count))
    case .float: return .floats(try nodes.floats(node, isOptional: isOptional, count: count))
    case .double: return .doubles(try nodes.doubles(node, isOptional: isOptional, count: count))
    case .string: return .strings(try strings(node, kind, count: count))
    case .data: return .datas(try nodes.datas(node, isOptional: isOptional, count: count))
    case .date: return .dates(try nodes.dates(node, isOptional: isOptional, count: count))
    case .objectId: return .objectIds(try nodes.objectIds(node, isOptional: isOptional, count: count))
    case .uuid: return .uuids(try nodes.uuids(node, isOptional: isOptional, count: count))
    case .decimal: return .decimals(try nodes.decimals(node, isOptional: isOptional, count: count))
    case .mixed: return .values(try mixed(node, count: count, nested: 0, &visits))
    case .link:
      let keys = try nodes.links(node, isInTree: isInTree, count: count)
      return .links(keys.map { $0 < 0 ? nil : $0 }, classIndex: kind.targetIndex)
    }
  }

  private func strings(_ node: Node, _ kind: LeafKind, count: ElementCount) throws -> [String?] {
    // Numbers of texts are the only form that is an array of integers.
    guard let list = kind.enumerated, !node.hasReferences, node.layout == .integers else {
      return try nodes.strings(node, isOptional: kind.isOptional, count: count)
    }
    let texts = try context.enumeration(list, nodes)
    return try nodes.strings(node, of: texts, isOptional: kind.isOptional, count: count)
  }

  /// Calls with each leaf of a list or set. Elements that link to what never arrived are among them as nil.
  func forEachLeaf(
    _ root: Int, _ kind: LeafKind, _ visits: inout Visits, _ body: (RealmFileColumn, inout Visits) throws -> Void
  ) throws {
    _ = try ElementTree(root: root).forEachLeaf(nodes, &visits) { node, visits in
      let column = try column(node, kind, isInTree: true, count: .atMost(ElementTree.mostInLeaf), &visits)
      try body(column, &visits)
      return column.count
    }
  }

  /// All elements of a list or set.
  func elements(_ root: Int, _ kind: LeafKind, _ visits: inout Visits) throws -> [RealmFileValue] {
    var result: [RealmFileValue] = []
    try forEachLeaf(root, kind, &visits) { column, visits in
      try visits.keep(column.count, nodes)
      for index in 0..<column.count {
        let value = column[index]
        // Links to what never arrived are not part of the list.
        if kind.type == .link && value == .null { continue }
        result.append(value)
      }
    }
    return result
  }
}
