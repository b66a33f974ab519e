/// A device's side of synchronisation: which commits wait, what the server said last, and how that becomes the content of a store.
///
/// It is a value without clock, network or file. Its caller keeps it in one transaction with the store, hands over the store's own commits in
/// order before anything else, and applies what the server sends.
public struct Device<Store: DeviceStore> {
  var replica: Replica<Store>
  /// The site of the device.
  public private(set) var site: SiteID
  /// The version up to which the server's log is applied; nil while everything is needed again (MR-18).
  public private(set) var cursor: UInt64?
  /// The epoch of the server's log.
  public private(set) var epoch: UInt64 = 0
  /// The view that the device has; nil for none.
  public private(set) var view: ViewTag?
  /// The newest time seen: the store's next commit must be later.
  public private(set) var newestTime = SyncTime(rawValue: 0)
  /// The last of the site's commits.
  public private(set) var lastSiteVersion: UInt64 = 0
  /// The last of them that the server has confirmed.
  public internal(set) var acknowledged: UInt64 = 0
  /// Objects that are in the device's view at the cursor.
  public private(set) var inView: Set<ObjectName> = []
  /// In place of `inView` in a device that was restored: objects that are there or wait and are not in the view.
  var outside: ViewExceptions?
  private(set) var skips: [PageRange] = []
  private var pages: [BootstrapPage] = []
  var research: ResearchRules = [] {
    didSet { replica.research = research }
  }

  /// A device that has never spoken with the server.
  public init(site: SiteID, store: Store) {
    self.site = site
    replica = Replica(store: store)
  }

  /// A device as it was when the parts were handed out. The store keeps the details of objects, and is asked for them.
  init(_ head: DeviceHead, pending: PendingOperations, outside: ViewExceptions, store: Store) {
    replica = Replica(store: store, keepsDetailsInStore: true)
    replica.pending = pending
    self.outside = outside
    site = head.site
    cursor = head.cursor
    epoch = head.epoch
    view = head.view
    newestTime = head.newestTime
    lastSiteVersion = head.lastSiteVersion
    acknowledged = head.acknowledged
    skips = head.skips
  }

  /// The store.
  public var store: Store {
    get { replica.store }
    _modify { yield &replica.store }
  }

  /// Returns true if operations on an object wait.
  public func isWaiting(_ object: ObjectName) -> Bool { replica.pending.isWaiting(object) }

  /// True if everything that a bootstrap brought is consistent: changes after it, up to its last page, are applied.
  public var isComplete: Bool {
    guard let cursor else { return false }
    return skips.allSatisfy { $0.version <= cursor }
  }

  /// Takes a transaction of the store.
  ///
  /// It throws `DeviceError` when the log is not what the device knows of the store: then it has to be reset.
  public mutating func replay(_ commit: LocalCommit) throws {
    if let outside {
      let new = outside.newObjects(of: commit) { replica.pending.isWaiting($0) }
      for object in new { self.outside?.insert(object) }
    }
    try replica.replay(commit, site: site, siteVersion: lastSiteVersion + 1)
    lastSiteVersion += 1
    newestTime = max(newestTime, commit.time)
  }

  /// The commits to upload after one of them; none while everything is needed again (MR-18).
  public func uploads(after siteVersion: UInt64) -> ArraySlice<SyncCommit> {
    guard cursor != nil else { return [] }
    let commits = replica.pending.commits
    return commits[(commits.firstIndex { $0.siteVersion > siteVersion } ?? commits.endIndex)...]
  }

  /// The server has made commits durable. They go on to wait for their markers (MR-1).
  public mutating func acknowledge(through siteVersion: UInt64) {
    acknowledged = max(acknowledged, siteVersion)
    if research.contains(.maskEndsAtAcknowledgement) { replica.pending.take(through: siteVersion) }
  }

  mutating func become(_ site: SiteID, lastSiteVersion: UInt64) {
    self.site = site
    self.lastSiteVersion = lastSiteVersion
  }

  mutating func loseCursor() {
    cursor = nil
    view = nil
    skips = []
  }

  /// Forgets commits that no older server can need again, up to one that has its marker.
  public mutating func release(through siteVersion: UInt64) {
    replica.pending.release(through: min(siteVersion, acknowledged))
  }
}

// The stream.
extension Device {
  /// Applies a record of the server's log. Records that were applied are skipped.
  public mutating func apply(_ record: DownloadRecord) {
    guard let cursor, record.version > cursor else { return }
    var touched = Set(record.objects.map(\.object))
    if let own = record.own { touched.formUnion(settle(own, record)) }
    for delta in record.objects where record.version > skipped(delta.object) { apply(delta, record) }
    for object in touched { removeUnlessWanted(object) }
    newestTime = max(newestTime, record.time)
    advance(to: record.version)
  }

  /// Notes that the log up to a version has nothing more for the device.
  public mutating func advance(to version: UInt64) {
    guard let cursor, version > cursor else { return }
    self.cursor = version
    skips.removeAll { $0.version <= version }
  }

  private func skipped(_ object: ObjectName) -> UInt64 {
    if research.contains(.pagesSkipNothing) { return 0 }
    return skips.reduce(0) { $1.contains(object) ? max($0, $1.version) : $0 }
  }

  /// Ends the wait of a commit's operations; the objects that it names.
  private mutating func settle(_ marker: OwnMarker, _ record: DownloadRecord) -> Set<ObjectName> {
    guard let commit = replica.pending.commit(marker.siteVersion) else { return [] }
    let corrected = Set(record.objects.map(\.object))
    var objects: Set<ObjectName> = []
    for (index, operation) in commit.operations.enumerated() {
      let isSettled = replica.pending.take(
        PendingOperations.Key(siteVersion: marker.siteVersion, index: index), operation.object)
      guard record.version > skipped(operation.object) else { continue }
      objects.insert(operation.object)
      if isSettled { replica.integrate(operation, marker.result(of: index)) }
      // The server says so when an object that the device changed is not in its view.
      if !corrected.contains(operation.object), replica.store.contains(operation.object) || isWaiting(operation.object)
      {
        enterView(operation.object)
      }
    }
    return objects
  }

  private mutating func apply(_ delta: ObjectDelta, _ record: DownloadRecord) {
    switch delta.change {
    case .cells(let deltas): replica.apply(deltas, to: delta.object, time: record.time, origin: record.site)
    case .columns(let properties):
      enterView(delta.object)
      replica.rebuild(columns: properties, of: delta.object)
    case .whole(let properties):
      enterView(delta.object)
      replica.rebuild(delta.object, properties, reanchors: false)
    case .gone: leave(delta.object)
    }
  }

  /// An object leaves the view. A creation that waits begins with nothing then: the server may have forgotten what was there before.
  private mutating func leave(_ object: ObjectName) {
    leaveView(object)
    let creates = replica.pending.edits(object).contains { if case .create = $0 { true } else { false } }
    if creates { replica.rebuild(object, nil, reanchors: false) }
  }

  /// Removes an object that is outside the view once nothing waits for it (MR-20).
  private mutating func removeUnlessWanted(_ object: ObjectName) {
    guard !isInView(object), !isWaiting(object) else { return }
    if replica.store.contains(object) {
      replica.setShadow(object, nil)
      replica.store.replace(object, with: nil)
    }
    outside?.remove(object)
  }

  /// Returns true if an object that is there, or waits, is in the view.
  private func isInView(_ object: ObjectName) -> Bool {
    outside.map { !$0.contains(object) } ?? inView.contains(object)
  }

  private mutating func enterView(_ object: ObjectName) {
    if outside != nil { outside?.remove(object) } else { inView.insert(object) }
  }

  mutating func leaveView(_ object: ObjectName) {
    if outside != nil { outside?.insert(object) } else { inView.remove(object) }
  }
}

// Bootstraps.
extension Device {
  /// Keeps a page until the end of its bootstrap.
  public mutating func stage(_ page: BootstrapPage) { pages.append(page) }

  /// Forgets staged pages: the connection ended before they were complete.
  public mutating func dropPages() { pages = [] }

  /// Applies the staged pages, and goes on with the log after them (MR-5).
  public mutating func finish(_ end: BootstrapEnd) {
    for page in pages { apply(page, isFull: end.isFull) }
    pages = []
    complete(end)
  }

  /// Goes on with the log after a bootstrap, all pages of which are applied (MR-5).
  public mutating func complete(_ end: BootstrapEnd) {
    if !research.contains(.pagesKeepPending) { replica.pending.take(through: end.ownSiteVersion) }
    cursor = end.version
    epoch = end.epoch
    view = end.view
    newestTime = max(newestTime, end.time)
    acknowledged = max(acknowledged, end.ownSiteVersion)
  }

  /// Applies a page of a bootstrap that has arrived whole. Transactions of the store may come in between pages; records may not before
  /// `complete`.
  public mutating func apply(_ page: BootstrapPage, isFull: Bool) {
    let range = PageRange(page)
    PageRange.append(range, to: &skips)
    if !research.contains(.pagesKeepPending) {
      for object in replica.pending.objects where range.contains(object) {
        replica.pending.take(through: page.ownSiteVersion, object)
      }
    }
    for delta in page.objects {
      if case .whole(let properties) = delta.change {
        enterView(delta.object)
        replica.rebuild(delta.object, properties, reanchors: isFull)
      } else {
        leave(delta.object)
        removeUnlessWanted(delta.object)
      }
    }
    guard isFull else { return }
    let listed = Set(page.objects.map(\.object))
    let waiting = Set(replica.pending.objects.filter(range.contains))
    let present = replica.store.objects(of: page.className, after: page.after, through: page.through)
    for object in inView.filter(range.contains).union(present).union(waiting) where !listed.contains(object) {
      leaveView(object)
      if waiting.contains(object) { replica.rebuild(object, nil, reanchors: true) }
      removeUnlessWanted(object)
    }
  }
}
