import LarderLMDB

/// Writing a store as a transaction has made it so far to a new file.
struct TransactionCopy {
  let writer: StoreWriter

  func make(to path: String, key: CopyKey) throws {
    try storageErrors(path) {
      try writer.tails.foldTails(onlyLeftBehind: true)
      try writer.flush()
      try writer.uniqueness.checkUniqueIndexes()
      var state = writer.records.currentState
      state.logFloor = writer.version + 1
      state.epoch += 1
      let parts = state.changeParts(after: writer.base.state, mayBegin: false).map {
        (KeyBytes(StoreLayout.statePartWord($0)), state.encode(part: $0))
      }
      let tables = writer.store.tables
      let schema = CatalogSeal.seal(writer.schemaRecord.withoutRetiredNames.encode(), StoreLayout.schemaWord)
      try StoreCopy(to: path).make(
        from: writer.transaction, writer, of: writer.store, key: key,
        catalog: parts + [(StoreLayout.stateKey, state.encode()), (StoreLayout.schemaKey, schema)],
        leaving: [tables.log, tables.tombstones, tables.cursors])
    }
  }
}
