import LarderSyncProtocol

/// The state of a device's session: what was sent, what was asked for, and how much more may be sent.
struct SessionState: Sendable {
  let site: SiteID
  let limits: SessionLimits
  /// The last commit that was sent.
  var sentThrough: UInt64
  /// The last commit of each upload that the server has not confirmed.
  private(set) var uploads: [UInt64] = []
  /// Bytes that may still be sent. A frame may be sent while there are any, so that one that is larger than all of them is sent too.
  private(set) var credit: Int64
  /// Bytes that were taken from the server, and of which it has not been given credit again.
  private var taken: UInt64 = 0
  /// Frames that wait for credit.
  private var waiting: [[UInt8]] = []
  /// The reasons why uploads wait.
  private var holds: UploadHolds = []
  /// The version of the subscriptions that was sent last.
  var subscribed: UInt64?
  /// True if the server has not answered that version yet.
  var isSubscribing = false
  /// True if a bootstrap has begun and is not applied.
  var isBootstrapping = false
  /// Bootstraps of this session that are applied.
  private(set) var bootstraps = 0
  /// The last mark that was asked for.
  private(set) var lastMark: UInt64 = 0
  /// The mark after which a set of subscriptions without an answer is accepted.
  var subscriptionMark: UInt64 = 0
  /// The number of bootstraps that were applied when a mark was asked for, by the mark, which has not come.
  private var marks: [UInt64: Int] = [:]

  init(site: SiteID, limits: SessionLimits, sentThrough: UInt64) {
    self.site = site
    self.limits = limits
    self.sentThrough = sentThrough
    credit = Int64(clamping: limits.credit)
  }

  // MARK: - Credit

  /// Puts a frame at the end of those that are sent as soon as there is credit.
  mutating func enqueue(_ frame: [UInt8]) { waiting.append(frame) }

  /// True if frames wait for credit.
  var isBlocked: Bool { !waiting.isEmpty }

  /// The frames that may be sent now.
  mutating func takeFrames() -> [[UInt8]] {
    var count = 0
    while count < waiting.count, credit > 0 {
      credit -= Int64(waiting[count].count)
      count += 1
    }
    defer { waiting.removeFirst(count) }
    return Array(waiting[..<count])
  }

  mutating func addCredit(_ bytes: UInt64) {
    let (sum, overflow) = credit.addingReportingOverflow(Int64(clamping: bytes))
    credit = overflow ? .max : sum
  }

  /// Notes a frame that was dealt with; the credit to give for it and those before, if it is enough for a message.
  mutating func took(_ bytes: Int) -> UInt64? {
    taken += UInt64(bytes)
    guard taken >= max(1, limits.credit / 4) else { return nil }
    defer { taken = 0 }
    return taken
  }

  // MARK: - Uploads

  private struct UploadHolds: OptionSet {
    let rawValue: UInt8
    static let paused = UploadHolds(rawValue: 1)
    static let schema = UploadHolds(rawValue: 2)

    subscript(hold: UploadHolds) -> Bool {
      get { contains(hold) }
      set { if newValue { insert(hold) } else { remove(hold) } }
    }
  }

  /// True if the server wants the device to wait with uploads.
  var isPaused: Bool {
    get { holds[.paused] }
    set { holds[.paused] = newValue }
  }

  /// True if the server has yet to say which classes it has, because it may not have all of the device's (Y-49).
  var awaitsSchema: Bool {
    get { holds[.schema] }
    set { holds[.schema] = newValue }
  }

  /// True if another upload may be sent.
  var mayUpload: Bool {
    holds.isEmpty && !isBlocked && uploads.count < max(1, Int(limits.uploadsInFlight))
  }

  mutating func sent(through siteVersion: UInt64) {
    sentThrough = siteVersion
    uploads.append(siteVersion)
  }

  mutating func acknowledged(through siteVersion: UInt64) { uploads.removeAll { $0 <= siteVersion } }

  /// Sends everything again that was not confirmed, later.
  mutating func pause(acknowledged: UInt64) {
    isPaused = true
    uploads = []
    sentThrough = acknowledged
  }

  // MARK: - Marks

  /// A number for a mark that is asked for now.
  mutating func askMark() -> UInt64 {
    lastMark += 1
    marks[lastMark] = bootstraps
    return lastMark
  }

  /// Takes a mark that came. Returns true if everything that the server had when the mark was asked for is here: with a bootstrap in between, that is
  /// not known.
  mutating func takeMark(_ number: UInt64) -> Bool {
    marks.removeValue(forKey: number) == bootstraps && !isBootstrapping
  }

  mutating func finishedBootstrap() {
    bootstraps += 1
    isBootstrapping = false
  }
}
