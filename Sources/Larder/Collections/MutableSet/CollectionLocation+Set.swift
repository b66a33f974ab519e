import LarderStorage

/// Changes of a set in the store; the owner and the transaction were checked before.
extension CollectionLocation {
  /// Inserts elements in one go; those that are there already change nothing.
  func insertIntoSet(_ values: [StoredValue]) throws {
    if !values.isEmpty { _ = try write { try $0.sets.insert($1, $2, $3, values) } }
  }

  /// Removes values in one go; those that are not there change nothing.
  func removeFromSet(_ values: [StoredValue]) throws {
    if !values.isEmpty { _ = try write { try $0.sets.remove($1, $2, $3, values) as Int } }
  }

  func clearSet() throws { try write { try $0.sets.clear($1, $2, $3) } }

  /// Replaces all elements in one go.
  func assignSet(_ values: [StoredValue]) throws { try write { try $0.sets.assign($1, $2, $3, values) } }
}
