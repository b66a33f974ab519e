/// The random numbers that the log has at some versions, as of one moment, and what a claim about such a version is worth.
struct LogAnchors: Hashable, Sendable {
  /// The random numbers by version. A version that the log has no longer is missing.
  var nonces: [Int64: UInt64]
  /// The last version that was removed from the log. Its row stays for comparison, except in stores that were trimmed by earlier servers.
  var floor: Int64

  /// No versions, of a log that was never trimmed.
  init(nonces: [Int64: UInt64] = [:], floor: Int64 = 0) {
    self.nonces = nonces
    self.floor = floor
  }

  /// The anchors of a part at some versions, read in a transaction.
  init(_ reading: any SyncReading, _ part: PartRecord, at versions: [Int64]) throws(SyncStoreError) {
    self.init(nonces: try reading.nonces(part.tenant, part.part, at: versions), floor: part.floor)
  }

  /// Returns true unless the log has another commit at a version than the one with a random number, or none.
  ///
  /// Nothing is known against version 0, a claim without a number, and the floor of a log whose row is not kept.
  func agree(_ version: UInt64, _ nonce: UInt64?) -> Bool {
    guard let nonce, version > 0 else { return true }
    let version = Int64(clamping: version)
    return nonces[version].map { $0 == nonce } ?? (version == floor)
  }
}
