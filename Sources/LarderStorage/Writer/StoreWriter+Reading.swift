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
    guard let view = try storedLeaf(owner, .presence, cluster: number) else { return false }
    return slot < view.count && view.bool(slot)
  }

  package func presence(_ classID: ClassID, cluster: Int) throws -> LeafView? {
    let owner = try classWriter(classID)
    guard let known = owner.clusters[cluster], known.isPresenceDirty else {
      return try storedLeaf(owner, .presence, cluster: cluster)
    }
    guard known.slots > 0 else { return nil }
    if known.encodedPresence == nil {
      rowStamp += 1
      let word = StoreLayout.leafKey(classID, .presence, cluster: cluster)
      known.encodedPresence = OwnedLeaf(EncodedLeaf.presence(known.presence, key: word))
    }
    return try known.encodedPresence.map { try LeafView($0.view) }
  }

  package func leaf(_ classID: ClassID, _ column: ColumnID, cluster: Int) throws -> LeafView? {
    guard column != .presence else { return try presence(classID, cluster: cluster) }
    let owner = try classWriter(classID)
    guard let known = owner.clusters[cluster] else { return try storedLeaf(owner, column, cluster: cluster) }
    let number = Int(column.rawValue)
    let decoded = number < known.columns.count ? known.columns[number] : nil
    guard let decoded, decoded.isDirty else {
      // A stored leaf may be shorter than the cluster has become.
      guard let stored = try storedLeaf(owner, column, cluster: cluster) else { return nil }
      if stored.count >= known.slots { return stored }
      return try encoded(owner, try self.column(owner, column, known), known)
    }
    return try encoded(owner, decoded, known)
  }

  private func encoded(_ owner: ClassWriter, _ column: DirtyColumn, _ cluster: DirtyCluster) throws -> LeafView {
    if let ready = column.encoded { return try LeafView(ready.view) }
    let word = StoreLayout.leafKey(owner.descriptor.id, column.descriptor.id, cluster: cluster.number)
    let owned = OwnedLeaf(column.encode(word: word, presence: cluster.presence, slots: cluster.slots))
    column.encoded = owned
    rowStamp += 1
    return try LeafView(owned.view)
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

  package func list(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> any ListReading {
    if let open = lists[ListID(classID: classID, column: column, key: key)] { return open.editor }
    return try store.listView(classID, column, key, schema: schema, limit: mostElements) { [transaction] in
      try transaction.get($0, $1)
    }
  }

  package func set(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> any SetReading {
    try requireKind(.set, classID, column)
    return SetView(try list(classID, column, key))
  }

  package func map(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> any MapReading {
    try requireKind(.map, classID, column)
    let keys: any ListReading
    if let open = lists[ListID(classID: classID, column: column, key: key, holdsKeys: true)] {
      keys = open.editor
    } else {
      keys = try store.mapKeysView(classID, column, key, limit: mostElements) { [transaction] in
        try transaction.get($0, $1)
      }
    }
    return try MapView(keys: keys, values: list(classID, column, key))
  }

  package func index(_ classID: ClassID, _ column: ColumnID) throws -> (any IndexReading)? {
    guard let descriptor = schema[classID]?.column(column), descriptor.hasIndex else { return nil }
    let tree = PairTreeID.index(classID, column)
    if try classWriter(classID).isDirty || pairChanges[tree] != nil { try flush() }
    guard writtenTrees.contains(tree) else { return try base.index(classID, column) }
    return store.indexView(classID, descriptor, reader: self) { [transaction] in try transaction.cursor($0) }
  }

  package func backlinks(to target: ObjectLink, from origin: ClassID, _ column: ColumnID) throws -> [ObjectKey] {
    if try classWriter(origin).isDirty || pairChanges[.backlinks(target.classID, origin, column)] != nil { try flush() }
    return try storedBacklinks(to: target, from: origin, column)
  }

  package func backlinks(to target: ClassID, from origin: ClassID, _ column: ColumnID) throws -> BacklinkView? {
    if try classWriter(origin).isDirty || pairChanges[.backlinks(target, origin, column)] != nil { try flush() }
    guard writtenTrees.contains(.backlinks(target, origin, column)) else {
      return base.schema[origin]?.column(column) == nil ? nil : try base.backlinks(to: target, from: origin, column)
    }
    return store.backlinkView(to: target, from: origin, column, cursor: try transaction.cursor(store.tables.backlinks))
  }

  /// The backlinks as they were last written.
  func storedBacklinks(to target: ObjectLink, from origin: ClassID, _ column: ColumnID) throws -> [ObjectKey] {
    let tree = PairTreeID.backlinks(target.classID, origin, column)
    guard writtenTrees.contains(tree) else {
      return base.schema[origin]?.column(column) == nil
        ? [] : try base.backlinks(to: target, from: origin, column)
    }
    return try store.backlinks(to: target, from: origin, column) { [transaction] in try transaction.cursor($0) }
  }

  package func object(_ classID: ClassID, primaryKey: StoredValue) throws -> ObjectKey? {
    let owner = try classWriter(classID)
    if case .int(let number) = primaryKey, let column = owner.integerKey {
      let candidate = try owner.primaryKeys.given(number) ?? storedObject(owner, column, number)
      return try present(candidate, owner)
    }
    guard let column = owner.keyColumn else {
      throw StorageError(
        .unknownProperty, "Class '\(owner.descriptor.name)' has no primary key.", className: owner.descriptor.name)
    }
    try column.check(primaryKey, in: owner.descriptor)
    return try holder(of: primaryKey, owner, column)
  }

  /// The object that has a primary key now.
  func holder(of value: StoredValue, _ owner: ClassWriter, _ column: ColumnDescriptor) throws -> ObjectKey? {
    try present(owner.primaryKeys.given(value) ?? storedObject(owner, column, value), owner)
  }

  /// The object, unless this transaction deleted it: the index learns of that later.
  private func present(_ key: ObjectKey?, _ owner: ClassWriter) throws -> ObjectKey? {
    guard let key, key.rawValue < owner.nextKey else { return nil }
    let (number, slot) = locate(key)
    return try cluster(owner, number).presence[slot] ? key : nil
  }

  /// Asks the index as it was last written, without what waits in memory.
  func storedObject(_ owner: ClassWriter, _ column: ColumnDescriptor, _ value: StoredValue) throws -> ObjectKey? {
    let id = owner.descriptor.id
    guard writtenTrees.contains(.index(id, column.id)) else {
      // Of a class without objects the index has no pairs: the first ones are made without looking.
      guard base.state[id].count > 0, base.schema[id]?.column(column.id) != nil else { return nil }
      return try base.indexView(id, column.id)?.firstKey(equalTo: value)
    }
    return try store.indexView(id, column, reader: self) { [transaction] in try transaction.cursor($0) }?
      .firstKey(equalTo: value)
  }

  /// As above for an integer, without boxing it.
  private func storedObject(_ owner: ClassWriter, _ column: ColumnID, _ number: Int64) throws -> ObjectKey? {
    let id = owner.descriptor.id
    guard writtenTrees.contains(.index(id, column)) else {
      return base.schema.primaryKey(of: id)?.id == column
        ? try base.object(id, column, primaryKey: number) : nil
    }
    let tree = store.tree(.index(id, column), codec: .integer)
    return try PairReader(tree) { [transaction, store] in try transaction.cursor(store.tables.indexes) }
      .firstKey(equalTo: IndexValue.word(number))
  }
}
