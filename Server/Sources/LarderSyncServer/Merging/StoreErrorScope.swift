/// The extent of an error of the store: the attempt, the whole store, or the batch.
enum StoreErrorScope: Sendable {
  /// The transaction may be tried again.
  case attempt
  /// The store as a whole: nothing can be merged now.
  case store
  /// The content of the batch.
  case batch
}

extension SyncStoreError.Kind {
  /// The extent of the error, when an append throws it.
  var scope: StoreErrorScope {
    switch self {
    case .conflict, .unavailable, .timedOut: .attempt
    case .invalidLocation, .cannotConnect, .noPermission, .notMigrated, .newerVersion, .full, .commitUnknown, .closed:
      .store
    case .invalidValue, .damaged, .refused: .batch
    }
  }

  /// True if the written content may be the cause. Damaged rows are the server's, and devices keep what concerns them.
  var mayBeOfContent: Bool { self == .refused || self == .invalidValue }
}
