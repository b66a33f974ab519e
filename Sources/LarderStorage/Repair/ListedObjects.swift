import LarderLMDB

/// Finds objects by their lists, sets and maps: what says which objects there are may be lost where these are not.
struct ListedObjects {
  private let store: Store
  private let transaction: ReadTransaction

  init(_ store: Store, _ transaction: ReadTransaction) {
    self.store = store
    self.transaction = transaction
  }

  /// The keys of the objects of a class that have elements anywhere, in order. A seek for each collection.
  func keys(of entry: ClassDescriptor) throws -> [UInt64] {
    var keys: Set<UInt64> = []
    for column in entry.columns where column.collection != .none {
      let word = StoreLayout.columnWord(entry.id, column.id)
      let cursor = try transaction.cursor(store.tables.collections, for: .examining)
      var found = try cursor.seek(KeyBytes(word, 0, 0))
      while let key = found?.key, key.count == 24, key.loadBigEndian(0, as: UInt64.self) == word {
        let object: UInt64 = key.loadBigEndian(8)
        keys.insert(object)
        guard object < .max else { break }
        found = try cursor.seek(KeyBytes(word, object + 1, 0))
      }
    }
    return keys.sorted()
  }
}
