import LarderStorage

/// Looks whether values of objects that are to be made or changed are taken already, where a class says that they are unique
/// together (U-13).
struct UniqueCheck {
  private struct Claim: Hashable {
    var classID: ClassID
    var index: UInt16
    var values: [StoredValue]
  }

  /// Who took the values: the primary key of the object, nil for one without.
  private var claims: [Claim: StoredValue?] = [:]

  /// Takes values for an object that is made, or for an existing row that is changed. `value` gives the value of a column.
  mutating func claim(
    _ cursor: _ClassCursor, row: ObjectKey?, primaryKey: StoredValue?, _ value: (ColumnID) throws -> StoredValue
  ) throws {
    let reader = cursor.host.reader
    guard let entry = reader.schema[cursor.classID] else { return }
    for index in entry.indexes where index.isUnique {
      let values = try index.columns.map { try value($0) }
      if values.contains(where: \.isNull) { continue }
      let earlier = claims.updateValue(
        primaryKey, forKey: Claim(classID: cursor.classID, index: index.id, values: values))
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

  /// Whether a class has such rules.
  static func applies(to cursor: _ClassCursor) -> Bool {
    cursor.host.reader.schema[cursor.classID]?.indexes.contains(where: \.isUnique) ?? false
  }
}
