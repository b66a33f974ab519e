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

  /// Returns the faults of the pages of a file, all of them, whether it can be opened or not; nothing may write it meanwhile.
  ///
  /// Costs one read of the pages of its trees.
  ///
  /// - Throws: `StorageError` when the file cannot be read, or is none of a store.
  package static func pageFaults(_ path: String) throws -> [StoreProblem] {
    try storageErrors(path) {
      var pages = try PageRepair(path: path, tables: StoreLayout.tables, clock: StoreLayout.log)
      var isStore = pages.hasRoots
      func isIdentity(_ key: ByteView) -> Bool { key.count == 8 && key.loadBigEndian(0) == StoreLayout.identityWord }
      if !isStore { try pages.readEveryLeaf(where: isIdentity) { _, _, _ in isStore = true } }
      guard isStore else { throw LMDBError(.notADatabase, "page walk", detail: "no page of it is one of a store") }
      try pages.findFaults()
      return pages.faults.map { StoreProblem(.page, path, "\($0)") }
    }
  }
}
