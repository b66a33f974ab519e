extension RealmFile {
  /// Follows every link there is, and compares with what the file itself says of where links come from.
  ///
  /// Links are counted by the object that they lead to, property by property; objects of embedded classes must have exactly one link. Reads
  /// the whole file, and needs memory for two numbers for each object that one property links to, and for each embedded object.
  ///
  /// - Throws: `RealmFileError` where the file cannot be read. What differs is in the report.
  public func verifyLinks() throws -> RealmFileLinkReport {
    var check = LinkCheck(contents: contents)
    for objectClass in classes {
      for index in objectClass.properties.indices {
        let type = objectClass.properties[index].type
        guard type == .link || type == .mixed else { continue }
        try check.property(self, objectClass, index)
      }
    }
    try check.owners(self)
    return check.report
  }
}

/// Links counted by where they lead, and what the other end says.
private struct LinkCheck {
  /// The number of links that lead to an object, and the sum of the hashed keys they come from.
  struct Tally: Equatable {
    var count = 0
    var sum: UInt64 = 0

    mutating func add(_ source: Int64) {
      count += 1
      sum &+= UInt64(bitPattern: source) &* 0x9E37_79B9_7F4A_7C15
    }
  }

  /// Further differences are counted only.
  private static let mostFaults = 100

  /// For each property that links the groups of objects at both its ends are read once more.
  private static let mostReadings = 64

  let contents: FileContents
  private let limit: WorkLimit
  var report = RealmFileLinkReport()
  /// The number of links that lead to each object of an embedded class.
  private var owners: [Int: [Int64: Int]] = [:]

  init(contents: FileContents) {
    self.contents = contents
    limit = WorkLimit(size: contents.context.source.size, times: Self.mostReadings)
  }

  private func forEachCluster(
    _ file: RealmFile, _ objectClass: RealmFileClass, _ body: (RealmFileCluster) throws -> Void
  ) throws { try file.forEachCluster(of: objectClass, contents.reader(objectClass.name, limit), body) }

  mutating func property(_ file: RealmFile, _ objectClass: RealmFileClass, _ index: Int) throws {
    let name = "\(objectClass.name).\(objectClass.properties[index].name)"
    var forward: [Int: [Int64: Tally]] = [:]
    try forEachCluster(file, objectClass) { cluster in
      var walk = LinkWalk(cluster: cluster, property: objectClass.properties[index], index: index)
      try walk.run { row, link in
        forward[link.classIndex, default: [:]][link.key, default: Tally()].add(cluster.keys[row])
      }
      for (row, count) in walk.unresolved.sorted(by: { $0.key < $1.key }) {
        report.note(
          .init(
            className: objectClass.name, property: objectClass.properties[index].name, key: cluster.keys[row],
            count: count))
      }
    }
    for (target, tallies) in forward {
      let count = tallies.values.reduce(0) { $0 + $1.count }
      report.links += count
      guard contents.classes[target].isEmbedded else { continue }
      for (key, tally) in tallies { owners[target, default: [:]][key, default: 0] += tally.count }
    }
    try compare(file, objectClass, index, name, forward)
  }

  private mutating func compare(
    _ file: RealmFile, _ objectClass: RealmFileClass, _ index: Int, _ name: String, _ forward: [Int: [Int64: Tally]]
  ) throws {
    var forward = forward
    let (origin, column) = (
      contents.tables[objectClass.index].key, contents.tables[objectClass.index].columns[index].key
    )
    for target in contents.classes {
      let layouts = contents.tables[target.index].backlinks.filter {
        $0.originTable == origin && $0.originColumn == column
      }
      guard let layout = layouts.first else { continue }
      var expected = forward.removeValue(forKey: target.index) ?? [:]
      var differing = layouts.count - 1
      try forEachCluster(file, target) { cluster in
        let backlinks = try cluster.backlinks(layout.leafIndex)
        for (key, element) in zip(cluster.keys, backlinks.elements) {
          let tally = try Self.tally(element, backlinks.reader)
          if tally != expected.removeValue(forKey: key) ?? Tally() { differing += 1 }
        }
      }
      if differing > 0 {
        fault("\(name): \(differing) objects of \(target.name) say that other objects link to them than do")
      }
      if !expected.isEmpty { fault("\(name) links to \(expected.count) objects of \(target.name) that do not exist") }
    }
    for (target, tallies) in forward where !tallies.isEmpty {
      fault("\(name) links to \(tallies.count) objects of \(contents.classes[target].name), which does not know of it")
    }
  }

  private static func tally(_ element: Int64, _ reader: NodeReader) throws -> Tally {
    var tally = Tally()
    switch Slot(element) {
    case .empty: break
    case .number(let key): tally.add(Int64(bitPattern: key))
    case .reference(let root):
      var visits = Visits()
      _ = try ElementTree(root: root).forEachLeaf(reader, &visits) { node, _ in
        let keys = try reader.integers(node)
        for key in keys { tally.add(key) }
        return keys.count
      }
    }
    return tally
  }

  /// Every embedded object belongs to exactly one.
  mutating func owners(_ file: RealmFile) throws {
    for objectClass in contents.classes where objectClass.isEmbedded {
      var found = owners[objectClass.index] ?? [:]
      var differing = 0
      try forEachCluster(file, objectClass) { cluster in
        for key in cluster.keys where found.removeValue(forKey: key) != 1 { differing += 1 }
      }
      if differing > 0 {
        fault("\(differing) embedded objects of \(objectClass.name) do not belong to exactly one object")
      }
    }
  }

  private mutating func fault(_ text: String) {
    if report.faults.count < Self.mostFaults { report.faults.append(text) }
  }
}
