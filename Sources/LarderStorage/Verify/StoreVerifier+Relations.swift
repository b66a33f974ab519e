import LarderLMDB

extension StoreVerifier {
  /// Each index holds exactly the class's objects, in the order of the values that the leaves hold.
  mutating func checkIndexes(_ entry: ClassDescriptor) throws {
    for column in entry.columns where column.hasIndex {
      let place = "\(entry.name).\(column.name)"
      guard let codec = IndexValue.codec(for: column.type) else { continue }
      let tree = snapshot.store.tree(.index(entry.id, column.id), codec: codec)
      let reader = PairReader(tree, mostCopies: PairBlockFormat.mostPairs) { [snapshot] in
        try snapshot.transaction.cursor(snapshot.store.tables.indexes)
      }
      for problem in try reader.verify(limit: limit) { report(.index, place, problem.description) }
      guard let index = try snapshot.index(entry.id, column.id) else { continue }
      try checkOrder(index, column, entry, place)
    }
    for index in entry.indexes { try checkComposite(CompositeIndex(index, entry), entry) }
    try checkTextIndexes(entry)
  }

  /// An index over several columns holds each object under its values, and a unique one no values twice.
  private mutating func checkComposite(_ index: CompositeIndex, _ entry: ClassDescriptor) throws {
    let place = "\(entry.name) (\(index.columns.map(\.name).joined(separator: ", ")))"
    let tree = snapshot.store.tree(.composite(entry.id, index.descriptor.id), codec: .bytes)
    let reader = PairReader(tree, mostCopies: PairBlockFormat.mostPairs) { [snapshot] in
      try snapshot.transaction.cursor(snapshot.store.tables.indexes)
    }
    for problem in try reader.verify(limit: limit) { report(.index, place, problem.description) }
    guard let view = try snapshot.index(entry.id, composite: index.descriptor.id) else { return }
    let (count, expected) = (try view.entryCount(), try snapshot.count(of: entry.id))
    if count != expected { report(.index, place, "\(count) entries for \(expected) objects") }
    try forEachObject(entry) { key in
      guard problems.count < limit else { return }
      let values = try index.columns.map { try snapshot.value(entry.id, $0.id, key) }
      let found = try view.keys(equalTo: values)
      if !found.contains(key) { report(.index, place, "a look-up does not find object \(key.rawValue)") }
      if index.descriptor.isUnique, found.count > 1, !values.contains(where: \.isNull) {
        report(.index, place, "\(found.count) objects have the unique values of object \(key.rawValue)")
      }
    }
  }

  private mutating func checkOrder(
    _ index: any IndexReading, _ column: ColumnDescriptor, _ entry: ClassDescriptor, _ place: String
  ) throws {
    var groups: [(value: StoredValue, keys: [ObjectKey])] = []
    // Where the index has no order, equal values need not follow each other.
    var places: [StoredValue: Int] = [:]
    // An entry that names an object under another one's value leaves the number of entries as it is.
    var seen: Set<ObjectKey> = []
    var count = 0
    var strays = 0
    try index.forEach(descending: false) { key in
      count += 1
      guard try snapshot.contains(entry.id, key) else {
        strays += 1
        return true
      }
      let value = try snapshot.value(entry.id, column.id, key)
      if !seen.insert(key).inserted { report(.index, place, "object \(key.rawValue) is there twice") }
      let place = groups.last?.value == value ? groups.count - 1 : places[value]
      if let place {
        groups[place].keys.append(key)
      } else {
        if !index.isOrdered { places[value] = groups.count }
        groups.append((value, [key]))
      }
      return true
    }
    if strays > 0 { report(.index, place, "\(strays) entries of objects that do not exist") }
    let expected = try snapshot.count(of: entry.id)
    if count - strays != expected { report(.index, place, "\(count - strays) entries for \(expected) objects") }
    for group in groups {
      guard problems.count < limit else { return }
      if column.isPrimaryKey, group.keys.count > 1 {
        report(.index, place, "\(group.keys.count) objects with the primary key \(group.value.shortDescription)")
      }
      if try index.keys(equalTo: group.value) != group.keys.sorted() {
        report(.index, place, "a look-up of \(group.value.shortDescription) does not find the objects that have it")
      }
    }
  }

  /// Every list belongs to an object, holds what its column allows, and is sound in itself.
  mutating func checkLists(_ entry: ClassDescriptor) throws {
    for column in entry.columns where column.collection != .none {
      try forEachObject(entry) { key in
        do { try checkCollection(entry, column, key) } catch {
          report(.list, "\(entry.name).\(column.name)", "object \(key.rawValue): \(error)")
        }
      }
    }
    let cursor = try snapshot.transaction.cursor(snapshot.store.tables.collections, for: .examining)
    var found = try cursor.seek(KeyBytes(UInt64(entry.id.rawValue) << 48))
    while let record = found {
      found = try cursor.next()
      // Of keys of another size `checkListParts` tells.
      guard record.key.count == 24 else { continue }
      guard record.key.loadBigEndian(0, as: UInt16.self) == entry.id.rawValue else { return }
      let key = ObjectKey(rawValue: record.key.loadBigEndian(8))
      if !(try snapshot.contains(entry.id, key)) {
        report(.list, entry.name, "a list of object \(key.rawValue), which does not exist")
      }
      if record.key.loadBigEndian(16, as: UInt64.self) > UInt32.max {
        report(.list, entry.name, "a chunk of object \(key.rawValue) under a key that no chunk has")
      }
    }
  }

  private mutating func checkCollection(
    _ entry: ClassDescriptor, _ column: ColumnDescriptor, _ key: ObjectKey
  ) throws {
    let table = snapshot.store.tables.collections
    try checkTree(ListTree(table: table, entry.id, column, key), entry, column)
    switch column.collection {
    case .none, .list: break
    case .set: try checkRising(try snapshot.set(entry.id, column.id, key), "elements", entry, column, key)
    case .map:
      try checkTree(ListTree.keys(table: table, entry.id, column.id, key), entry, column)
      // Opening it compares the numbers of keys and values.
      try checkRising(try snapshot.map(entry.id, column.id, key).keys, "keys", entry, column, key)
    }
  }

  private mutating func checkTree(_ tree: ListTree, _ entry: ClassDescriptor, _ column: ColumnDescriptor) throws {
    let found = try tree.verify(cursor: snapshot.transaction.cursor(tree.table), get: snapshot.transaction.get)
    for problem in found { report(.list, "\(entry.name).\(column.name)", problem.description) }
  }

  /// Elements of a set and keys of a map are in order, each once.
  private mutating func checkRising(
    _ list: any ListReading, _ what: String, _ entry: ClassDescriptor, _ column: ColumnDescriptor, _ key: ObjectKey
  ) throws {
    var previous: StoredValue?
    for position in 0..<list.count {
      let value = try list.value(at: position)
      if let previous, StoredOrder.compare(previous, value) >= 0 {
        return report(
          .list, "\(entry.name).\(column.name)",
          "the \(what) of object \(key.rawValue) are not in order at position \(position)")
      }
      previous = value
    }
  }

  /// The backlinks of each column of links or mixed values are the links, turned round.
  mutating func checkBacklinks(_ entry: ClassDescriptor) throws {
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
  private mutating func checkTargets(_ links: [ClassID: [ObjectKey: [ObjectKey]]], _ place: String) throws {
    guard !snapshot.store.mayHoldGhosts else { return }
    for (target, linked) in links {
      guard let owner = snapshot.schema[target] else { continue }
      for (key, origins) in linked where problems.count < limit {
        guard !(try snapshot.contains(target, key)), let origin = origins.first else { continue }
        report(
          .backlink, place,
          "object \(origin.rawValue) links to object \(key.rawValue) of \(owner.name), which is not there")
      }
    }
  }

  private mutating func checkBacklinks(
    _ entry: ClassDescriptor, _ column: ColumnDescriptor, to target: ClassID, _ links: [ObjectKey: [ObjectKey]]
  ) throws {
    let place = "\(entry.name).\(column.name)"
    let tree = snapshot.store.tree(.backlinks(target, entry.id, column.id), codec: .integer)
    let reader = PairReader(tree, mostCopies: snapshot.mostElements) { [snapshot] in
      try snapshot.transaction.cursor(snapshot.store.tables.backlinks)
    }
    for problem in try reader.verify(limit: limit) { report(.backlink, place, problem.description) }
    let count = links.values.reduce(0) { $0 + $1.count }
    let stored = try reader.entryCount()
    if stored != count { report(.backlink, place, "\(stored) backlinks for \(count) links") }
    for (linked, origins) in links where problems.count < limit {
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
  mutating func checkOwners(_ entry: ClassDescriptor) throws {
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
