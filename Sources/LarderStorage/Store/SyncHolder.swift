import LarderLMDB

/// The choice of the holder among the processes that have a synced store open: the holder has the connection, and sends what all of them committed
/// (Y-64).
///
/// The holder holds a lock of `<file>.sync.lock`, which ends with its process. A follower asks again now and then, and is the holder once
/// it gets it; what was sent by then it finds in the store, where it is written with what came back.
package final class SyncHolder: Sendable {
  private let file: HolderFile
  private let path: String

  /// Holds nothing yet. Two values of one process are as two processes.
  package init(of store: Store) {
    path = store.path
    file = HolderFile(beside: store.path, suffix: StoreLayout.holderSuffix)
  }

  package var isHolder: Bool { file.isHeld }

  /// Becomes the holder unless there is another; returns at once. A few microseconds: may be asked every second.
  ///
  /// - Returns: Whether this is the holder now.
  /// - Throws: `.permissionDenied`, `.fileAccess` and the like for a file that cannot be made.
  package func take() throws -> Bool { try storageErrors(path) { try file.take() } }

  /// Lets another be the holder; harmless when this is none. To be called when nothing is sent any more.
  package func release() { file.release() }

  /// The process that was the holder last, for messages; nil when there was none yet.
  package var lastHolder: Int32? { file.lastHolder }
}
