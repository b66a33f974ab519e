/// Making objects, top-level and embedded ones.
struct RowCreation {
  let writer: StoreWriter

  /// Makes an object of a class without a primary key; every property holds its initial value (nil or zero).
  func create(_ classID: ClassID) throws -> ObjectKey {
    let owner = try writer.classWriter(classID)
    if let column = owner.shape.keyColumn {
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
  func create(_ classID: ClassID, primaryKey value: StoredValue) throws -> ObjectKey {
    let owner = try writer.classWriter(classID)
    guard let column = owner.shape.keyColumn else {
      throw StorageError(
        .unknownProperty, "Class '\(owner.descriptor.name)' has no primary key.", className: owner.descriptor.name)
    }
    if case .int(let number) = value, column.type == .int { return try create(owner, column, number) }
    try column.check(value, in: owner.descriptor)
    try checkFree(owner, column, value)
    let key = try makeRow(owner, called: value)
    owner.primaryKeys.insert(value, key)
    try writer.store(value, owner, column, key)
    if owner.primaryKeys.isFull { try writer.flush() }
    if owner.hasGhosts { try GhostKeeping(writer: writer).heal(owner) }
    return key
  }

  /// Does what `create(_:primaryKey:)` does for the most common kind of key, without boxing it.
  func create(_ classID: ClassID, primaryKey number: Int64) throws -> ObjectKey {
    let owner = try writer.classWriter(classID)
    guard let column = owner.shape.keyColumn, column.type == .int else {
      return try create(classID, primaryKey: .int(number))
    }
    return try create(owner, column, number)
  }

  private func create(_ owner: ClassWriter, _ column: ColumnDescriptor, _ value: Int64) throws -> ObjectKey {
    if owner.primaryKeys.highestStored == nil { try loadHighestKey(owner, column) }
    let key: ObjectKey
    if owner.primaryKeys.isAboveAll(value), !owner.hasGhosts {
      key = try makeRow(owner)
      owner.primaryKeys.append(value, key)
    } else {
      try checkFree(owner, column, .int(value))
      key = try makeRow(owner, called: .int(value))
      owner.primaryKeys.insert(.int(value), key)
    }
    let (number, slot) = writer.locate(key)
    let cluster = try writer.cluster(owner, number)
    let target = try writer.column(owner, column.id, cluster)
    cluster.willChange(target, slot)
    target.buffer.setInt(slot, value)
    if owner.primaryKeys.isFull { try writer.flush() }
    if owner.hasGhosts { try GhostKeeping(writer: writer).heal(owner) }
    return key
  }

  private func loadHighestKey(_ owner: ClassWriter, _ column: ColumnDescriptor) throws {
    var highest: Int64?
    let id = owner.descriptor.id
    let isWritten = writer.trees.isWritten(.index(id, column.id))
    if isWritten || writer.base.schema[id]?.column(column.id) != nil {
      let view =
        isWritten
        ? writer.store.indexView(id, column, reader: writer) { [transaction = writer.transaction] in
          try transaction.cursor($0)
        }
        : try writer.base.index(id, column.id)
      if let view, !view.isOrdered {
        // Hashes do not tell which is highest: unless there is none, each key is looked up.
        owner.primaryKeys.highestStored = .some(try view.entryCount() == 0 ? nil : .max)
        return
      }
      try view?.forEach(descending: true) { key in
        // The index still holds objects that this transaction deleted.
        guard try writer.contains(id, key) else { return true }
        if case .int(let number) = try writer.value(id, column.id, key) { highest = number }
        return false
      }
    }
    owner.primaryKeys.highestStored = .some(highest)
  }

  private func checkFree(_ owner: ClassWriter, _ column: ColumnDescriptor, _ value: StoredValue) throws {
    // A migration looks for duplicates at its end.
    guard writer.schemaState.migrating == nil else { return }
    let taken = try writer.holder(of: value, owner, column)
    guard taken == nil else {
      throw StorageError(
        .duplicatePrimaryKey,
        "'\(owner.descriptor.name)' with \(column.name) = \(value.shortDescription) exists already; update it instead.",
        className: owner.descriptor.name, property: column.name, key: taken)
    }
  }

  /// The row of an object with a primary key; links may lead to it already.
  private func makeRow(_ owner: ClassWriter, called value: StoredValue) throws -> ObjectKey {
    guard owner.hasGhosts, writer.schemaState.migrating == nil else { return try makeRow(owner) }
    return try GhostKeeping(writer: writer).arrive(owner, value)
  }

  /// Gives the next key and sets the presence bit.
  @inline(__always)
  func makeRow(_ owner: ClassWriter) throws -> ObjectKey {
    if writer.cache.isOverLimit { try writer.flush() }
    let key = ObjectKey(rawValue: owner.nextKey)
    let (number, slot) = writer.locate(key)
    let cluster = try writer.cluster(owner, number)
    cluster.presence.set(slot)
    if !cluster.isPresenceDirty || cluster.encodedPresence != nil { cluster.presenceWillChange(slot) }
    owner.nextKey += 1
    owner.count += 1
    owner.isDirty = true
    writer.recorder.inserted(owner.descriptor.id, key)
    return key
  }

  // MARK: - Embedded objects

  /// Makes an embedded object in a to-one property of its owner; a previous occupant is deleted.
  func createEmbedded(in classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> ObjectKey {
    let (owner, descriptor, target) = try embeddedSlot(classID, column, key)
    guard descriptor.collection == .none else { throw StorageError.notSingle(owner.descriptor, descriptor) }
    if case .link(let previous) = try writer.value(classID, column, key), target.descriptor.isEmbedded {
      try writer.deletion.deleteRow(target, previous, derived: true)
    }
    let made = try makeRow(target)
    writer.recorder.owned(target.descriptor.id, made, by: ObjectLink(classID: classID, key: key), column)
    try writer.store(.link(made), owner, descriptor, key)
    writer.recorder.modified(classID, column, key)
    return made
  }

  /// Makes an embedded object in a list of its owner.
  func insertEmbedded(
    in classID: ClassID, _ column: ColumnID, _ key: ObjectKey, at position: Int
  ) throws -> ObjectKey {
    let (owner, descriptor, target) = try embeddedSlot(classID, column, key)
    guard descriptor.collection == .list else {
      throw StorageError.notCollection(.list, owner.descriptor, descriptor)
    }
    let list = try writer.collections.open(owner, column, key)
    guard position >= 0, position <= list.editor.count else {
      throw StorageError.outOfBounds(position, list.editor.count, owner.descriptor, descriptor)
    }
    let made = try makeRow(target)
    writer.recorder.owned(target.descriptor.id, made, by: ObjectLink(classID: classID, key: key), column)
    try writer.collections.insert([.link(made)], at: position, list, owner)
    return made
  }

  /// The column of an owner that is to hold an embedded object, and the object's class.
  func embeddedSlot(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey
  ) throws -> (ClassWriter, ColumnDescriptor, ClassWriter) {
    let owner = try writer.classWriter(classID)
    guard try writer.contains(classID, key) else { throw writer.missing(classID, key) }
    let descriptor = try writer.descriptor(classID, column)
    guard let target = descriptor.target,
      try writer.classWriter(target).descriptor.isEmbedded
        || writer.schemaState.migrating?.becomingEmbedded.contains(target) ?? false
    else {
      throw StorageError(
        .typeMismatch, "'\(owner.descriptor.name).\(descriptor.name)' does not hold embedded objects.",
        className: owner.descriptor.name, property: descriptor.name)
    }
    return (owner, descriptor, try writer.classWriter(target))
  }
}

extension StoreWriter {
  /// Makes objects.
  @inline(__always)
  var creation: RowCreation { RowCreation(writer: self) }
}
