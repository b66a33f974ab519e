import LarderLMDB

/// Objects of synced classes that are not here while links lead to them (L-8).
///
/// Who deletes an object of a synced class leaves the links to it: they read nil, and another device, which may not agree with the deletion,
/// still has them. What comes from elsewhere may link to objects that never were here. When such an object comes, the links are led to
/// its row: keys of rows are never given twice, so that an accessor of a deleted object never shows the one that came.
struct GhostKeeping {
  let writer: StoreWriter

  /// Returns true if links to objects of the class stay when these are deleted.
  func keepsLinks(to owner: ClassWriter) -> Bool {
    owner.descriptor.syncMode != .local && owner.shape.keyColumn != nil && writer.schemaState.migrating == nil
  }

  private var lookup: GhostLookup? {
    get throws {
      guard let table = StoreTables.Sync(try writer.transaction.makeOptionalTables())?.ghosts else { return nil }
      return GhostLookup(table: table) { [transaction = writer.transaction] in try transaction.get($0, $1) }
    }
  }

  // MARK: - Linking

  /// Returns the name of a ghost; nil for what is none.
  func name(of link: ObjectLink) throws -> StoredValue? {
    guard let owner = try? writer.classWriter(link.classID), owner.hasGhosts else { return nil }
    return try lookup?.name(of: link)
  }

  /// Returns true if a link may lead to an object that is not here: what comes from elsewhere may link to ghosts.
  func allows(_ link: ObjectLink) throws -> Bool {
    guard writer.recorder.remote != nil else { return false }
    return try name(of: link) != nil
  }

  /// The key to link to an object by, which need not be here; that of a ghost is made where there is none.
  func target(_ owner: ClassWriter, primaryKey value: StoredValue) throws -> ObjectKey {
    guard keepsLinks(to: owner), let column = owner.shape.keyColumn, let lookup = try lookup else {
      throw StorageError(
        .invalidSchema, "'\(owner.descriptor.name)' is not a synced class with a primary key.",
        className: owner.descriptor.name)
    }
    try column.check(value, in: owner.descriptor)
    if let here = try writer.holder(of: value, owner, column) { return here }
    if owner.hasGhosts, let known = try lookup.keys(owner.descriptor.id, primaryKey: value).last { return known }
    let key = ObjectKey(rawValue: owner.nextKey)
    owner.nextKey += 1
    owner.isDirty = true
    owner.ghosts.reserved.insert(key)
    try put(key, value, owner, lookup)
    return key
  }

  // MARK: - Deleting

  /// Notes what objects that are about to be deleted are called, as far as links lead to them, and that these read otherwise now.
  func keep(_ owner: ClassWriter, _ keys: some Collection<ObjectKey>) throws {
    guard let column = owner.shape.keyColumn, !owner.shape.incoming.isEmpty, let lookup = try lookup else { return }
    let id = owner.descriptor.id
    let links = try LinkMoving.linking(to: owner, keys, in: writer)
    let linked = Set(links.flatMap(\.targets))
    guard !linked.isEmpty else { return }
    for key in linked.sorted() {
      try put(key, writer.clusterReading.unfilteredValue(owner, column, key), owner, lookup)
    }
    let stays = KeyMoves(id, Dictionary(uniqueKeysWithValues: linked.map { ($0, $0) }))
    try LinkMoving(writer: writer, moves: stays, isDerived: true).lead(links)
  }

  // MARK: - Arriving

  /// Makes the row of an object with a primary key that a class with ghosts gets.
  func arrive(_ owner: ClassWriter, _ value: StoredValue) throws -> ObjectKey {
    let known = try lookup?.keys(owner.descriptor.id, primaryKey: value) ?? []
    var own: ObjectKey?
    if let reserved = known.first(where: owner.ghosts.reserved.contains), let lookup = try lookup {
      // No other version knows the key: the links of this transaction need not be led elsewhere.
      try fill(owner, reserved)
      try remove(reserved, value, owner, lookup)
      own = reserved
    }
    let key = try own ?? writer.creation.makeRow(owner)
    for ghost in known where ghost != key { owner.ghosts.arrivals.append((ghost, key)) }
    return key
  }

  /// Makes the row of a key that was given already.
  private func fill(_ owner: ClassWriter, _ key: ObjectKey) throws {
    owner.ghosts.reserved.remove(key)
    let (number, slot) = writer.locate(key)
    let cluster = try writer.cluster(owner, number)
    cluster.presenceWillChange(slot)
    cluster.presence.set(slot)
    owner.count += 1
    owner.isDirty = true
    writer.recorder.inserted(owner.descriptor.id, key)
    for column in owner.descriptor.columns where column.collection == .none && !column.isPrimaryKey {
      try writer.store(StoredValue.initial(column), owner, column, key)
    }
  }

  /// Leads links to ghosts whose objects came to these. What comes from elsewhere is dealt with at the end, all at once; until then
  /// such links read nil.
  func heal(_ owner: ClassWriter, isLast: Bool = false) throws {
    guard !owner.ghosts.arrivals.isEmpty, isLast || writer.recorder.remote == nil, let lookup = try lookup else {
      return
    }
    let id = owner.descriptor.id
    var moves: [ObjectKey: ObjectKey] = [:]
    for arrival in owner.ghosts.arrivals where try writer.contains(id, arrival.object) {
      moves[arrival.ghost] = arrival.object
    }
    owner.ghosts.arrivals = []
    let ghosts = moves.keys.sorted()
    let links = try LinkMoving.linking(to: owner, ghosts, in: writer)
    try LinkMoving(writer: writer, moves: KeyMoves(id, moves), isDerived: true).lead(links)
    for ghost in ghosts {
      guard let name = try lookup.name(of: ObjectLink(classID: id, key: ghost)) else { continue }
      owner.ghosts.healed[ghost] = name
      try remove(ghost, name, owner, lookup)
    }
  }

  /// Heals what is left, before the transaction is committed.
  func healAll() throws {
    for entry in writer.schema.classes where entry.syncMode != .local {
      guard let owner = writer.usedClass(entry.id), owner.hasGhosts else { continue }
      try heal(owner, isLast: true)
    }
  }

  // MARK: - Entries

  private func put(_ key: ObjectKey, _ name: StoredValue, _ owner: ClassWriter, _ lookup: GhostLookup) throws {
    let ghost = Ghost(primaryKey: name)
    let link = ObjectLink(classID: owner.descriptor.id, key: key)
    let place = GhostIndexEntry.key(link.classID, ghost)
    var entry =
      try lookup.get(lookup.table, place).map { try GhostIndexEntry(decoding: $0) } ?? GhostIndexEntry(keys: [])
    if !entry.keys.contains(key) { entry.keys.append(key) }
    try writer.transaction.put(lookup.table, place, entry.encoded())
    try writer.transaction.put(lookup.table, Ghost.key(link), ghost.encoded())
    owner.hasGhosts = true
  }

  private func remove(_ key: ObjectKey, _ name: StoredValue, _ owner: ClassWriter, _ lookup: GhostLookup) throws {
    let place = GhostIndexEntry.key(owner.descriptor.id, Ghost(primaryKey: name))
    var entry =
      try lookup.get(lookup.table, place).map { try GhostIndexEntry(decoding: $0) } ?? GhostIndexEntry(keys: [])
    entry.keys.removeAll { $0 == key }
    if entry.keys.isEmpty {
      try writer.transaction.delete(lookup.table, place)
    } else {
      try writer.transaction.put(lookup.table, place, entry.encoded())
    }
    try writer.transaction.delete(lookup.table, Ghost.key(ObjectLink(classID: owner.descriptor.id, key: key)))
  }
}
