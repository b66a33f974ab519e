@testable import LarderSyncProtocol
import Testing

/// A device `A`, other sites `B` and `C`, a server, and what goes between them, one thing after the other.
struct Script {
  static let siteA = SiteID(high: 0, low: 1)
  static let siteB = SiteID(high: 0, low: 2)
  static let object = ObjectName(className: "Thing", key: .string("a"))

  var a = Device(site: siteA, store: PlainStore())
  var server = HistoryServer()
  private var nonce: UInt64 = 0
  private var versions: [SiteID: UInt64] = [:]

  /// The view of the device: objects with `q` 0 or 1.
  static let view = HistoryView(
    tag: ViewTag(subscriptions: 1, rules: 0), subscribed: [0, 1], readable: [0, 1, 2, 3])

  init() { finish(full: true) }

  /// A bootstrap of everything, read now, with the log going on after `version`.
  ///
  /// - Parameter cursor: The version since which objects were touched that are in it; nil: all are.
  mutating func finish(full: Bool, version: UInt64? = nil, touchedAfter cursor: UInt64? = nil) {
    a.stage(page(touchedAfter: cursor))
    a.finish(end(full: full, version: version))
  }

  func page(touchedAfter cursor: UInt64? = nil) -> BootstrapPage {
    let objects = server.objects.states.filter { object in
      Self.view.contains(HistoryRules.q(object.value)) && cursor.map { object.value.touchedVersion > $0 } ?? true
    }.map {
      ObjectDelta($0.key, .whole($0.value.properties()))
    }
    return BootstrapPage(
      className: "Thing", after: nil, through: nil, version: server.head, ownSiteVersion: ownThrough, objects: objects)
  }

  func end(full: Bool, version: UInt64? = nil, own: UInt64? = nil) -> BootstrapEnd {
    BootstrapEnd(
      version: version ?? server.head, ownSiteVersion: own ?? ownThrough, view: Self.view.tag,
      epoch: server.merger.part.epoch, isFull: full, time: server.merger.part.newestTime, cursor: [])
  }

  var ownThrough: UInt64 { server.clients[a.site]?.lastSiteVersion ?? 0 }

  /// The device's program changes things at a time.
  mutating func edit(_ time: UInt64, of object: ObjectName = Script.object, _ changes: LocalChange...) throws {
    nonce += 1
    for change in changes { a.store.make(change, object) }
    try a.replay(
      LocalCommit(time: SyncTime(rawValue: time), nonce: nonce, edits: changes.map { LocalEdit(object, $0) }))
  }

  /// The server merges the device's next commit; its version.
  @discardableResult
  mutating func upload() throws -> UInt64 {
    let commit = try #require(a.uploads(after: ownThrough).first)
    #expect(server.merge(commit, site: a.site, now: 1_000, seen: 0) == nil)
    return server.head
  }

  /// The server merges a commit of another site.
  @discardableResult
  mutating func foreign(
    _ time: UInt64, site: SiteID = siteB, of object: ObjectName = Script.object, _ edits: SyncEdit...
  ) -> UInt64 {
    nonce += 1
    versions[site, default: 0] += 1
    let commit = SyncCommit(
      siteVersion: versions[site]!, time: SyncTime(rawValue: time), nonce: 1_000 + nonce,
      operations: edits.map { SyncOperation(object, $0) })
    #expect(server.merge(commit, site: site, now: 1_000, seen: 0) == nil)
    return server.head
  }

  /// The device gets what the server has for it of the next version.
  mutating func deliver() {
    let version = (a.cursor ?? 0) + 1
    if let record = server.record(version, for: a.site, Self.view) {
      a.apply(record)
    } else {
      a.advance(to: version)
    }
  }

  func id(_ site: SiteID, _ siteVersion: UInt64, _ operation: UInt32 = 0, _ index: UInt32 = 0) -> OperationID {
    OperationID(site: site, siteVersion: siteVersion, operation: operation, index: index)
  }

  /// The value of a property on the device, in few letters.
  func shows(_ property: SyncText) -> String { a.store.value(Self.object, LocalPath(property))?.short ?? "-" }

  /// A decimal on the device.
  func decimal(_ property: SyncText) -> String {
    if case .decimal(let value) = a.store.value(Self.object, LocalPath(property)) { value.text } else { "-" }
  }

  var isThere: Bool { a.store.contains(Self.object) }
}

extension PlainStore {
  /// Does what a program does.
  mutating func make(_ change: LocalChange, _ object: ObjectName) {
    switch change {
    case .create(let properties): replace(object, with: properties.map { SyncProperty($0.name, $0.value) })
    case .delete: replace(object, with: nil)
    case .set(let path, let value): set(object, path, value)
    case .add(let path, let delta):
      if let sum = value(object, path)?.adding(delta) { set(object, path, sum) }
    case .listInsert(let path, let index, let values, _): insert(values, at: index, object, path)
    case .listRemove(let path, let index, let count, _):
      for _ in 0..<count { remove(at: index, object, path) }
    case .listMove(let path, let from, let to, _): move(from: from, to: to, object, path)
    case .setInsert(let path, let value): setMember(value, isPresent: true, object, path)
    case .setRemove(let path, let value): setMember(value, isPresent: false, object, path)
    case .setClear(let path), .mapClear(let path): removeAll(object, path)
    case .mapPut(let path, let key, let value): set(object, path.appending(.key(key)), value)
    case .mapRemove(let path, let key): removeKey(key, object, path)
    case .listClear(let path, let size): for _ in 0..<size { remove(at: 0, object, path) }
    }
  }
}
