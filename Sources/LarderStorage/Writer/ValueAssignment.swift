/// Setting a property to a value of any kind, with all that is checked.
package struct ValueAssignment {
  let writer: StoreWriter

  package init(writer: StoreWriter) { self.writer = writer }

  func set(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ value: StoredValue) throws {
    let owner = try writer.classWriter(classID)
    let descriptor = try writer.descriptor(classID, column)
    guard descriptor.collection == .none else { throw StorageError.notSingle(owner.descriptor, descriptor) }
    try descriptor.check(value, in: owner.descriptor)
    guard try writer.contains(classID, key) else { throw writer.missing(classID, key) }
    if descriptor.isPrimaryKey, writer.schemaState.migrating != nil {
      writer.schemaState.migrating?.unindexed.insert(classID)
      writer.schemaState.migrating?.reassigned.insert(classID)
      try writer.store(value, owner, descriptor, key)
      return
    }
    if descriptor.isPrimaryKey {
      guard try writer.value(classID, column, key) == value else {
        throw StorageError(
          .typeMismatch,
          "The primary key '\(owner.descriptor.name).\(descriptor.name)' cannot change; delete and create instead.",
          className: owner.descriptor.name, property: descriptor.name, key: key)
      }
      return
    }
    if descriptor.type == .link { try checkLink(value, owner, descriptor, key) }
    let prepared = descriptor.type == .mixed ? try writer.collections.prepareMixed(value, owner, descriptor) : value
    try writer.store(prepared, owner, descriptor, key)
    writer.recorder.modified(classID, column, key)
  }

  /// Adds to an integer or decimal, nil being zero. An assignment of the sum, but of devices that add to a synced property at once
  /// each addition counts (L-19).
  ///
  /// - Throws: `.typeMismatch`, `.valueTooLarge` for a sum beyond 64 bits, `.noSuchObject`.
  package func add(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ delta: StoredValue) throws {
    let owner = try writer.classWriter(classID)
    let descriptor = try writer.descriptor(classID, column)
    guard descriptor.collection == .none else { throw StorageError.notSingle(owner.descriptor, descriptor) }
    guard !descriptor.isPrimaryKey, descriptor.type == .int || descriptor.type == .decimal128 else {
      throw StorageError(
        .typeMismatch,
        "'\(owner.descriptor.name).\(descriptor.name)' cannot be added to: only integers and decimals can that are no primary key.",
        className: owner.descriptor.name, property: descriptor.name)
    }
    let current = try writer.value(classID, column, key)
    let sum = try StoredValue.sum(current.isNull ? nil : current, delta)
    try descriptor.check(sum, in: owner.descriptor)
    try writer.store(sum, owner, descriptor, key)
    writer.recorder.added(classID, column, key, delta, from: current, to: sum)
  }

  private func checkLink(
    _ value: StoredValue, _ owner: ClassWriter, _ descriptor: ColumnDescriptor, _ key: ObjectKey
  ) throws {
    guard let target = descriptor.target else { return }
    let isEmbedded = try writer.classWriter(target).descriptor.isEmbedded
    if isEmbedded {
      let current = try writer.value(owner.descriptor.id, descriptor.id, key)
      if current == value { return }
      guard value.isNull else {
        throw StorageError(
          .embeddedOwner,
          "An embedded object has one owner: create it in '\(owner.descriptor.name).\(descriptor.name)' instead.",
          className: owner.descriptor.name, property: descriptor.name, key: key)
      }
      if case .link(let previous) = current {
        try writer.deletion.deleteRow(try writer.classWriter(target), previous, derived: true)
      }
    } else if case .link(let linked) = value {
      try writer.collections.checkTarget(ObjectLink(classID: target, key: linked))
    }
  }
}
