import LarderExchange
import LarderStorage

/// A change of one object, told by texts: checked against a version of the store first, then written in one transaction.
package struct ObjectEdit {
  /// The object to change: one that is there, or a new one.
  package enum Target: Sendable {
    /// An object that is there, by the text of its primary key or by its object key.
    case primaryKey(String)
    case key(UInt64)
    /// A new object; with the text of its primary key when its class has one.
    case new(primaryKey: String?)
  }

  let className: String
  private let target: Target
  /// Paths and texts, in the order given; a nil text is null.
  let assignments: [(path: String, text: String?)]

  package init(className: String, target: Target, assignments: [(path: String, text: String?)]) {
    self.className = className
    self.target = target
    self.assignments = assignments
  }

  /// Returns the changes that writing would make, without writing; the primary key of a new object is the first.
  ///
  /// - Throws: `StorageError` or `EditError` for anything that writing would refuse, as far as the version read tells.
  package func steps(in reader: some StoreReader) throws -> [EditStep] {
    let entry = try StoreAccess.entry(named: className, in: reader.schema)
    let key = try existing(entry, in: reader)
    let tree = ObjectTree(reader)
    var steps: [EditStep] = []
    if case .new(let text?) = target, let primary = entry.primaryKey {
      let value = try EditValue.scalar(text, primary)
      steps.append(EditStep(path: primary.name, old: nil, new: JSONText.value(value)))
    }
    for (path, text) in assignments {
      let place = try EditPlace(path, in: entry, reader.schema)
      let value = try place.value(text, in: reader)
      let owner = try place.isNested ? key.flatMap { try place.owner(of: $0, in: reader) } : key
      guard owner != nil || !place.isNested else { throw place.ownerIsNil }
      var step = EditStep(path: path, old: nil, new: try value.json(place.column, tree))
      step.old = try owner.map { JSONText.value(try tree.value(place.entry, place.column, $0, depth: 0)) }
      if place.column.collection != .none {
        step.counts = (try owner.map { try Self.count(place, $0, in: reader) } ?? 0, value.count)
      }
      steps.append(step)
    }
    return steps
  }

  private static func count(_ place: EditPlace, _ owner: ObjectKey, in reader: some StoreReader) throws -> Int {
    place.column.collection == .map
      ? try reader.map(place.entry.id, place.column.id, owner).count
      : try reader.list(place.entry.id, place.column.id, owner).count
  }

  /// Returns the effects of deleting the object, without deleting it.
  ///
  /// - Throws: `StorageError` when there is no such object, or it cannot be read.
  package func deletion(in reader: some StoreReader) throws -> EditDeletion {
    let entry = try StoreAccess.entry(named: className, in: reader.schema)
    guard let key = try existing(entry, in: reader) else { throw EditError("a new object cannot be deleted") }
    return EditDeletion(
      object: try ObjectTree(reader).object(entry, key, depth: 0),
      links: try IncomingLinks.count(to: entry, key, in: reader))
  }

  /// Writes the change and gives the object's key.
  ///
  /// - Throws: `StorageError` or `EditError`; the caller then cancels the transaction.
  package func write(_ writer: StoreWriter) throws -> ObjectKey {
    let entry = try StoreAccess.entry(named: className, in: writer.schema)
    let key = try existing(entry, in: writer) ?? create(entry, writer)
    for (path, text) in assignments {
      let place = try EditPlace(path, in: entry, writer.schema)
      let value = try place.value(text, in: writer)
      guard let owner = try place.owner(of: key, in: writer) else {
        throw place.ownerIsNil
      }
      try value.write(place, owner, writer)
    }
    return key
  }

  /// Deletes the object, with what is embedded in it, and gives its key.
  package func delete(_ writer: StoreWriter) throws -> ObjectKey {
    let entry = try StoreAccess.entry(named: className, in: writer.schema)
    guard let key = try existing(entry, in: writer) else { throw EditError("a new object cannot be deleted") }
    try writer.delete(entry.id, key)
    return key
  }

  func existing(_ entry: ClassDescriptor, in reader: some StoreReader) throws -> ObjectKey? {
    switch target {
    case .primaryKey(let text): return try StoreAccess.object(entry, primaryKey: text, in: reader)
    case .key(let number):
      let key = ObjectKey(rawValue: number)
      guard try reader.contains(entry.id, key) else {
        throw StorageError(.noSuchObject, "There is no object #\(number) of class '\(entry.name)'.")
      }
      return key
    case .new(let text):
      guard !entry.isEmbedded else { throw EditError("'\(entry.name)' is embedded: its objects belong to others") }
      guard (text == nil) == (entry.primaryKey == nil) else {
        throw EditError(
          text == nil ? "'\(entry.name)' needs a primary key" : "'\(entry.name)' has no primary key to be given")
      }
      if let text, let primary = entry.primaryKey,
        try reader.object(entry.id, primaryKey: try EditValue.scalar(text, primary)) != nil
      {
        throw EditError("there is a '\(entry.name)' with the primary key \(text) already")
      }
      return nil
    }
  }

  private func create(_ entry: ClassDescriptor, _ writer: StoreWriter) throws -> ObjectKey {
    guard case .new(let text?) = target, let primary = entry.primaryKey else { return try writer.create(entry.id) }
    return try writer.create(entry.id, primaryKey: try EditValue.scalar(text, primary))
  }
}

/// A change that cannot be made.
package struct EditError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}
