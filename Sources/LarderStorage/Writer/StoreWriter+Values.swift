import Foundation
import LarderLMDB

/// Setting properties.
extension StoreWriter {
  /// Sets a property to a value that is checked against its column.
  ///
  /// - Throws: `.typeMismatch`, `.nullForRequired`, `.valueTooLarge`, `.noSuchObject` (the object or a link's target),
  ///   `.embeddedOwner` for a link to an embedded object (see `createEmbedded`).
  package func set(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ value: StoredValue) throws {
    let owner = try classWriter(classID)
    let descriptor = try descriptor(classID, column)
    guard descriptor.collection == .none else { throw StorageError.notSingle(owner.descriptor, descriptor) }
    try descriptor.check(value, in: owner.descriptor)
    guard try contains(classID, key) else { throw missing(classID, key) }
    if descriptor.isPrimaryKey, migrating != nil {
      migrating?.unindexed.insert(classID)
      migrating?.reassigned.insert(classID)
      try store(value, owner, descriptor, key)
      return
    }
    if descriptor.isPrimaryKey {
      guard try self.value(classID, column, key) == value else {
        throw StorageError(
          .typeMismatch,
          "The primary key '\(owner.descriptor.name).\(descriptor.name)' cannot change; delete and create instead.",
          className: owner.descriptor.name, property: descriptor.name, key: key)
      }
      return
    }
    if descriptor.type == .link { try checkLink(value, owner, descriptor, key) }
    let prepared = descriptor.type == .mixed ? try prepareMixed(value, owner, descriptor) : value
    try store(prepared, owner, descriptor, key)
    recorder.modified(classID, column, key)
  }

  private func checkLink(
    _ value: StoredValue, _ owner: ClassWriter, _ descriptor: ColumnDescriptor, _ key: ObjectKey
  ) throws {
    guard let target = descriptor.target else { return }
    let isEmbedded = try classWriter(target).descriptor.isEmbedded
    if isEmbedded {
      let current = try self.value(owner.descriptor.id, descriptor.id, key)
      if current == value { return }
      guard value.isNull else {
        throw StorageError(
          .embeddedOwner,
          "An embedded object has one owner: create it in '\(owner.descriptor.name).\(descriptor.name)' instead.",
          className: owner.descriptor.name, property: descriptor.name, key: key)
      }
      if case .link(let previous) = current { try deleteRow(try classWriter(target), previous, derived: true) }
    } else if case .link(let linked) = value {
      guard try contains(target, linked) else { throw missing(target, linked) }
    }
  }

  /// Puts a checked value into its buffer.
  func store(_ value: StoredValue, _ owner: ClassWriter, _ descriptor: ColumnDescriptor, _ key: ObjectKey) throws {
    let (number, slot) = locate(key)
    let cluster = try cluster(owner, number)
    let target = try column(owner, descriptor.id, cluster)
    cluster.willChange(target, slot)
    owner.isDirty = true
    if descriptor.holdsLinks, value.mayLink { owner.hasNewLinks = true }
    target.buffer.set(slot, value)
    switch value {
    case .string(let text): noteSize(text.utf8.count)
    case .data(let bytes): noteSize(bytes.count)
    case .list, .dictionary: noteSize(MixedSize.of(value))
    default: break
    }
  }

  /// Counts a large value at once: few of them may fill the memory, all within one cluster.
  @inline(__always)
  func noteSize(_ size: Int) { if size > RowWriter.longText { decodedBytes += size } }

  // MARK: - Typed setters: no boxing, for the accessor path. Null and type checks are the caller's.

  /// The buffer and slot of a property of an object that must exist.
  @inline(__always)
  private func slot(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey
  ) throws -> (DirtyColumn, Int) {
    let owner = try classWriter(classID)
    let (number, slot) = locate(key)
    let cluster = try self.cluster(owner, number)
    guard key.rawValue < owner.nextKey, cluster.presence[slot] else { throw missing(classID, key) }
    let target = try self.column(owner, column, cluster)
    cluster.willChange(target, slot)
    if !owner.isDirty { owner.isDirty = true }
    recorder.modified(classID, column, key)
    return (target, slot)
  }

  private func mismatch(_ target: DirtyColumn, _ classID: ClassID, _ given: ColumnType) -> StorageError {
    let owner = schema[classID]?.name ?? ""
    return StorageError(
      .typeMismatch, "'\(owner).\(target.descriptor.name)' is \(target.descriptor.type), not \(given).",
      className: owner, property: target.descriptor.name)
  }

  @inline(__always)
  package func setInt(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ value: Int64) throws {
    let (target, slot) = try slot(classID, column, key)
    guard target.descriptor.type == .int, !target.descriptor.isPrimaryKey else {
      throw mismatch(target, classID, .int)
    }
    target.buffer.setInt(slot, value)
  }

  @inline(__always)
  package func setBool(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ value: Bool) throws {
    let (target, slot) = try slot(classID, column, key)
    guard target.descriptor.type == .bool else { throw mismatch(target, classID, .bool) }
    target.buffer.setBool(slot, value)
  }

  @inline(__always)
  package func setFloat(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ value: Float) throws {
    let (target, slot) = try slot(classID, column, key)
    guard target.descriptor.type == .float else { throw mismatch(target, classID, .float) }
    target.buffer.setFloat(slot, value)
  }

  @inline(__always)
  package func setDouble(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ value: Double) throws {
    let (target, slot) = try slot(classID, column, key)
    guard target.descriptor.type == .double else { throw mismatch(target, classID, .double) }
    target.buffer.setDouble(slot, value)
  }

  @inline(__always)
  package func setString(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ value: String) throws {
    let (target, slot) = try slot(classID, column, key)
    guard target.descriptor.type == .string, !target.descriptor.isPrimaryKey else {
      throw mismatch(target, classID, .string)
    }
    target.buffer.setString(slot, value)
    noteSize(value.utf8.count)
  }

  @inline(__always)
  package func setDate(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ value: Timestamp) throws {
    let (target, slot) = try slot(classID, column, key)
    guard target.descriptor.type == .date else { throw mismatch(target, classID, .date) }
    target.buffer.setDate(slot, value)
  }

  /// Sets an optional property to nil; for an embedded object use `set`.
  package func setNull(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws {
    try set(classID, column, key, .null)
  }

  /// Links to a top-level object.
  package func setLink(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ value: ObjectKey) throws {
    try set(classID, column, key, .link(value))
  }
}
