import LarderLocks

/// An open file: its tables, and what is kept of them between calls.
final class FileContents: Sendable {
  let context: FileContext
  let tables: [TableLayout]
  let classes: [RealmFileClass]
  /// The type of values in the leaves of each property of each class.
  let kinds: [[LeafKind]]

  private let trees = Lock<[Int: ClusterTree]>([:])
  private let recent: Lock<[RecentClusters]>

  init(context: FileContext, tables: [TableLayout], classes: [RealmFileClass]) {
    self.context = context
    self.tables = tables
    self.classes = classes
    kinds = zip(tables, classes).map { table, objectClass in
      zip(table.columns, objectClass.properties).map { column, property in
        LeafKind(
          column.type, isOptional: column.isOptional, targetIndex: property.targetIndex ?? -1,
          enumerated: column.enumeration, place: "\(table.name).\(column.name)")
      }
    }
    recent = Lock([RecentClusters](repeating: RecentClusters(), count: tables.count))
  }

  /// A reader with a limit of its own, or the given one.
  func reader(_ place: String, _ limit: WorkLimit? = nil) -> ValueReader {
    let limit = limit ?? WorkLimit(size: context.source.size)
    return ValueReader(nodes: NodeReader(source: context.source, limit: limit, place: place), context: context)
  }

  /// Returns the tree of a class's objects.
  func tree(_ index: Int) throws -> ClusterTree {
    if let tree = trees.withLock({ $0[index] }) { return tree }
    let tree = try ClusterTree(root: tables[index].root, reader(tables[index].name).nodes)
    trees.withLock { $0[index] = tree }
    return tree
  }

  /// The cluster in which a key can be, from those used last if it is among them.
  func cluster(_ index: Int, of key: Int64) throws -> RealmFileCluster? {
    let tree = try tree(index)
    guard let leaf = tree.leafIndex(of: key) else { return nil }
    if let known = recent.withLock({ $0[index][leaf] }) { return known }
    let cluster = try RealmFileCluster(tree.leaves[leaf], tables[index], kinds[index], reader(tables[index].name))
    recent.withLock { $0[index][leaf] = cluster }
    return cluster
  }
}

/// The clusters of a class in which objects were looked up last.
private struct RecentClusters {
  private static let most = 16
  private var clusters: [(leaf: Int, cluster: RealmFileCluster)] = []

  subscript(leaf: Int) -> RealmFileCluster? {
    get { clusters.first { $0.leaf == leaf }?.cluster }
    set {
      guard let newValue else { return }
      if clusters.count >= Self.most { clusters.removeLast() }
      clusters.insert((leaf, newValue), at: 0)
    }
  }
}
