import LarderStorage

/// A change that an observer is notified of.
package enum ObservedChange: Sendable {
  /// The first call of a collection's observer (N-2).
  case initial
  case update(CollectionChangeSet)
  /// Properties of an observed object: columns in the order of the schema, then inverses in any order; and, of an observer of paths,
  /// those that led to a change.
  case properties([PathStep], along: [DependencyPath] = [])
  /// The observed object is deleted; the last call (N-40).
  case deleted
  /// The collection could not be brought to the new version; the last call.
  case failed(StorageError)
}

extension ObservedChange {
  /// True if nothing more will be reported.
  var isLast: Bool {
    switch self {
    case .deleted, .failed: true
    default: false
    }
  }
}

extension StorageError {
  /// Makes the error that an observer is notified of from an error of any kind.
  init(observing error: any Error) {
    self = error as? StorageError ?? StorageError(.internalError, "An observation failed: \(error)")
  }
}
