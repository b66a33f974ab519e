import LarderSyncProtocol

/// A commit that is more than the server takes in one message.
struct OversizedCommit {
  let commit: SyncCommit
  private let bytes: Int
  private let site: SiteID
  private let limits: SessionLimits

  /// The last commit of a frame that the server does not take; nil for a frame that it takes.
  init?(_ commit: SyncCommit, in frame: [UInt8], _ site: SiteID, _ limits: SessionLimits) {
    if UInt64(frame.count) <= limits.frameBytes, Self.isReadable(frame, site) { return nil }
    self.commit = commit
    self.site = site
    self.limits = limits
    bytes = frame.count
  }

  /// Returns true if a server can read a frame. An item takes a byte at least, so that short ones never have too many.
  private static func isReadable(_ frame: [UInt8], _ site: SiteID) -> Bool {
    frame.count <= DecodingLimits.standard.items || (try? SyncFrame(decoding: frame, site: site)) != nil
  }

  /// All operations of the commit, as the server would refuse them.
  var operations: [RefusedOperation] {
    commit.operations.enumerated().map { index, operation in
      RefusedOperation(
        siteVersion: commit.siteVersion, operation: UInt32(index), object: operation.object, reason: .tooLarge,
        message: SyncText(RefusalReason.tooLarge.explanation))
    }
  }

  /// The failure that ends the session, for the program.
  var failure: SyncFailure {
    let message =
      "Transaction \(commit.siteVersion)\(subject) has \(bytes) bytes to send, and the server takes \(limits.frameBytes), and \(DecodingLimits.standard.items) items, at once. "
      + "It is given up, and the error writeRejected has what was written. Write less in one transaction."
    return SyncFailure(.frameTooLarge, action: .reconnect, message: SyncText(message))
  }

  /// The object of the commit that takes most of it.
  private var subject: String {
    var sizes: [ObjectName: Int] = [:]
    for operation in commit.operations {
      let alone = SyncCommit(
        siteVersion: commit.siteVersion, time: commit.time, nonce: commit.nonce, operations: [operation])
      sizes[operation.object, default: 0] += alone.encoded(site: site).count
    }
    let largest = sizes.max { ($0.value, $1.key) < ($1.value, $0.key) }
    return largest.map { ", of which '\($0.key.className)' \($0.key.key) takes most," } ?? ""
  }
}
