import LarderStorage

/// The keys that the objects of one call take: primary keys, and values that a class says are unique together (U-13).
///
/// Two objects that take one key are found before either is made, as is an object of the store that has it already.
struct KeyClaims {
  private struct Primary: Hashable {
    var classID: ClassID
    var value: StoredValue
  }

  private struct Unique: Hashable {
    var classID: ClassID
    var index: UInt16
    var values: [StoredValue]
  }

  private var primary: Set<Primary> = []
  /// The taken values, each with the primary key of the object that took it; nil for an object without one.
  private var unique: [Unique: StoredValue?] = [:]

  /// Takes a primary key for an object that is made under a policy; throws when another has it and the policy is not to update.
  mutating func claim(
    _ value: StoredValue, _ property: ModelProperty, _ cursor: _ClassCursor, _ policy: Realm.UpdatePolicy
  ) throws {
    let isNew = primary.insert(Primary(classID: cursor.classID, value: value)).inserted
    guard policy == .error else { return }
    guard isNew, try cursor.host.reader.object(cursor.classID, primaryKey: value) == nil else {
      throw Realm.Error.duplicate(cursor.model, property, value)
    }
  }

  /// Takes the values of an object that is made, or of an existing row that is changed. `value` gives the value of a column.
  mutating func claim(
    _ cursor: _ClassCursor, row: ObjectKey?, primaryKey: StoredValue?, _ value: (ColumnID) throws -> StoredValue
  ) throws {
    let reader = cursor.host.reader
    guard let entry = reader.schema[cursor.classID] else { return }
    for index in entry.indexes where index.isUnique {
      let values = try index.columns.map { try value($0) }
      if values.contains(where: \.isNull) { continue }
      let earlier = unique.updateValue(
        primaryKey, forKey: Unique(classID: cursor.classID, index: index.id, values: values))
      // Two objects with one primary key become one row.
      let isNew = earlier.map { $0 != nil && $0 == primaryKey } ?? true
      let taken = try reader.index(cursor.classID, composite: index.id)?.keys(equalTo: values).contains { $0 != row }
      if isNew, taken != true { continue }
      let names = index.columns.map { entry.column($0)?.name ?? "" }
      let text = zip(names, values).map { "\($0) = \($1.text)" }.joined(separator: ", ")
      throw Realm.Error.invalid(
        "\(entry.name) with \(text) exists: \(names.joined(separator: ", ")) must be unique. Update that object, or change "
          + "one of the values.", className: entry.name, propertyName: names.joined(separator: ", "))
    }
  }

  /// Returns true if a class has values that are unique together.
  static func areUniqueTogether(in cursor: _ClassCursor) -> Bool {
    cursor.host.reader.schema[cursor.classID]?.indexes.contains(where: \.isUnique) ?? false
  }
}
