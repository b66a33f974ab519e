import LarderLMDB

extension StoreWriter {
  /// Writes a copy of the store as this transaction has made it so far, uncommitted changes included, to a new file.
  ///
  /// The copy is of the version that a commit would make, with an empty log: a new epoch begins in it (L-15).
  /// - Throws: As `Snapshot.copy(to:)`; `.duplicateValue` when values that must be unique are not.
  package func copy(to path: String, key: CopyKey = .unchanged) throws {
    try storageErrors(path) {
      try foldTails(onlyLeftBehind: true)
      try flush()
      try checkUniqueIndexes()
      var state = currentState
      state.logFloor = version + 1
      state.epoch += 1
      let parts = state.changeParts(after: base.state, mayBegin: false).map {
        (KeyBytes(StoreLayout.statePartWord($0)), state.encode(part: $0))
      }
      let tables = store.tables
      let schema = CatalogSeal.seal(schemaRecord.withoutRetiredNames.encode(), StoreLayout.schemaWord)
      try StoreCopy(to: path).make(
        from: transaction, self, of: store, key: key,
        catalog: parts + [(StoreLayout.stateKey, state.encode()), (StoreLayout.schemaKey, schema)],
        leaving: [tables.log, tables.tombstones, tables.cursors])
    }
  }
}
