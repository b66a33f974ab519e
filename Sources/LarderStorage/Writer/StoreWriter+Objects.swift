/// Making and deleting objects.
extension StoreWriter {
  /// Makes an object of a class without a primary key; every property holds its initial value (nil or zero).
  package func create(_ classID: ClassID) throws -> ObjectKey { try creation.create(classID) }

  /// Makes an object with a primary key; throws `.duplicatePrimaryKey` when it is taken.
  package func create(_ classID: ClassID, primaryKey value: StoredValue) throws -> ObjectKey {
    try creation.create(classID, primaryKey: value)
  }

  /// Does what `create(_:primaryKey:)` does for the most common kind of key, without boxing it.
  package func create(_ classID: ClassID, primaryKey number: Int64) throws -> ObjectKey {
    try creation.create(classID, primaryKey: number)
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

  /// Makes an embedded object in a to-one property of its owner; a previous occupant is deleted.
  package func createEmbedded(in classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> ObjectKey {
    try creation.createEmbedded(in: classID, column, key)
  }

  /// Makes an embedded object that no object owns, for a transaction that is cancelled: a commit would leave a row that nothing
  /// leads to.
  package func createUnowned(_ classID: ClassID) throws -> ObjectKey { try creation.makeRow(try classWriter(classID)) }

  /// Makes an embedded object in a list of its owner.
  package func insertEmbedded(
    in classID: ClassID, _ column: ColumnID, _ key: ObjectKey, at position: Int
  ) throws -> ObjectKey {
    try creation.insertEmbedded(in: classID, column, key, at: position)
  }

  // MARK: - Deleting

  /// Deletes an object: links to it become nil, list entries go, its embedded objects are deleted with it. Throws `.noSuchObject`.
  package func delete(_ classID: ClassID, _ key: ObjectKey) throws {
    guard try deleteIfPresent(classID, key) else { throw missing(classID, key) }
  }

  /// Deletes an object as `delete(_:_:)` does; false, with nothing done, when there is none.
  package func deleteIfPresent(_ classID: ClassID, _ key: ObjectKey) throws -> Bool {
    try deletion.deleteIfPresent(classID, key)
  }

  /// Deletes several objects; links to them are looked up in one go. Throws `.noSuchObject` before anything changed when one is missing.
  package func delete(_ classID: ClassID, keys: some Collection<ObjectKey>) throws {
    try deletion.delete(classID, keys: keys)
  }

  /// Deletes every object of a class.
  package func deleteAll(_ classID: ClassID) throws { try deletion.deleteAll(classID) }

  // MARK: - Classes

  /// Calls `body` with the key of each object of a class, ascending; `body` may change the class's columns.
  package func forEachKey(_ classID: ClassID, _ body: (ObjectKey) throws -> Void) throws {
    for number in try liveClusters(of: classID) {
      guard let bitmap = try presence(classID, cluster: number)?.bitmap(capacity: clusterSize) else { continue }
      for slot in 0..<bitmap.count where bitmap[slot] {
        try body(ObjectKey(rawValue: UInt64(number * clusterSize + slot)))
      }
    }
  }

  /// Checks now, instead of at the commit, that an object shares its unique values with no other.
  ///
  /// What is found are objects as they were last written out and those this was called for since; the commit checks all. Costs a
  /// look-up for each unique index of the class.
  /// - Throws: `.duplicateValue`, which names the class, the properties, the values and the other object.
  package func checkUnique(_ classID: ClassID, _ key: ObjectKey) throws { try uniqueness.checkUnique(classID, key) }

  /// Makes the stored schema fit the declared classes; classes that are not declared stay as they are (M-35).
  ///
  /// New columns read nil or zero and cost nothing; removed ones give their space back; changed ones start again, except
  /// that values stay when only nil becomes possible or impossible (M-42, M-43). Numbers are never reused (L-4).
  /// - Throws: `.invalidSchema` for an unknown link target, `.duplicatePrimaryKey` when a new primary key has duplicates.
  package func apply(_ declarations: [ClassDeclaration], schemaVersion: UInt64?) throws {
    let migration = try SchemaMigration(self, to: declarations, schemaVersion: schemaVersion)
    guard !migration.plan.isEmpty else { return }
    try migration.begin()
    try migration.finish()
  }
}
