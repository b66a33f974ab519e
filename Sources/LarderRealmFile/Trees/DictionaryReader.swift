/// Dictionaries: two trees side by side, before format 23 objects with a column of keys and one of values.
extension ValueReader {
  /// The entries, ascending by key.
  ///
  /// - Parameter hasIntegerKeys: Whether the keys are integers, which no SDK of Realm makes.
  func entries(_ root: Int, hasIntegerKeys: Bool, nested: Int, _ visits: inout Visits) throws -> [RealmFileEntry] {
    let kind = LeafKind(hasIntegerKeys ? .int : .string)
    var (keys, values): ([RealmFileValue], [RealmFileValue]) = ([], [])
    if context.format >= 23 {
      try visits.enter(root, nodes)
      let node = try nodes.node(root)
      let parts = try nodes.slots(node)
      guard parts.count == 2, !node.isInner else { throw nodes.damaged("a dictionary has not two parts", at: root) }
      keys = try elements(nodes.reference(parts[0], "the keys of a dictionary"), kind, &visits)
      values = try mixedElements(nodes.reference(parts[1], "the values of a dictionary"), nested: nested, &visits)
    } else {
      for leaf in try ClusterTree(root: root, nodes).leaves {
        try visits.enter(leaf.offset, nodes)
        let group = try ClusterLeaf(leaf, nodes)
        let count = group.keys.count
        try visits.keep(2 * count, nodes)
        let keyLeaf = try nodes.node(nodes.reference(group.column(0), "the keys of a dictionary"))
        let column = try column(keyLeaf, kind, isInTree: false, count: .exactly(count), &visits)
        keys += (0..<count).map { column[$0] }
        let valueLeaf = try nodes.node(nodes.reference(group.column(1), "the values of a dictionary"))
        values += try mixed(valueLeaf, count: .exactly(count), nested: nested, &visits)
      }
    }
    guard keys.count == values.count else {
      throw nodes.damaged("a dictionary has \(keys.count) keys and \(values.count) values", at: root)
    }
    return try sorted(keys, values, root)
  }

  private func sorted(_ keys: [RealmFileValue], _ values: [RealmFileValue], _ root: Int) throws -> [RealmFileEntry] {
    let order: [Int]
    if case .int? = keys.first {
      order = keys.indices.sorted { Self.integer(keys[$0]) < Self.integer(keys[$1]) }
    } else {
      order = keys.indices.sorted { Self.precedes(Self.text(keys[$0]), Self.text(keys[$1])) }
    }
    let entries = order.map { RealmFileEntry(key: Self.text(keys[$0]), value: values[$0]) }
    guard zip(entries, entries.dropFirst()).allSatisfy({ !$0.key.utf8.elementsEqual($1.key.utf8) }) else {
      throw nodes.damaged("a dictionary has a key twice", at: root)
    }
    return entries
  }

  private static func precedes(_ first: String, _ second: String) -> Bool {
    first.utf8.lexicographicallyPrecedes(second.utf8)
  }

  private static func integer(_ key: RealmFileValue) -> Int64 { if case .int(let value) = key { value } else { 0 } }

  private static func text(_ key: RealmFileValue) -> String {
    switch key {
    case .int(let value): "\(value)"
    case .string(let text): text
    default: ""
    }
  }
}
