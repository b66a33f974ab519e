import LarderLMDB

extension Store {
  /// Begins the write transaction; waits for the one writer of the file, in whatever process it is.
  ///
  /// The writer is used and ended on the calling thread.
  package func beginWrite() throws -> StoreWriter {
    guard !options.readOnly else {
      throw StorageError(.permissionDenied, "'\(path)' is open read-only.", path: path)
    }
    return try storageErrors(path) {
      let transaction = try environment.beginWrite()
      do {
        return try StoreWriter(store: self, base: try snapshot(), transaction: transaction)
      } catch {
        transaction.abort()
        throw error
      }
    }
  }
}
