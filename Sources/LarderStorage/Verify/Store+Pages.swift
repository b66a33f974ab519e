import LarderLMDB

extension Store {
  /// Walks every page of the newest version, below everything that `StoreVerifier` sees.
  ///
  /// - Returns: The fault found first, or nil. Costs one read of the file.
  /// - Throws: `StorageError` when the file cannot be read.
  package func pageProblem() throws -> StoreProblem? {
    try storageErrors(path) {
      do {
        _ = try environment.checkPages()
        return nil
      } catch let error as LMDBError where error.isDamage {
        return StoreProblem(.page, path, "\(error)")
      }
    }
  }
}
