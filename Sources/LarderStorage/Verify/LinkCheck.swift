import LarderLMDB

/// Checks backlinks, and that embedded objects have one owner.
struct LinkCheck: StoreCheck {
  let snapshot: Snapshot
  let problems: ProblemList

  /// The backlinks of each column of links or mixed values are the links, turned round.
  func checkBacklinks(_ entry: ClassDescriptor) throws {
    for column in entry.columns where column.holdsLinks {
      var links: [ClassID: [ObjectKey: [ObjectKey]]] = [:]
      try forEachObject(entry) { key in
        try forEachLink(entry, column, key) { links[$0.classID, default: [:]][$0.key, default: []].append(key) }
      }
      try checkTargets(links, "\(entry.name).\(column.name)")
      let targets = column.target.map { [$0] } ?? snapshot.schema.classes.map(\.id)
      for target in targets { try checkBacklinks(entry, column, to: target, links[target] ?? [:]) }
      for unknown in links.keys where !targets.contains(unknown) {
        report(.backlink, "\(entry.name).\(column.name)", "links to class number \(unknown.rawValue), which is unknown")
      }
    }
  }

  /// Links lead to objects, unless the store says that some may be elsewhere (L-8).
  private func checkTargets(_ links: [ClassID: [ObjectKey: [ObjectKey]]], _ place: String) throws {
    guard !snapshot.store.mayHoldGhosts else { return }
    for (target, linked) in links {
      guard let owner = snapshot.schema[target] else { continue }
      for (key, origins) in linked where !problems.isFull {
        guard !(try snapshot.contains(target, key)), let origin = origins.first else { continue }
        report(
          .backlink, place,
          "object \(origin.rawValue) links to object \(key.rawValue) of \(owner.name), which is not there")
      }
    }
  }

  private func checkBacklinks(
    _ entry: ClassDescriptor, _ column: ColumnDescriptor, to target: ClassID, _ links: [ObjectKey: [ObjectKey]]
  ) throws {
    let place = "\(entry.name).\(column.name)"
    let tree = snapshot.store.tree(.backlinks(target, entry.id, column.id), codec: .integer)
    let reader = PairReader(tree, mostCopies: snapshot.mostElements) { [snapshot] in
      try snapshot.transaction.cursor(snapshot.store.tables.backlinks)
    }
    for problem in try reader.verify(limit: problems.limit) { report(.backlink, place, problem.description) }
    let count = links.values.reduce(0) { $0 + $1.count }
    let stored = try reader.entryCount()
    if stored != count { report(.backlink, place, "\(stored) backlinks for \(count) links") }
    for (linked, origins) in links where !problems.isFull {
      let found = try snapshot.backlinks(to: ObjectLink(classID: target, key: linked), from: entry.id, column.id)
      if found != origins { report(.backlink, place, "the backlinks of object \(linked.rawValue) are not its links") }
    }
  }

  /// Calls `body` with each link of an object's column, as stored: also to objects that do not exist.
  private func forEachLink(
    _ entry: ClassDescriptor, _ column: ColumnDescriptor, _ key: ObjectKey, _ body: (ObjectLink) -> Void
  ) throws {
    func visit(_ value: StoredValue) {
      if case .link(let linked) = value, let target = column.target {
        body(ObjectLink(classID: target, key: linked))
      } else {
        value.forEachLink(body)
      }
    }
    if column.collection != .none {
      let list = try snapshot.list(entry.id, column.id, key)
      for position in 0..<list.count { visit(try list.value(at: position)) }
      return
    }
    let (number, slot) = snapshot.locate(key)
    guard let leaf = try snapshot.leaf(entry.id, column.id, cluster: number), slot < leaf.count, !leaf.isNull(slot)
    else { return }
    guard leaf.isLarge(slot) else { return visit(try leaf.value(slot)) }
    visit(try StoredValue(bytes: try snapshot.largeValue(entry.id, column.id, key), type: column.type))
  }

  /// Every embedded object has exactly one owner.
  func checkOwners(_ entry: ClassDescriptor) throws {
    guard entry.isEmbedded else { return }
    let origins = snapshot.schema.origins(of: entry.id)
    try forEachObject(entry) { key in
      var owners = 0
      for (origin, column) in origins {
        owners += try snapshot.backlinks(
          to: ObjectLink(classID: entry.id, key: key), from: origin.id, column.id
        ).count
      }
      if owners != 1 { report(.embedded, entry.name, "object \(key.rawValue) has \(owners) owners") }
    }
  }
}
