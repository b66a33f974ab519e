import Foundation
import LarderLMDB

/// Setting properties.
extension StoreWriter {
  /// Sets a property to a value that is checked against its column.
  ///
  /// - Throws: `.typeMismatch`, `.nullForRequired`, `.valueTooLarge`, `.noSuchObject` (the object or a link's target),
  ///   `.embeddedOwner` for a link to an embedded object (see `createEmbedded`).
  package func set(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ value: StoredValue) throws {
    try ValueAssignment(writer: self).set(classID, column, key, value)
  }

  /// Puts a checked value into its buffer.
  func store(_ value: StoredValue, _ owner: ClassWriter, _ descriptor: ColumnDescriptor, _ key: ObjectKey) throws {
    let (number, slot) = locate(key)
    let cluster = try cluster(owner, number)
    let target = try column(owner, descriptor.id, cluster)
    cluster.willChange(target, slot)
    owner.isDirty = true
    if descriptor.holdsLinks, value.mayLink { owner.hasNewLinks = true }
    target.set(slot, value)
    switch value {
    case .string(let text): noteSize(text.utf8.count)
    case .data(let bytes): noteSize(bytes.count)
    case .list, .dictionary: noteSize(MixedSize.of(value))
    default: break
    }
  }

  /// Counts a large value at once: few of them may fill the memory, all within one cluster.
  @inline(__always)
  func noteSize(_ size: Int) { if size > RowWriter.longText { cache.count(size) } }

  /// A single value as it is stored, with links to rows that are not there.
  func storedValue(_ owner: ClassWriter, _ column: ColumnDescriptor, _ key: ObjectKey) throws -> StoredValue {
    let (number, slot) = locate(key)
    let decoded = try self.column(owner, column.id, cluster(owner, number))
    if let value = try decoded.value(slot) { return value }
    return try StoredValue(bytes: try largeValue(owner.descriptor.id, column.id, key), type: column.type)
  }

  // MARK: - Typed setters: no boxing, for the accessor path. Null and type checks are the caller's.

  /// The buffer and slot of a property of an object that must exist.
  @inline(__always)
  private func slot(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> (DirtyColumn, Int) {
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
    target.setString(slot, value)
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
