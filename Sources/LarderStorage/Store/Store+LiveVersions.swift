/// A version of a store that something in this process still reads: its pages cannot be used again.
package struct PinnedVersion: Hashable, Sendable {
  package let version: UInt64
  /// Seconds since it was first read.
  package let age: Double
}

extension Store {
  /// The versions read in this process, the oldest first, each once.
  package func pinnedVersions() throws -> [PinnedVersion] {
    // Every commit adds one to LMDB's transaction number and to the version.
    let newest = try snapshot()
    var ages: [UInt64: Double] = [:]
    for pin in environment.liveReaders {
      guard newest.transaction.transactionID >= pin.transactionID else { continue }
      let version = newest.version - min(newest.version, newest.transaction.transactionID - pin.transactionID)
      ages[version] = max(ages[version] ?? 0, pin.age)
    }
    return ages.map { PinnedVersion(version: $0.key, age: $0.value) }.sorted { $0.version < $1.version }
  }
}
