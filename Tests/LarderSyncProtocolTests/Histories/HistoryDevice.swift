@testable import LarderSyncProtocol

/// A device with its store, its log, its clock, and the connection that it has.
struct HistoryDevice {
  /// A message on its way. Connections keep their messages in order; what an ended connection still had may arrive or not.
  enum Upstream {
    case commit(SyncCommit, session: UInt64, site: SiteID, seen: UInt64)
  }

  enum Downstream {
    case acknowledgement(UInt64)
    case record(DownloadRecord)
    case mark(UInt64)
    case page(BootstrapPage)
    case end(BootstrapEnd)
  }

  /// The server's state of a connection.
  struct Session {
    var id: UInt64
    /// The last version that was sent.
    var sent: UInt64
    var view: HistoryView?
    var bootstrap: Bootstrap?
  }

  /// A bootstrap between its pages.
  struct Bootstrap {
    var start: UInt64
    var ownThrough: UInt64
    /// The newest time of the log when the last page was read.
    var time: SyncTime
    var since: UInt64
    var isFull: Bool
    var old: HistoryView?
    var new: HistoryView
    var pages: [(after: Int64?, through: Int64?)]
  }

  var device: Device<PlainStore>
  /// Transactions of the store that the device has not taken yet, and what the device had applied when they were made.
  var log: [LocalCommit] = []
  /// The version that was applied when a commit was made, by nonce.
  var seen: [UInt64: UInt64] = [:]
  var clock: Int64 = 0
  var time = SyncTime(rawValue: 0)
  var subscriptions = 0
  var session: Session?
  var uploadedThrough: UInt64 = 0
  var up: [Upstream] = []
  var down: [Downstream] = []
  /// The messages that still arrive of ended connections.
  var late: [Upstream] = []

  /// The version up to which the device has seen what became of an object; 0 for one outside of its view.
  func seenVersion(of object: ObjectName) -> UInt64 {
    guard device.inView.contains(object), let cursor = device.cursor else { return 0 }
    return device.skips.reduce(cursor) { $1.contains(object) ? max($0, $1.version) : $0 }
  }

  /// Takes the store's transactions, as before every exchange.
  mutating func replay() throws {
    for commit in log { try device.replay(commit) }
    log = []
  }
}
