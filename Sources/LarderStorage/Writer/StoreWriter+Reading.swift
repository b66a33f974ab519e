import LarderLMDB

/// Reading a version with the transaction's own changes laid over it.
extension StoreWriter {
  package func count(of classID: ClassID) throws -> Int { Int(try classWriter(classID).count) }

  package func clusterCount(of classID: ClassID) throws -> Int {
    (Int(try classWriter(classID).nextKey) + clusterSize - 1) / clusterSize
  }

  package func liveClusters(of classID: ClassID) throws -> LiveClusters {
    let owner = try classWriter(classID)
    let bound = try clusterCount(of: classID)
    guard base.schema[classID] != nil else { return LiveClusters(all: bound) }
    return try base.liveClusters(of: classID).adding(from: Int(owner.firstNewKey) / clusterSize, to: bound)
  }

  package func contains(_ classID: ClassID, _ key: ObjectKey) throws -> Bool {
    let owner = try classWriter(classID)
    guard key.rawValue < owner.nextKey else { return false }
    let (number, slot) = locate(key)
    if let current = owner.current, current.number == number { return current.presence[slot] }
    if let known = owner.clusters[number] { return known.presence[slot] }
    return try storedLeaf(owner, .presence, cluster: number).map { slot < $0.count && $0.bool(slot) } ?? false
  }

  package func presence(_ classID: ClassID, cluster: Int) throws -> LeafView? {
    try clusterReading.presence(classWriter(classID), cluster: cluster)
  }

  package func leaf(_ classID: ClassID, _ column: ColumnID, cluster: Int) throws -> LeafView? {
    let owner = try classWriter(classID)
    return column == .presence
      ? try clusterReading.presence(owner, cluster: cluster)
      : try clusterReading.leaf(owner, column, cluster: cluster)
  }

  package func largeValue(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> [UInt8] {
    let (number, slot) = locate(key)
    if let known = try classWriter(classID).clusters[number], Int(column.rawValue) < known.columns.count,
      let pending = known.columns[Int(column.rawValue)]?.pendingLarge[slot]
    {
      return pending
    }
    return try storageErrors(store.path) {
      try LargeValues.read(store.tables.large, classID, column, key) { try transaction.get($0, $1) }
    }
  }

  package func value(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> StoredValue {
    guard try contains(classID, key) else { throw missing(classID, key) }
    let owner = try classWriter(classID)
    let descriptor = try descriptor(classID, column)
    let (number, slot) = locate(key)
    if let known = owner.clusters[number], Int(column.rawValue) < known.columns.count,
      let decoded = known.columns[Int(column.rawValue)]
    {
      let value =
        try decoded.value(slot) ?? StoredValue(bytes: try largeValue(classID, column, key), type: descriptor.type)
      if case .link(let linked) = value, let target = descriptor.target {
        return try contains(target, linked) ? value : .null
      }
      return descriptor.type == .mixed ? try withoutGhosts(value) : value
    }
    guard let leaf = try storedLeaf(owner, column, cluster: number), slot < leaf.count else {
      return StoredValue.initial(descriptor)
    }
    return try self.value(leaf, slot, classID, descriptor, key)
  }

  package func hasGhosts(of classID: ClassID) throws -> Bool { try classWriter(classID).hasGhosts }

  package func list(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> any ListReading {
    if let open = openLists[ListID(classID: classID, column: column, key: key)] { return open.editor }
    return try store.listView(classID, column, key, schema: schema, limit: collections.mostElements) { [transaction] in
      try transaction.get($0, $1)
    }
  }

  package func set(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> any SetReading {
    try requireKind(.set, classID, column)
    return SetView(try list(classID, column, key))
  }

  package func map(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> any MapReading {
    try requireKind(.map, classID, column)
    if let open = openLists[ListID(classID: classID, column: column, key: key, holdsKeys: true)] {
      return try MapView(keys: open.editor, values: list(classID, column, key))
    }
    let keys = try store.mapKeysView(classID, column, key, limit: collections.mostElements) { [transaction] in
      try transaction.get($0, $1)
    }
    return try MapView(keys: keys, values: list(classID, column, key))
  }

  package func index(_ classID: ClassID, _ column: ColumnID) throws -> (any IndexReading)? {
    try pairReading.index(classID, column)
  }

  package func index(_ classID: ClassID, composite id: UInt16) throws -> CompositeIndexView? {
    try pairReading.index(classID, composite: id)
  }

  package func textIndex(_ classID: ClassID, _ column: ColumnID) throws -> TextIndexView? {
    try pairReading.textIndex(classID, column)
  }

  package func backlinks(to target: ObjectLink, from origin: ClassID, _ column: ColumnID) throws -> [ObjectKey] {
    try pairReading.backlinks(to: target, from: origin, column)
  }

  package func backlinks(to target: ClassID, from origin: ClassID, _ column: ColumnID) throws -> BacklinkView? {
    try pairReading.backlinks(to: target, from: origin, column)
  }

  package func object(_ classID: ClassID, primaryKey: StoredValue) throws -> ObjectKey? {
    let owner = try classWriter(classID)
    if case .int(let number) = primaryKey, let column = owner.shape.integerKey {
      let candidate = try owner.primaryKeys.given(number) ?? pairReading.storedObject(owner, column, number)
      return try present(candidate, owner)
    }
    guard let column = owner.shape.keyColumn else {
      throw StorageError(
        .unknownProperty, "Class '\(owner.descriptor.name)' has no primary key.", className: owner.descriptor.name)
    }
    try column.check(primaryKey, in: owner.descriptor)
    return try holder(of: primaryKey, owner, column)
  }

  /// The object that has a primary key now.
  func holder(of value: StoredValue, _ owner: ClassWriter, _ column: ColumnDescriptor) throws -> ObjectKey? {
    try present(owner.primaryKeys.given(value) ?? pairReading.storedObject(owner, column, value), owner)
  }

  /// The object, unless this transaction deleted it: the index learns of that later.
  private func present(_ key: ObjectKey?, _ owner: ClassWriter) throws -> ObjectKey? {
    guard let key, key.rawValue < owner.nextKey else { return nil }
    let (number, slot) = locate(key)
    return try cluster(owner, number).presence[slot] ? key : nil
  }
}
