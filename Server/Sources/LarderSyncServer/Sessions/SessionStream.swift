import LarderSyncProtocol

/// The progress of a session with what it sends. A value.
struct SessionStream: Sendable {
  /// A number that comes back once the log up to a version is sent.
  struct Mark: Hashable, Sendable {
    let number: UInt64
    let version: UInt64
  }

  /// The version up to which the device has been sent what concerns it.
  private(set) var sent: UInt64 = 0
  /// The random number of the commit at that version; nil where it is not known.
  private(set) var nonce: UInt64?
  /// The version that the device knows it has.
  private(set) var announced: UInt64 = 0
  /// The view that the device has; nil when it needs everything.
  private(set) var view: DeviceView?
  /// The view that it is to have, when that is another one.
  private(set) var wanted: DeviceView?
  var bootstrap: Bootstrap?
  /// The bootstrap that the device keeps a part of. While it may go on, nothing of the log is sent: the pages would be older than that.
  private(set) var kept: KeptBootstrap?
  /// The view that the bootstrap is for.
  private(set) var coming: DeviceView?
  /// Pages that were read and are not sent.
  var pages: ArraySlice<BootstrapPage> = []
  /// The view that the device had when it greeted: it may come back with it again.
  private let confirmed: DeviceView?
  private var completeAt: UInt64 = 0
  private var marks: [Mark] = []
  /// True if the session has compared the size of the state with that of the log that the device lacks.
  var hasComparedState = false

  /// With so many versions without a record, the device is sent an empty one.
  private static let longestSilence: UInt64 = 1_000

  /// A stream to a device at a position; nil for one that needs everything.
  ///
  /// - Parameters:
  ///   - nonce: The random number of the commit at the position.
  ///   - head: The log's last version. The pages that the device has of earlier connections are of no later one.
  init(_ position: (version: UInt64, view: DeviceView)?, nonce: UInt64? = nil, head: UInt64) {
    confirmed = position?.view
    view = position?.view
    sent = position?.version ?? 0
    self.nonce = nonce
    announced = sent
    completeAt = position == nil ? 0 : head
  }

  /// The device keeps a part of a bootstrap.
  mutating func keep(_ kept: KeptBootstrap?) { self.kept = kept }

  /// The device has asked for a view: where that is the one it has, nothing goes on.
  mutating func subscribe(_ other: DeviceView) {
    want(other)
    if wanted == nil { kept = nil }
  }

  /// The bootstrap that the device keeps a part of, if it leads to a view; it is of no use for others.
  mutating func takeKept(for tag: ViewTag) -> KeptBootstrap? {
    defer { kept = nil }
    return kept?.position.view == tag ? kept : nil
  }

  /// The set of subscriptions that the device has, or asked for last.
  var newest: DeviceView? { wanted ?? coming ?? view }

  /// The device is to have another view.
  mutating func want(_ other: DeviceView) {
    let next = coming ?? view
    wanted = next?.tag == other.tag ? nil : other
  }

  /// The device is to have everything again.
  mutating func beginAgain() {
    kept = nil
    wanted = newest
    view = nil
  }

  /// A bootstrap is to begin for what is wanted: what is wanted from now on comes after it.
  mutating func prepare(_ view: DeviceView) {
    coming = view
    if wanted?.tag == view.tag { wanted = nil }
  }

  /// The bootstrap begins that was prepared.
  mutating func begin(_ bootstrap: Bootstrap) {
    self.bootstrap = bootstrap
    pages = []
  }

  /// The views that the device may have when it comes back after the end of the bootstrap.
  var possibleViews: [DeviceView] {
    var views: [DeviceView] = []
    for view in [confirmed, view, coming].compactMap({ $0 }) where !views.contains(where: { $0.tag == view.tag }) {
      views.append(view)
    }
    return views
  }

  /// The bootstrap is sent to its end.
  mutating func finish() {
    guard let bootstrap else { return }
    view = coming
    coming = nil
    sent = bootstrap.start
    nonce = bootstrap.startNonce
    announced = sent
    completeAt = max(completeAt, bootstrap.newestPage)
    self.bootstrap = nil
  }

  /// The log up to a version is sent, with the last record at one.
  mutating func advance(through version: UInt64, nonce: UInt64? = nil, lastRecord: UInt64?) {
    sent = version
    self.nonce = nonce
    if let lastRecord { announced = lastRecord }
  }

  /// True if the device has to be sent an empty record to know how far it is.
  var needsRecord: Bool {
    guard view != nil, announced < sent else { return false }
    return sent >= completeAt && announced < completeAt || sent - announced >= Self.longestSilence
      || marks.contains { $0.version <= sent }
  }

  /// The device knows that it has everything up to `sent`.
  mutating func announce() { announced = sent }

  var markCount: Int { marks.count }

  mutating func add(_ mark: Mark) { marks.append(mark) }

  /// The marks that come back now.
  mutating func takeMarks() -> [Mark] {
    guard coming == nil, wanted == nil else { return [] }
    let due = marks.filter { view == nil || $0.version <= sent }
    marks.removeAll { due.contains($0) }
    return due
  }
}
