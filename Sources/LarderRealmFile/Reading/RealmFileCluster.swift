import LarderLocks

/// Neighbouring objects of a class, whose properties are read one by one. Safe for any number of threads.
public final class RealmFileCluster: Sendable {
  /// The objects' keys, ascending.
  public let keys: [Int64]

  private let table: TableLayout
  private let kinds: [LeafKind]
  private let leaf: ClusterLeaf
  private let reader: ValueReader
  private let columns: Lock<[RealmFileColumn?]>

  init(_ leaf: ClusterTree.Leaf, _ table: TableLayout, _ kinds: [LeafKind], _ reader: ValueReader) throws {
    self.leaf = try ClusterLeaf(leaf, reader.nodes)
    keys = self.leaf.keys
    self.table = table
    self.kinds = kinds
    self.reader = reader
    columns = Lock([RealmFileColumn?](repeating: nil, count: table.columns.count))
  }

  /// The values of a property of all these objects, in the order of `keys`; collections as whole `values`.
  ///
  /// They are kept for further calls. `collections` reads large collections piece by piece instead.
  ///
  /// - Parameter propertyIndex: The property's index in its class.
  /// - Throws: `RealmFileError`.
  public func values(of propertyIndex: Int) throws -> RealmFileColumn {
    if let known = columns.withLock({ $0[propertyIndex] }) { return known }
    var visits = Visits()
    let column = try read(propertyIndex, &visits)
    columns.withLock { $0[propertyIndex] = column }
    return column
  }

  /// The values of a property, read again.
  func read(_ propertyIndex: Int, _ visits: inout Visits) throws -> RealmFileColumn {
    let layout = table.columns[propertyIndex]
    guard layout.collection == .none else {
      let collections = try collections(of: propertyIndex)
      return .values(try (0..<collections.count).map { try collections.value(of: $0) })
    }
    let reader = reader(propertyIndex)
    let node = try node(layout.leafIndex, reader.nodes)
    return try reader.column(node, kinds[propertyIndex], isInTree: false, count: .exactly(keys.count), &visits)
  }

  /// The collections of a property of all these objects, whose elements are read when they are asked for.
  ///
  /// - Parameter propertyIndex: The property's index in its class; it must be a list, set or dictionary.
  /// - Throws: `RealmFileError`.
  public func collections(of propertyIndex: Int) throws -> RealmFileCollections {
    let layout = table.columns[propertyIndex]
    precondition(layout.collection != .none, "\(table.name).\(layout.name) is no collection; call values(of:)")
    let reader = reader(propertyIndex)
    let node = try node(layout.leafIndex, reader.nodes)
    try reader.nodes.expect(node.count, .exactly(keys.count), node)
    return RealmFileCollections(
      references: try reader.nodes.slots(node), collection: layout.collection, kind: kinds[propertyIndex],
      hasIntegerKeys: layout.hasIntegerKeys, reader: reader)
  }

  /// The index of a key in `keys`; nil when it is not among them.
  func row(of key: Int64) -> Int? {
    let wanted = UInt64(bitPattern: key)
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if UInt64(bitPattern: keys[middle]) < wanted { low = middle + 1 } else { high = middle }
    }
    return low < keys.count && keys[low] == key ? low : nil
  }

  /// For each object, the keys of single links as they are stored.
  func storedLinks(of propertyIndex: Int) throws -> [Int64] {
    let reader = reader(propertyIndex)
    let node = try node(table.columns[propertyIndex].leafIndex, reader.nodes)
    return try reader.nodes.links(node, isInTree: false, count: .exactly(keys.count))
  }

  /// For each object, the elements of a column that says where links come from.
  func backlinks(_ leafIndex: Int) throws -> (elements: [Int64], reader: NodeReader) {
    let nodes = reader.nodes.at("\(table.name), links to its objects")
    let node = try node(leafIndex, nodes)
    try nodes.expect(node.count, .exactly(keys.count), node)
    return (try nodes.slots(node), nodes)
  }

  private func reader(_ propertyIndex: Int) -> ValueReader {
    ValueReader(nodes: reader.nodes.at(kinds[propertyIndex].place), context: reader.context)
  }

  private func node(_ leafIndex: Int, _ nodes: NodeReader) throws -> Node {
    try nodes.node(nodes.reference(leaf.column(leafIndex), "the values of a group of objects"))
  }
}

/// One object.
public struct RealmFileObject: Sendable {
  /// The objects among which it is.
  public let cluster: RealmFileCluster
  /// Its index among them.
  public let row: Int
  /// Its key in its class.
  public var key: Int64 { cluster.keys[row] }

  /// The value of a property.
  ///
  /// - Parameter propertyIndex: The property's index in its class.
  /// - Throws: `RealmFileError`.
  public func value(of propertyIndex: Int) throws -> RealmFileValue { try cluster.values(of: propertyIndex)[row] }
}
