import LarderSyncProtocol

/// A bootstrap between its pages: how a device gets from one view to another.
///
/// A full one has everything that is in the new view as it is, for a device that needs everything. One that is not full begins where the
/// device's stream stopped, is of the classes in which the views differ alone, and says what comes and goes; the other classes go on with the
/// log from there. A value; pages are read by `BootstrapReader`.
struct Bootstrap: Sendable {
  let scope: BootstrapScope
  /// The view at the end.
  let new: SyncView
  /// The view at the beginning; nil for a full bootstrap.
  let old: SyncView?
  /// The version after which records follow it.
  private(set) var start: UInt64
  /// The random number of the commit at that version; nil where there is none.
  private(set) var startNonce: UInt64?
  /// The device's last commit at that version.
  private(set) var ownAtStart: UInt64
  /// The newest time of the log when its last page was read: nothing in its pages is newer.
  private(set) var time: SyncTime
  /// About how much is to come.
  let estimate: ObjectTotals
  /// The objects that were touched since the start; nil in a full bootstrap, whose pages say all there is.
  var touched: TouchedObjects?
  /// The newest version that a page was read at.
  private(set) var newestPage: UInt64
  /// The random number of the commit at that version.
  private(set) var newestNonce: UInt64?
  private var classes: ArraySlice<SyncText>
  private var after: PrimaryKey?

  init(
    _ scope: BootstrapScope, from old: SyncView?, to new: SyncView, start: UInt64, startNonce: UInt64? = nil,
    ownAtStart: UInt64,
    time: SyncTime, estimate: ObjectTotals, touched: TouchedObjects?
  ) {
    self.scope = scope
    self.old = old
    self.new = new
    self.start = start
    self.startNonce = startNonce
    self.ownAtStart = ownAtStart
    self.time = time
    self.estimate = estimate
    self.touched = touched
    newestPage = start
    newestNonce = startNonce
    classes = Self.classes(from: old, to: new, in: scope.schema)[...]
  }

  /// The classes that have pages. In a full bootstrap these are all, because a device drops what is in no page only within their ranges.
  static func classes(from old: SyncView?, to new: SyncView, in schema: SyncSchema) -> [SyncText] {
    guard let old else { return schema.classes.filter { $0.kind == .object }.map(\.name) }
    return new.classes(differingFrom: old)
  }

  /// The views of a class that may have objects.
  static func views(of className: SyncText, _ old: SyncView?, _ new: SyncView) -> [ClassView] {
    [old?.classes[className], new.classes[className]].compactMap { $0 }.filter { $0.rule != .nothing }
  }

  var isFull: Bool { old == nil }

  /// The token that the device gives back to continue the bootstrap.
  var token: BootstrapToken {
    BootstrapToken(
      epoch: scope.epoch, start: start, nonce: startNonce, ownAtStart: ownAtStart, schema: scope.schema.version,
      isFull: isFull)
  }

  /// Goes on after the pages that the device keeps, from the version at which they began: each page holds at its own version, whatever session
  /// it came in. False, without a change, when that was another bootstrap.
  mutating func resume(_ kept: KeptBootstrap) -> Bool {
    guard kept.token.isFull == isFull, kept.token.schema == scope.schema.version,
      isFull || kept.token.start == start, let index = classes.firstIndex(of: kept.position.className)
    else { return false }
    start = kept.token.start
    startNonce = kept.token.nonce
    ownAtStart = kept.token.ownAtStart
    after = kept.position.through
    classes = classes[(after == nil ? index + 1 : index)...]
    return true
  }

  /// The class and the key after which the next page begins; nil when all pages were read.
  var next: (className: SyncText, after: PrimaryKey?)? { classes.first.map { ($0, after) } }

  /// Notes that a page was read at a version with its newest time, up to a key; nil for the rest of its class.
  mutating func advance(through key: PrimaryKey?, version: UInt64, nonce: UInt64? = nil, time: SyncTime) {
    if version >= newestPage { newestNonce = nonce }
    newestPage = max(newestPage, version)
    self.time = max(self.time, time)
    after = key
    if key == nil { classes = classes.dropFirst() }
  }

  /// Returns what a page says of an object as it is now; nil for nothing.
  func delta(_ object: ObjectName, _ state: ObjectState) -> ObjectDelta? {
    let summary = scope.summary(of: state, object)
    let isIn = new.contains(object, summary)
    let mayHave: Bool
    if let old {
      if let touched = touched?.mayHave(object) {
        if isIn { return ObjectDelta(object, .whole(state.properties())) }
        mayHave = touched
      } else {
        mayHave = old.contains(object, summary)
      }
    } else {
      mayHave = false
    }
    if isIn == mayHave { return nil }
    return ObjectDelta(object, isIn ? .whole(state.properties()) : .gone)
  }
}
