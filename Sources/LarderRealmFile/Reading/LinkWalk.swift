/// All links of one property of neighbouring objects.
struct LinkWalk {
  let cluster: RealmFileCluster
  let property: RealmFileProperty
  let index: Int
  /// The number of links to objects that never arrived, by row.
  private(set) var unresolved: [Int: Int] = [:]

  init(cluster: RealmFileCluster, property: RealmFileProperty, index: Int) {
    self.cluster = cluster
    self.property = property
    self.index = index
  }

  /// Calls with each link that leads to an object.
  mutating func run(_ body: (_ row: Int, RealmFileLink) -> Void) throws {
    switch (property.type, property.collection) {
    case (.link, .none): for (row, key) in try cluster.storedLinks(of: index).enumerated() { found(key, row, body) }
    case (.link, .list), (.link, .set):
      let collections = try cluster.collections(of: index)
      for row in 0..<collections.count { try elements(collections, row, body) }
    case (_, .none):
      var visits = Visits()
      let values = try cluster.read(index, &visits)
      unresolved = visits.unresolved
      for row in 0..<values.count { value(values[row], row, body) }
    default:
      let collections = try cluster.collections(of: index)
      for row in 0..<collections.count {
        var visits = Visits()
        value(try collections.value(row, &visits), row, body)
        let count = visits.unresolved.values.reduce(0, +)
        if count > 0 { unresolved[row] = count }
      }
    }
  }

  private mutating func elements(
    _ collections: RealmFileCollections, _ row: Int, _ body: (_ row: Int, RealmFileLink) -> Void
  ) throws {
    guard let root = try collections.root(row) else { return }
    var visits = Visits()
    let reader = collections.reader.nodes
    _ = try ElementTree(root: root).forEachLeaf(reader, &visits) { node, _ in
      let keys = try reader.links(node, isInTree: true, count: .atMost(ElementTree.mostInLeaf))
      for key in keys { found(key, row, body) }
      return keys.count
    }
  }

  private mutating func found(_ key: Int64, _ row: Int, _ body: (_ row: Int, RealmFileLink) -> Void) {
    if key < -1 { unresolved[row, default: 0] += 1 }
    if key >= 0, let target = property.targetIndex { body(row, RealmFileLink(classIndex: target, key: key)) }
  }

  private func value(_ value: RealmFileValue, _ row: Int, _ body: (_ row: Int, RealmFileLink) -> Void) {
    switch value {
    case .link(let link): body(row, link)
    case .list(let elements), .set(let elements): for element in elements { self.value(element, row, body) }
    case .dictionary(let entries): for entry in entries { self.value(entry.value, row, body) }
    default: break
    }
  }
}
