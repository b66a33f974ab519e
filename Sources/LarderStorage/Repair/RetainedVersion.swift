import LarderLMDB
import LarderLocks

/// An older version of a store, copied from pages of the file that no commit has used again into a file that can be opened.
///
/// LMDB keeps the pages of the version before the newest one that is read, and of all versions since the oldest that any process reads, but
/// opens the newest alone.
package final class RetainedVersion {
  /// The path of the copy, as long as this object lives. The copy is encrypted as the store is.
  package var path: String { file.path }
  private let file: UnfinishedFile

  private init(_ file: consuming UnfinishedFile) { self.file = file }

  /// Copies a version; nil where its pages may have been used again. Reads the pages of that version, and looks for its first one in the
  /// whole file unless it is the last but one.
  ///
  /// - Parameter base: Beside which the copy is made, for as long as it is needed. It is not made durable.
  /// - Throws: what reading and writing throw; `Interruption.Stopped`.
  package static func copy(_ version: UInt64, of snapshot: Snapshot, beside base: String) throws -> RetainedVersion? {
    let store = snapshot.store
    return try storageErrors(base) {
      guard let keeper = try keeper(of: version, snapshot),
        // Without another reader only the last but one is kept: an older page that looks like its first one is not.
        var pages = try PageRepair(
          path: store.path, tables: StoreLayout.tables, clock: StoreLayout.log, version: version,
          scans: keeper == .otherReader)
      else { return nil }
      let file = try UnfinishedFile(for: base)
      var options = StoreLayout.environmentOptions
      options.durability = .none
      let copy = RepairCopy(try Environment.open(path: file.path, options: options))
      let interruption = Interruption.current
      try pages.readTrees {
        try interruption?.check()
        try copy.take($0, $1, $2)
      }
      try copy.flush()
      // A reader that ended on the way has given its pages to the next commit.
      guard pages.faultCount == 0, try self.keeper(of: version, snapshot) == keeper else { return nil }
      return RetainedVersion(file)
    }
  }

  /// The user that keeps the pages of a version from being used again.
  private enum Keeper {
    case snapshot, otherReader
  }

  /// Nil where pages of a version may have been used again.
  private static func keeper(of version: UInt64, _ snapshot: Snapshot) throws -> Keeper? {
    let newest = snapshot.transaction.transactionID
    guard version < snapshot.version, newest > snapshot.version - version else { return nil }
    // Every commit raises both counters by one.
    let wanted = newest - (snapshot.version - version)
    let environment = snapshot.store.environment
    try environment.clearDeadReaders()
    if try environment.readerTable().contains(where: { $0.transactionID.map { $0 <= wanted } ?? false }) {
      return .otherReader
    }
    return wanted == newest - 1 ? .snapshot : nil
  }
}
