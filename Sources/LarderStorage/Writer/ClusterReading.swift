import LarderLMDB

/// Reading the clusters of a transaction: leaves as LMDB has them, columns decoded, and both as one.
///
/// A leaf is in LMDB's pages of the base version until the transaction writes it, and in its own pages then. What was decoded covers
/// both. Loading never writes: the caller asks `ClusterCache.isOverLimit` before.
struct ClusterReading {
  let writer: StoreWriter

  // MARK: - Loading

  /// Decodes who is present in a cluster.
  func load(_ owner: ClassWriter, _ number: Int) throws -> DirtyCluster {
    var presence = Bitmap(count: writer.clusterSize)
    if let view = try storedLeaf(owner, .presence, cluster: number) {
      presence = view.bitmap(capacity: writer.clusterSize)
    }
    let loaded = DirtyCluster(number: number, presence: presence, columnCount: owner.shape.columns.count)
    loaded.tail = try storedTail(owner, cluster: number).map { ($0.slots.lowerBound, $0.columns.map(\.id)) }
    owner.clusters[number] = loaded
    owner.current = loaded
    return loaded
  }

  /// Decodes a column of a cluster.
  func load(_ owner: ClassWriter, _ column: ColumnID, _ cluster: DirtyCluster) throws -> DirtyColumn {
    let number = Int(column.rawValue)
    guard number < owner.shape.columns.count, let descriptor = owner.shape.columns[number],
      descriptor.collection == .none
    else {
      throw StorageError(
        .unknownProperty, "Class '\(owner.descriptor.name)' has no single-valued column number \(number).",
        className: owner.descriptor.name)
    }
    while cluster.columns.count <= number { cluster.columns.append(nil) }
    let buffer: ColumnBuffer
    let stored = try storedLeaf(owner, column, cluster: cluster.number)
    // A leaf of the base version is there as long as the transaction. Rows of a tail are not in it.
    if let stored, !owner.written.contains(cluster.number), cluster.tail == nil,
      let loaded = DirtyColumn(descriptor: descriptor, source: stored, capacity: writer.clusterSize)
    {
      cluster.columns[number] = loaded
      writer.cache.count(loaded.bytes)
      return loaded
    }
    if let stored {
      try stored.checkMixed()
      buffer = ColumnBuffer(
        decoding: stored, capacity: writer.clusterSize, isOptional: descriptor.isOptional)
    } else {
      buffer = ColumnBuffer(
        type: descriptor.type, capacity: writer.clusterSize, isOptional: descriptor.isOptional)
    }
    let loaded = DirtyColumn(descriptor: descriptor, buffer: buffer, isStoredLarge: stored?.hasLarge ?? false)
    cluster.columns[number] = loaded
    writer.cache.count(loaded.bytes)
    return loaded
  }

  // MARK: - Leaves

  /// A leaf as LMDB has it for this transaction, without what is decoded. Valid until the next write to LMDB.
  func storedLeaf(_ owner: ClassWriter, _ column: ColumnID, cluster: Int) throws -> LeafView? {
    let id = owner.descriptor.id
    if owner.written.contains(cluster) {
      let word = StoreLayout.leafKey(id, column, cluster: cluster)
      return try ownLeaf(word)
    }
    guard let stored = writer.base.schema[id], column == .presence || stored.column(column) != nil else { return nil }
    guard cluster < (try writer.base.clusterCount(of: id)) else { return nil }
    return try writer.base.leaf(id, column, cluster: cluster)
  }

  /// A leaf that the transaction itself has written.
  private func ownLeaf(_ word: UInt64) throws -> LeafView? {
    if let known = writer.cache.expanded[word] { return try LeafView(known.view) }
    guard let bytes = try writer.transaction.get(writer.store.tables.clusters, KeyBytes(word)) else { return nil }
    let leaf = try StoredLeaf(bytes, key: word)
    if let memory = leaf.memory { writer.cache.keep(memory, word) }
    return leaf.view
  }

  /// The tail that the transaction found, unless it has written the cluster since.
  func storedTail(_ owner: ClassWriter, cluster: Int) throws -> TailRecord? {
    let id = owner.descriptor.id
    guard !owner.written.contains(cluster), writer.base.schema[id] != nil else { return nil }
    return try writer.base.tail(of: id, cluster: cluster)
  }

  /// Returns the objects that are present in a cluster, as the transaction sees it.
  func presence(_ owner: ClassWriter, cluster: Int) throws -> LeafView? {
    guard let known = owner.clusters[cluster], known.isPresenceDirty else {
      return try storedLeaf(owner, .presence, cluster: cluster)
    }
    guard known.slots > 0 else { return nil }
    if known.encodedPresence == nil {
      writer.cache.viewsChanged()
      let word = StoreLayout.leafKey(owner.descriptor.id, .presence, cluster: cluster)
      known.encodedPresence = OwnedLeaf(EncodedLeaf.presence(known.presence, key: word))
    }
    return try known.encodedPresence.map { try LeafView($0.view) }
  }

  /// A column of a cluster, as the transaction sees it.
  func leaf(_ owner: ClassWriter, _ column: ColumnID, cluster: Int) throws -> LeafView? {
    guard let known = owner.clusters[cluster] else { return try storedLeaf(owner, column, cluster: cluster) }
    let number = Int(column.rawValue)
    let decoded = number < known.columns.count ? known.columns[number] : nil
    guard let decoded, decoded.isDirty else {
      // A stored leaf may be shorter than the cluster has become.
      guard let stored = try storedLeaf(owner, column, cluster: cluster) else { return nil }
      if stored.count >= known.slots { return stored }
      return try encoded(owner, decoded ?? load(owner, column, known), known)
    }
    return try encoded(owner, decoded, known)
  }

  private func encoded(
    _ owner: ClassWriter, _ column: DirtyColumn, _ cluster: DirtyCluster
  ) throws -> LeafView {
    if let ready = column.encoded { return try LeafView(ready.view) }
    let word = StoreLayout.leafKey(owner.descriptor.id, column.descriptor.id, cluster: cluster.number)
    let owned = OwnedLeaf(column.encode(word: word, presence: cluster.presence, slots: cluster.slots))
    column.encoded = owned
    writer.cache.viewsChanged()
    return try LeafView(owned.view)
  }

  /// A single value as it is stored, with links to objects that are not there.
  func unfilteredValue(_ owner: ClassWriter, _ column: ColumnDescriptor, _ key: ObjectKey) throws -> StoredValue {
    let (number, slot) = writer.locate(key)
    if let known = owner.clusters[number], Int(column.id.rawValue) < known.columns.count,
      let decoded = known.columns[Int(column.id.rawValue)]
    {
      if let value = try decoded.value(slot) { return value }
    } else {
      guard let leaf = try storedLeaf(owner, column.id, cluster: number), slot < leaf.count else {
        return StoredValue.initial(column)
      }
      if leaf.isNull(slot) { return .null }
      if !leaf.isLarge(slot) { return try leaf.value(slot) }
    }
    return try StoredValue(bytes: try writer.largeValue(owner.descriptor.id, column.id, key), type: column.type)
  }
}

extension StoreWriter {
  /// Reads clusters.
  @inline(__always)
  var clusterReading: ClusterReading { ClusterReading(writer: self) }
}
