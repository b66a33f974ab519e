import LarderSyncProtocol

/// The commits of a device that the server has not confirmed, counted again only when they are others.
struct UnsentCommits: Sendable {
  private(set) var commits = 0
  private(set) var bytes = 0
  private(set) var oldest: UInt64?
  private var counted: (last: UInt64, acknowledged: UInt64, site: SiteID)?

  /// Bytes of an operation, about.
  private static let operationSize = 40

  mutating func update(_ device: Device<StoreReplica>) {
    let (last, acknowledged) = (device.lastSiteVersion, device.acknowledged)
    if let counted, counted == (last, acknowledged, device.site) { return }
    counted = (last, acknowledged, device.site)
    let unsent = device.keptCommits.suffix(Int(clamping: last - min(acknowledged, last)))
    commits = unsent.count
    bytes = unsent.reduce(0) { $0 + $1.operations.count * Self.operationSize }
    oldest = unsent.first?.time.milliseconds
  }
}

extension RetainedCommits {
  /// At most so many of them: the newest that are acknowledged, and the oldest of the others.
  func atMost(_ most: Int, acknowledged: UInt64) -> RetainedCommits {
    guard nonces.count > most else { return self }
    // What the server has acknowledged may be any number.
    let known = acknowledged < first ? 0 : Int(min(acknowledged - first, UInt64(nonces.count - 1))) + 1
    let start = min(max(0, known - most / 2), nonces.count - most)
    return RetainedCommits(first: first + UInt64(start), nonces: Array(nonces[start..<(start + most)]))
  }
}
