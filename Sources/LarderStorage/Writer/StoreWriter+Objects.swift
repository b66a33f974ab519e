/// Creating objects.
extension StoreWriter {
  /// Makes an object of a class without a primary key; every property holds its initial value (nil or zero).
  package func create(_ classID: ClassID) throws -> ObjectKey {
    let owner = try classWriter(classID)
    if let column = owner.keyColumn {
      throw StorageError(
        .typeMismatch, "'\(owner.descriptor.name)' needs a value for its primary key '\(column.name)'.",
        className: owner.descriptor.name, property: column.name)
    }
    if owner.descriptor.isEmbedded {
      throw StorageError(
        .embeddedOwner, "'\(owner.descriptor.name)' is embedded: create it in a property of its owner.",
        className: owner.descriptor.name)
    }
    return try makeRow(owner)
  }

  /// Makes an object with a primary key; throws `.duplicatePrimaryKey` when it is taken.
  package func create(_ classID: ClassID, primaryKey value: StoredValue) throws -> ObjectKey {
    let owner = try classWriter(classID)
    guard let column = owner.keyColumn else {
      throw StorageError(
        .unknownProperty, "Class '\(owner.descriptor.name)' has no primary key.", className: owner.descriptor.name)
    }
    if case .int(let number) = value, column.type == .int { return try create(owner, column, number) }
    try column.check(value, in: owner.descriptor)
    try checkFree(owner, column, value)
    let key = try makeRow(owner)
    owner.primaryKeys.insert(value, key)
    try store(value, owner, column, key)
    if owner.primaryKeys.count > Self.primaryKeyLimit { try flush() }
    return key
  }

  /// Makes an object and logs that it came from create-or-update (L-16).
  package func create(
    _ classID: ClassID, primaryKey: StoredValue? = nil, intent: CreateIntent
  ) throws -> ObjectKey {
    let key = try primaryKey.map { try create(classID, primaryKey: $0) } ?? create(classID)
    recorder.intended(classID, key, intent)
    return key
  }

  /// Logs that a property of an object made by this transaction holds the declaration's default (L-16).
  package func noteDefault(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) {
    recorder.defaulted(classID, column, key)
  }

  /// Logs that such a property was assigned after all.
  package func noteAssigned(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) {
    recorder.assigned(classID, column, key)
  }

  /// As `create(_:primaryKey:)` for the most common kind of key, without boxing it.
  package func create(_ classID: ClassID, primaryKey number: Int64) throws -> ObjectKey {
    let owner = try classWriter(classID)
    guard let column = owner.keyColumn, column.type == .int else {
      return try create(classID, primaryKey: .int(number))
    }
    return try create(owner, column, number)
  }

  private func create(_ owner: ClassWriter, _ column: ColumnDescriptor, _ value: Int64) throws -> ObjectKey {
    if owner.primaryKeys.highestStored == nil { try loadHighestKey(owner, column) }
    let key: ObjectKey
    if owner.primaryKeys.isAboveAll(value) {
      key = try makeRow(owner)
      owner.primaryKeys.append(value, key)
    } else {
      try checkFree(owner, column, .int(value))
      key = try makeRow(owner)
      owner.primaryKeys.insert(.int(value), key)
    }
    let (number, slot) = locate(key)
    let cluster = try self.cluster(owner, number)
    let target = try self.column(owner, column.id, cluster)
    cluster.willChange(target, slot)
    target.buffer.setInt(slot, value)
    if owner.primaryKeys.count > Self.primaryKeyLimit { try flush() }
    return key
  }

  /// Primary keys that may wait in memory before they are merged into the index.
  static var primaryKeyLimit: Int { 1 << 20 }

  private func loadHighestKey(_ owner: ClassWriter, _ column: ColumnDescriptor) throws {
    var highest: Int64?
    let id = owner.descriptor.id
    let isWritten = writtenTrees.contains(.index(id, column.id))
    if isWritten || base.schema[id]?.column(column.id) != nil {
      let view =
        isWritten
        ? store.indexView(id, column, reader: self) { [transaction] in try transaction.cursor($0) }
        : try base.index(id, column.id)
      if let view, !view.isOrdered {
        // Hashes do not tell which is highest: unless there is none, each key is looked up.
        owner.primaryKeys.highestStored = .some(try view.entryCount() == 0 ? nil : .max)
        return
      }
      try view?.forEach(descending: true) { key in
        // The index still holds objects that this transaction deleted.
        guard try self.contains(id, key) else { return true }
        if case .int(let number) = try self.value(id, column.id, key) { highest = number }
        return false
      }
    }
    owner.primaryKeys.highestStored = .some(highest)
  }

  private func checkFree(_ owner: ClassWriter, _ column: ColumnDescriptor, _ value: StoredValue) throws {
    // A migration looks for duplicates at its end.
    guard migrating == nil else { return }
    let taken = try holder(of: value, owner, column)
    guard taken == nil else {
      throw StorageError(
        .duplicatePrimaryKey,
        "'\(owner.descriptor.name)' with \(column.name) = \(value.shortDescription) exists already; update it instead.",
        className: owner.descriptor.name, property: column.name, key: taken)
    }
  }

  /// Gives the next key and sets the presence bit.
  @inline(__always)
  func makeRow(_ owner: ClassWriter) throws -> ObjectKey {
    if decodedBytes > decodedLimit { try flush() }
    let key = ObjectKey(rawValue: owner.nextKey)
    let (number, slot) = locate(key)
    let cluster = try self.cluster(owner, number)
    cluster.presence.set(slot)
    if !cluster.isPresenceDirty || cluster.encodedPresence != nil { cluster.presenceWillChange(slot) }
    owner.nextKey += 1
    owner.count += 1
    owner.isDirty = true
    recorder.inserted(owner.descriptor.id, key)
    return key
  }

  // MARK: - Embedded objects

  /// Makes an embedded object in a to-one property of its owner; a previous occupant is deleted.
  package func createEmbedded(in classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> ObjectKey {
    let (owner, descriptor, target) = try embeddedSlot(classID, column, key)
    guard descriptor.collection == .none else { throw StorageError.notSingle(owner.descriptor, descriptor) }
    if case .link(let previous) = try value(classID, column, key), target.descriptor.isEmbedded {
      try deleteRow(target, previous, derived: true)
    }
    let made = try makeRow(target)
    recorder.owned(target.descriptor.id, made, by: ObjectLink(classID: classID, key: key), column)
    try store(.link(made), owner, descriptor, key)
    recorder.modified(classID, column, key)
    return made
  }

  /// Makes an embedded object that no object owns, for a transaction that is cancelled: a commit would leave a row that nothing
  /// leads to.
  package func createUnowned(_ classID: ClassID) throws -> ObjectKey { try makeRow(try classWriter(classID)) }

  /// Makes an embedded object in a list of its owner.
  package func insertEmbedded(
    in classID: ClassID, _ column: ColumnID, _ key: ObjectKey, at position: Int
  ) throws -> ObjectKey {
    let (owner, descriptor, target) = try embeddedSlot(classID, column, key)
    guard descriptor.collection == .list else {
      throw StorageError.notCollection(.list, owner.descriptor, descriptor)
    }
    let list = try open(owner, column, key)
    guard position >= 0, position <= list.editor.count else {
      throw StorageError.outOfBounds(position, list.editor.count, owner.descriptor, descriptor)
    }
    let made = try makeRow(target)
    recorder.owned(target.descriptor.id, made, by: ObjectLink(classID: classID, key: key), column)
    try insert([.link(made)], at: position, list, owner)
    return made
  }

  /// The column of an owner that is to hold an embedded object, and the object's class.
  func embeddedSlot(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey
  ) throws -> (ClassWriter, ColumnDescriptor, ClassWriter) {
    let owner = try classWriter(classID)
    guard try contains(classID, key) else { throw missing(classID, key) }
    let descriptor = try descriptor(classID, column)
    guard let target = descriptor.target,
      try classWriter(target).descriptor.isEmbedded || migrating?.becomingEmbedded.contains(target) ?? false
    else {
      throw StorageError(
        .typeMismatch, "'\(owner.descriptor.name).\(descriptor.name)' does not hold embedded objects.",
        className: owner.descriptor.name, property: descriptor.name)
    }
    return (owner, descriptor, try classWriter(target))
  }
}

extension StorageError {
  static func notSingle(_ owner: ClassDescriptor, _ column: ColumnDescriptor) -> StorageError {
    StorageError(
      .typeMismatch, "'\(owner.name).\(column.name)' is a collection; change its elements.", className: owner.name,
      property: column.name)
  }

  static func outOfBounds(
    _ position: Int, _ count: Int, _ owner: ClassDescriptor, _ column: ColumnDescriptor
  ) -> StorageError {
    StorageError(
      .indexOutOfRange, "Index \(position) is out of bounds (count \(count)) in '\(owner.name).\(column.name)'.",
      className: owner.name, property: column.name)
  }
}
