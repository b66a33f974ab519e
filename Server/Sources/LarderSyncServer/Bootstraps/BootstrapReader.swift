import LarderSyncProtocol

/// Reads what bootstraps send, each piece in one short transaction that sees one state of the store.
struct BootstrapReader: Sendable {
  let store: any SyncStore
  /// The largest number of objects that are read at once.
  let pageObjects: Int
  /// About how many bytes the objects of a page may have.
  let pageBytes: Int

  private static let logPiece = 500
  private static let logBytes = 4 << 20

  /// Begins a bootstrap.
  ///
  /// - Parameters:
  ///   - version: How far the device's stream has come; not used for a full bootstrap.
  ///   - nonce: The random number of the commit at that version, as the session knows it.
  ///   - old: The view that the device has; nil when it needs everything.
  /// - Throws: `BootstrapFailure`, and as `SyncStore.read`.
  func begin(
    _ scope: BootstrapScope, at version: UInt64, nonce: UInt64? = nil, from old: SyncView?, to new: SyncView
  ) async throws -> Bootstrap {
    try await store.read { reading in
      let head = try Self.head(reading, scope)
      let start = old == nil ? UInt64(clamping: head.head) : version
      let anchors = try LogAnchors(reading, head, at: [Int64(clamping: start)])
      guard old == nil || anchors.agree(version, nonce) else { throw BootstrapFailure.logIsAnother }
      let startNonce = anchors.nonces[Int64(clamping: start)]
      let own = try Self.ownSiteVersion(reading, scope)
      let classes = Bootstrap.classes(from: old, to: new, in: scope.schema)
      var estimate = ObjectTotals()
      for name in classes {
        let views = Bootstrap.views(of: name, old, new)
        guard !views.isEmpty else { continue }
        estimate += try reading.totals(
          scope.tenant, scope.part, className: name.string, filter: QueryFilter(views))
      }
      let time = SyncTime(rawValue: head.maxTime)
      guard let old else {
        return Bootstrap(
          scope, from: nil, to: new, start: start, startNonce: startNonce, ownAtStart: own, time: time,
          estimate: estimate, touched: nil)
      }
      var touched = TouchedObjects(since: version, old: old, site: scope.site, classes: classes)
      try Self.note(&touched, reading, scope, through: head)
      return Bootstrap(
        scope, from: old, to: new, start: start, startNonce: startNonce,
        ownAtStart: touched.firstOwn.map { $0 - 1 } ?? own, time: time, estimate: estimate, touched: touched)
    }
  }

  /// Returns true if the content of a view takes fewer bytes than the log after a version, which takes more than `least`. False for a device that has
  /// commits of its own there: what became of them is in the log alone.
  ///
  /// - Throws: as `SyncStore.read`.
  func isStateShorter(
    _ scope: BootstrapScope, thanLogAfter version: UInt64, least: Int, for view: SyncView
  ) async throws -> Bool {
    try await store.read { reading in
      let from = Int64(clamping: version)
      if let own = try reading.lastChange(scope.tenant, scope.part, of: SiteKey(scope.site)), own > from {
        return false
      }
      let history = try reading.changeBytes(scope.tenant, scope.part, after: from)
      guard history > least else { return false }
      var state = ObjectTotals()
      for name in view.classes.keys {
        let views = Bootstrap.views(of: name, nil, view)
        if views.isEmpty { continue }
        state += try reading.totals(
          scope.tenant, scope.part, className: name.string, filter: QueryFilter(views))
      }
      return state.bytes < UInt64(history)
    }
  }

  /// The next pages of a bootstrap, which are of one range and at one version, and the bootstrap after them; nil when there are no more.
  ///
  /// - Throws: as `begin`.
  func pages(_ bootstrap: Bootstrap) async throws -> (pages: [BootstrapPage], after: Bootstrap)? {
    guard let (className, after) = bootstrap.next else { return nil }
    let limit = limit(bootstrap.estimate)
    return try await store.read { [pageBytes] reading in
      var bootstrap = bootstrap
      let scope = bootstrap.scope
      let head = try Self.head(reading, scope)
      let version = UInt64(clamping: head.head)
      let anchors = try LogAnchors(reading, head, at: [Int64(clamping: bootstrap.newestPage), head.head])
      guard anchors.agree(bootstrap.newestPage, bootstrap.newestNonce) else { throw BootstrapFailure.logIsAnother }
      if var touched = bootstrap.touched {
        try Self.note(&touched, reading, scope, through: head)
        bootstrap.touched = touched
      }
      let range = try Self.range(reading, bootstrap, className, after: after, limit: limit)
      let pages = PageSplitter(
        className: className, after: after, through: range.through, version: version,
        ownSiteVersion: try Self.ownSiteVersion(reading, scope)
      ).pages(range.objects, bytes: pageBytes)
      bootstrap.advance(
        through: range.through, version: version, nonce: anchors.nonces[head.head],
        time: SyncTime(rawValue: head.maxTime))
      return (pages, bootstrap)
    }
  }

  /// Fewer objects at once when they are large.
  private func limit(_ estimate: ObjectTotals) -> Int {
    guard estimate.objects > 0 else { return pageObjects }
    let average = max(1, estimate.bytes / estimate.objects)
    return min(pageObjects, max(1, Int(clamping: UInt64(pageBytes) * 4 / average)))
  }

  // MARK: - Within a transaction

  private static func head(_ reading: any SyncReading, _ scope: BootstrapScope) throws -> PartRecord {
    guard let head = try reading.heads([(scope.tenant, scope.part)]).first, head.epoch == scope.epoch else {
      throw BootstrapFailure.logIsAnother
    }
    return head
  }

  private static func ownSiteVersion(_ reading: any SyncReading, _ scope: BootstrapScope) throws -> UInt64 {
    UInt64(clamping: try reading.client(scope.tenant, SiteKey(scope.site))?.lastSiteVersion ?? 0)
  }

  private static func note(
    _ touched: inout TouchedObjects, _ reading: any SyncReading, _ scope: BootstrapScope, through head: PartRecord
  ) throws {
    guard touched.through >= UInt64(clamping: head.floor) else { throw BootstrapFailure.logIsAnother }
    while touched.through < UInt64(clamping: head.head) {
      let commits = try reading.commits(
        scope.tenant, scope.part, after: Int64(clamping: touched.through), limit: logPiece, bytes: logBytes)
      guard !commits.isEmpty else { throw BootstrapFailure.logIsAnother }
      for commit in commits { touched.note(commit) }
    }
  }

  private static func range(
    _ reading: any SyncReading, _ bootstrap: Bootstrap, _ className: SyncText, after: PrimaryKey?, limit: Int
  ) throws -> (objects: [PageSplitter.Item], through: PrimaryKey?) {
    let scope = bootstrap.scope
    let views = Bootstrap.views(of: className, bootstrap.old, bootstrap.new)
    let request = ObjectPageRequest(
      className: className.string, after: after.map(OrderedKey.bytes), limit: limit, filter: QueryFilter(views))
    // A class that is in no view has one page without objects.
    let records = views.isEmpty ? [] : try reading.objectPage(scope.tenant, scope.part, request)
    var items: [ObjectName: PageSplitter.Item] = [:]
    for record in records {
      let object = try ObjectName(record.key)
      items[object] = PageSplitter.Item(
        object: object, delta: bootstrap.delta(object, try ObjectState(record)), bytes: record.body.count)
    }
    let through = records.count < limit ? nil : try records.last.map { try ObjectName($0.key).key }
    let missing = bootstrap.touched?.names(of: className, after: after, through: through).filter { items[$0] == nil }
    if let missing, !missing.isEmpty {
      let states = try reading.states(scope.tenant, scope.part, of: missing)
      for object in missing {
        let delta = bootstrap.delta(object, states[object] ?? ObjectState())
        items[object] = PageSplitter.Item(object: object, delta: delta, bytes: 32)
      }
    }
    return (items.values.sorted { $0.object < $1.object }, through)
  }
}
