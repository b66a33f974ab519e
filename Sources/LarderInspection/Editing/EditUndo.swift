import LarderExchange
import LarderStorage

/// The way to take an edit back, made before the edit is written.
package struct EditUndo: Sendable {
  /// A property that the edit changes.
  package struct Place: Hashable, Sendable {
    package var object: ObjectLink
    package var column: ColumnID
    package var path: String
  }

  /// The object that is edited.
  package let object: ObjectLink
  /// The properties that are set; none for a deletion.
  package let places: [Place]
  private let entry: ClassDescriptor
  private let values:
    [(entry: ClassDescriptor, column: ColumnDescriptor, owner: ObjectKey, content: SavedObject.Content)]
  private let deleted: SavedObject?

  /// Saves what an edit of an object that is there will change.
  ///
  /// - Parameter deletes: Whether the edit is a deletion.
  /// - Throws: `StorageError` and `EditError` as writing the edit does.
  package init(of edit: ObjectEdit, deletes: Bool, in reader: some StoreReader) throws {
    entry = try StoreAccess.entry(named: edit.className, in: reader.schema)
    guard let key = try edit.existing(entry, in: reader) else {
      throw EditError("only objects that are there are edited")
    }
    object = ObjectLink(classID: entry.id, key: key)
    deleted = deletes ? try SavedObject(entry, key, in: reader) : nil
    let schema = reader.schema
    let entry = entry
    values = try edit.assignments.map { assignment in
      let place = try EditPlace(assignment.path, in: entry, schema)
      guard let owner = try place.owner(of: key, in: reader) else { throw place.ownerIsNil }
      return (place.entry, place.column, owner, try SavedObject.Content(place.entry, place.column, owner, in: reader))
    }
    places = zip(values, edit.assignments).map { value, assignment in
      Place(
        object: ObjectLink(classID: value.entry.id, key: value.owner), column: value.column.id, path: assignment.path)
    }
  }

  /// The edit that is taken back, for people.
  package var text: String {
    let name = "\(entry.name) #\(object.key.rawValue)"
    return deleted == nil ? "\(places.map(\.path).joined(separator: ", ")) of \(name)" : "the deletion of \(name)"
  }

  /// The properties that are set, of the objects as they are named now.
  package func places(_ remade: RemadeObjects, in reader: some StoreReader) throws -> [Place] {
    try zip(places, values).map { place, value in
      var place = place
      let key = try owner(value.owner, place, remade, in: reader)
      place.object = ObjectLink(classID: place.object.classID, key: key)
      return place
    }
  }

  /// The object that has a property, which may be embedded in one that was made again.
  private func owner(
    _ saved: ObjectKey, _ place: Place, _ remade: RemadeObjects, in reader: some StoreReader
  ) throws -> ObjectKey {
    let top = remade.now(object).key
    if place.object == object { return top }
    guard try !reader.contains(place.object.classID, saved), try reader.contains(entry.id, top) else { return saved }
    return try EditPlace(place.path, in: entry, reader.schema).owner(of: top, in: reader) ?? saved
  }

  /// Writes what was there before.
  ///
  /// - Parameter remade: Objects that were made again since the edit.
  /// - Returns: The key of the object, which is a new one if it was deleted.
  /// - Throws: `StorageError` for an object that is deleted, or a primary key that is taken since; the caller then cancels.
  package func write(_ remade: RemadeObjects, _ writer: StoreWriter) throws -> ObjectKey {
    guard let deleted else {
      for (value, place) in zip(values, try places(remade, in: writer)) {
        let owner = place.object.key
        guard try writer.contains(value.entry.id, owner) else { throw writer.missing(value.entry.id, owner) }
        try value.content.write(value.entry, value.column, owner, remade, writer)
      }
      return remade.now(object).key
    }
    if let primaryKey = deleted.primaryKey, try writer.object(entry.id, primaryKey: primaryKey) != nil {
      throw EditError("there is a '\(entry.name)' with the primary key \(ValueText.short(primaryKey)) again")
    }
    let key = try deleted.primaryKey.map { try writer.create(entry.id, primaryKey: $0) } ?? writer.create(entry.id)
    try deleted.write(to: key, remade, writer)
    return key
  }
}
