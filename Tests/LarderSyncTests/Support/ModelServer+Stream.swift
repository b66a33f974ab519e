import LarderSyncProtocol

/// The messages that a server sends on its own.
extension ModelServer {
  static func cursor(_ version: UInt64) -> [UInt8] {
    (0..<8).reversed().map { UInt8(truncatingIfNeeded: version >> ($0 * 8)) }
  }

  /// Puts the next message into the output of a session, if there is something to say.
  mutating func speak(_ id: Int) {
    guard var session = sessions[id], let site = session.site, let wanted = session.wanted, !session.isClosed else {
      return
    }
    if session.bootstrap != nil { return sendPage(&session, id, site) }
    if session.view != wanted { return begin(&session, id, wanted, site) }
    // Pages that the device keeps would be older than these.
    if session.kept != nil { return }
    if session.sent < head { return sendRecords(&session, id, wanted, site) }
    if let mark = session.marks.first, mark.head <= session.sent {
      session.marks.removeFirst()
      sessions[id] = session
      send(.mark(mark.number), id)
    }
  }

  private mutating func begin(_ session: inout Session, _ id: Int, _ wanted: ModelView, _ site: SiteID) {
    let kept = session.kept.flatMap { $0.view == wanted.tag ? $0 : nil }
    let token = kept.flatMap { ModelToken($0.resumption) }
    session.kept = nil
    let after = kept?.through
    let isDone = kept != nil && after == nil
    let keys = objects.states.keys.map(\.key).filter { key in after.map { $0 < key } ?? true }.sorted()
    let borders = stride(from: 2, to: keys.count, by: 3).map { keys[$0] }
    let pages = zip([after] + borders.map { Optional($0) }, borders.map { Optional($0) } + [nil])
    session.bootstrap = Bootstrap(
      start: token?.start ?? head, since: session.sent, isFull: session.view == nil, old: session.view, new: wanted,
      pages: isDone || unknownClasses.contains("Item") ? [] : pages.map { (after: $0, through: $1) },
      ownThrough: token?.ownThrough ?? clients[site]?.lastSiteVersion ?? 0,
      time: merger.part.newestTime)
    sessions[id] = session
    if token != nil { continued += 1 }
    guard let bootstrap = session.bootstrap else { return }
    let resumption = ModelToken(
      epoch: merger.part.epoch, start: bootstrap.start, ownThrough: bootstrap.ownThrough, isFull: bootstrap.isFull)
    send(
      .bootstrapBegin(
        BootstrapBegin(
          view: wanted.tag, isFull: session.view == nil, objects: UInt64(keys.count), bytes: 0,
          resumption: resumption.bytes, continues: token != nil)), id)
  }

  private mutating func sendPage(_ session: inout Session, _ id: Int, _ site: SiteID) {
    guard var bootstrap = session.bootstrap else { return }
    let wanted = bootstrap.new
    if bootstrap.pages.isEmpty {
      session.bootstrap = nil
      session.view = wanted
      session.sent = bootstrap.start
      sessions[id] = session
      return send(
        .bootstrapEnd(
          BootstrapEnd(
            version: bootstrap.start, ownSiteVersion: bootstrap.ownThrough, view: wanted.tag, epoch: merger.part.epoch,
            isFull: bootstrap.isFull, time: bootstrap.time, cursor: Self.cursor(bootstrap.start))), id)
    }
    let range = bootstrap.pages.removeFirst()
    session.bootstrap = bootstrap
    sessions[id] = session
    let names = objects.states.keys.filter { name in
      name.className == "Item" && range.after.map { $0 < name.key } ?? true
        && range.through.map { name.key <= $0 } ?? true
    }
    send(
      .bootstrapPage(
        BootstrapPage(
          className: "Item", after: range.after, through: range.through, version: head,
          ownSiteVersion: clients[site]?.lastSiteVersion ?? 0,
          objects: names.compactMap { delta($0, bootstrap, wanted) })), id)
  }

  private func delta(_ object: ObjectName, _ bootstrap: Bootstrap, _ wanted: ModelView) -> ObjectDelta? {
    let state = objects[object]
    let isIn = wanted.contains(ModelRules.x(state))
    if bootstrap.isFull { return isIn ? ObjectDelta(object, .whole(state.properties())) : nil }
    let isOther = state.touchedVersion > bootstrap.since
    let wasIn = bootstrap.old?.contains(ModelRules.x(state)) ?? false
    guard isOther || isIn != wasIn else { return nil }
    return ObjectDelta(object, isIn ? .whole(state.properties()) : .gone)
  }

  private mutating func sendRecords(_ session: inout Session, _ id: Int, _ wanted: ModelView, _ site: SiteID) {
    let last = min(head, session.sent + 3)
    let records = (session.sent + 1...last).compactMap { record($0, for: site, wanted) }
    session.sent = last
    sessions[id] = session
    send(.download(Download(records: records, cursor: Self.cursor(last))), id)
  }

  private func record(_ version: UInt64, for site: SiteID, _ view: ModelView) -> DownloadRecord? {
    let entry = log[Int(version) - 1]
    let merged = entry.merged
    let isOwn = merged.site == site
    var deltas: [ObjectDelta] = []
    for touched in merged.objects {
      let transition = ViewTransition(before: view.contains(touched.before), after: view.contains(touched.after))
      let state = { entry.states[touched.object] ?? ObjectState() }
      let change =
        isOwn ? touched.changeForAuthor(for: transition, state: state) : touched.change(for: transition, state: state)
      if let change { deltas.append(ObjectDelta(touched.object, change)) }
    }
    guard isOwn || !deltas.isEmpty else { return nil }
    let marker = isOwn ? OwnMarker(siteVersion: merged.siteVersion, results: merged.results) : nil
    return DownloadRecord(version: version, time: merged.time, site: merged.site, own: marker, objects: deltas)
  }
}

/// The rules for who may write what: no object may have `x` 13.
struct ModelRules: WriteRules {
  static func x(_ state: ObjectState) -> Int64? {
    guard state.isAlive else { return nil }
    if case .int(let x) = state.value(of: "x") { return x }
    return 0
  }

  /// Nil for objects in no view: those that devices only send are in none.
  func summary(of state: ObjectState, _ object: ObjectName) -> Int64? {
    object.className == "Reading" ? nil : Self.x(state)
  }

  func refusal(of operation: SyncOperation, before state: ObjectState) -> RefusalReason? { nil }

  func looksAfter(_ operation: SyncOperation) -> Bool {
    switch operation.edit {
    case .create: true
    case .set(let path, _): path.property == "x"
    default: false
    }
  }

  func refusalAfter(_ operation: SyncOperation, _ state: ObjectState) -> RefusalReason? {
    Self.x(state) == 13 ? .objectAfter : nil
  }
}

/// The view of a device: all objects, or those with an `x` that it asks for.
struct ModelView: Hashable {
  var tag: ViewTag
  /// Nil for all.
  private var numbers: Set<Int64>?

  init(_ set: Subscribe) {
    tag = ViewTag(subscriptions: set.version, rules: 1)
    var numbers: Set<Int64> = []
    var isAll = false
    for query in set.queries {
      if let number = Self.number(query) { numbers.insert(number) } else { isAll = true }
    }
    self.numbers = isAll ? nil : numbers
  }

  private static func number(_ query: SubscribedQuery) -> Int64? {
    query.predicate.string.hasPrefix("x == ") ? Int64(query.predicate.string.dropFirst(5)) : nil
  }

  static func isBad(_ query: SubscribedQuery) -> Bool {
    query.predicate != "TRUEPREDICATE" && number(query) == nil
  }

  func contains(_ x: Int64?) -> Bool {
    guard let x else { return false }
    return numbers?.contains(x) ?? true
  }
}
