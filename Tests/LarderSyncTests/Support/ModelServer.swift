import LarderSyncProtocol

/// A server in memory, which speaks the protocol and merges as the real one does. It is a value: nothing is sent but what `take` gives out.
struct ModelServer {
  struct Objects: MergeObjects {
    var states: [ObjectName: ObjectState] = [:]

    subscript(object: ObjectName) -> ObjectState {
      get { states[object] ?? ObjectState() }
      set { states[object] = newValue }
      _modify { yield &states[object, default: ObjectState()] }
    }
  }

  struct Entry {
    var merged: MergedCommit<Int64?>
    /// The objects that the commit named, as it left them.
    var states: [ObjectName: ObjectState]
  }

  struct Bootstrap {
    var start: UInt64
    var since: UInt64
    var isFull: Bool
    var old: ModelView?
    /// The view that it leads to; the device may want another one meanwhile.
    var new: ModelView
    var pages: [(after: PrimaryKey?, through: PrimaryKey?)]
    var ownThrough: UInt64
    var time: SyncTime
  }

  struct Session {
    var buffer = FrameBuffer()
    var site: SiteID?
    var fence: UInt64 = 0
    var sent: UInt64 = 0
    var view: ModelView?
    var wanted: ModelView?
    var bootstrap: Bootstrap?
    /// The bootstrap that the device keeps a part of, until it is known whether it goes on.
    var kept: BootstrapPosition?
    var marks: [(number: UInt64, head: UInt64)] = []
    var output: [[UInt8]] = []
    /// Bytes that the device, and the server, may still send.
    var fromDevice: Int64 = 0
    var toDevice: Int64 = 0
    var isClosed = false
  }

  var merger = Merger(part: PartState(epoch: 1), rules: ModelRules())
  var objects = Objects()
  var clients: [SiteID: ClientState] = [:]
  var log: [Entry] = []
  var views: [SiteID: [UInt64: ModelView]] = [:]
  var sessions: [Int: Session] = [:]
  var limits = SessionLimits(
    frameBytes: 1 << 20, uploadBytes: 300, uploadCommits: 3, uploadsInFlight: 2, credit: 600, pingSeconds: 15,
    silenceSeconds: 30)
  /// Tokens that are refused, and what is said of them.
  var refusedTokens: [String: SyncFailureCode] = [:]
  var tokens: [String] = []
  /// Classes that the server does not have.
  var unknownClasses: Set<SyncText> = []
  /// Properties that the server does not have, whatever their class.
  var unknownProperties: Set<SyncText> = []
  /// True if sessions fail at their first upload.
  var failsUploads = false
  /// The classes that a device has said last.
  private var pushed = SyncSchema(classes: [])
  /// True if each acknowledgement is sent twice.
  var doubles = false
  /// True if devices hear of commits that get another time than their own.
  var tellsClamped = false
  /// The number of bootstraps that went on in another session.
  var continued = 0
  /// The faults of devices: actions that no device may take and one did.
  var faults: [String] = []
  var now: UInt64 = 1_700_000_000_000
  /// The time that tokens are accepted from now on, in milliseconds.
  var tokenLife: UInt64 = 3_600_000
  private var nextSession = 0
  private var nextSite: UInt64 = 0
  private var nextFence: UInt64 = 0

  var head: UInt64 { merger.part.head }

  // MARK: - Connections

  mutating func connect() -> Int {
    nextSession += 1
    sessions[nextSession] = Session()
    return nextSession
  }

  mutating func disconnect(_ id: Int) { sessions[id] = nil }

  /// Takes bytes from a device.
  mutating func receive(_ bytes: [UInt8], _ id: Int) {
    sessions[id]?.buffer.append(bytes)
    while let session = sessions[id], !session.isClosed {
      do {
        let before = session.buffer.waiting
        guard let frame = try sessions[id]?.buffer.next(site: session.site) else { return }
        let count = before - (sessions[id]?.buffer.waiting ?? 0)
        receive(frame.message, count, id)
      } catch {
        faults.append("\(error)")
        return
      }
    }
  }

  /// The next message for a device; nil when there is nothing to say.
  mutating func take(_ id: Int) -> [UInt8]? {
    if let session = sessions[id], session.output.isEmpty, session.toDevice > 0 { speak(id) }
    guard sessions[id]?.output.isEmpty == false else { return nil }
    return sessions[id]?.output.removeFirst()
  }

  mutating func send(_ message: SyncMessage, _ id: Int) {
    let frame = SyncFrame(message).encoded(site: sessions[id]?.site)
    sessions[id]?.output.append(frame)
    switch message {
    case .welcome, .failure, .credit, .ping, .pong: break
    default: sessions[id]?.toDevice -= Int64(frame.count)
    }
  }

  mutating func fail(_ code: SyncFailureCode, _ action: SyncFailureAction, _ id: Int, subject: SyncText? = nil) {
    send(.failure(SyncFailure(code, action: action, message: "no", subject: subject)), id)
    if action != .carryOn { sessions[id]?.isClosed = true }
  }

  /// Tells a device which classes there are.
  private mutating func tellSchema(_ id: Int) {
    let known = pushed.classes.filter { !unknownClasses.contains($0.name) }.map { known in
      SchemaClass(
        known.name, kind: known.kind, primaryKey: known.primaryKey,
        properties: known.properties.filter { !unknownProperties.contains($0.name) })
    }
    let schema = SyncSchema(version: UInt64(known.count), classes: known)
    if !schema.missing(of: pushed).isEmpty { fail(.schemaForbidden, .carryOn, id) }
    send(.schema(schema), id)
  }

  /// Takes the classes up that it does not have, and tells all devices.
  mutating func takeUpClasses() {
    unknownClasses = []
    unknownProperties = []
    for id in sessions.keys.sorted() where sessions[id]?.site != nil { tellSchema(id) }
  }

  // MARK: - What devices say

  private mutating func receive(_ message: SyncMessage, _ bytes: Int, _ id: Int) {
    switch message {
    case .hello(let hello): return greet(hello, id)
    case .ping(let number): return send(.pong(number), id)
    case .credit(let bytes):
      sessions[id]?.toDevice += Int64(bytes)
      return
    case .pong: return
    case .failure(let failure): return faults.append("a device says: \(failure.message)")
    default: break
    }
    if sessions[id]?.fromDevice ?? 1 <= 0 { faults.append("a frame without credit") }
    // What was taken is given back at once, later than it was needed.
    sessions[id]?.fromDevice -= Int64(bytes)
    receiveCounted(message, id)
    sessions[id]?.fromDevice += Int64(bytes)
    send(.credit(UInt64(bytes)), id)
  }

  private mutating func receiveCounted(_ message: SyncMessage, _ id: Int) {
    switch message {
    case .subscribe(let set): subscribe(set, id)
    case .upload(let upload): merge(upload, id)
    case .mark(let number):
      let head = head
      sessions[id]?.marks.append((number, head))
    case .authenticate(let token):
      tokens.append(token.string)
      send(.authenticated(until: now + tokenLife), id)
    case .schemaPush(let schema):
      pushed = schema
      tellSchema(id)
    default: faults.append("message \(message.kind)")
    }
  }

  private mutating func newSite() -> SiteID {
    nextSite += 1
    return SiteID(high: 77, low: nextSite)
  }

  private func secret(_ site: SiteID) -> [UInt8] { [UInt8(truncatingIfNeeded: site.low), 5] }

  private mutating func greet(_ hello: Hello, _ id: Int) {
    tokens.append(hello.token.string)
    if let code = refusedTokens[hello.token.string] { return fail(code, .refreshToken, id) }
    nextFence += 1
    let isNew = hello.credential == nil
    var site = hello.credential?.site ?? newSite()
    if let credential = hello.credential, credential.secret != secret(site) { return fail(.siteSecret, .reset, id) }
    var client = clients[site] ?? ClientState()
    // What was lost here and is not kept there cannot come again.
    client.lastSiteVersion = max(client.lastSiteVersion, max(1, hello.position.retained.first) - 1)
    let cursor = hello.position.cursor.map { bytes in bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    var resumption = Resumption.rebuild(.new)
    if isNew {
      client.session = nextFence
    } else {
      let log = log
      resumption = merger.part.resume(
        cursor: cursor, epoch: hello.position.epoch, retained: hello.position.retained, client: &client,
        session: nextFence
      ) { number in log.last { $0.merged.site == site && $0.merged.siteVersion == number }?.merged.nonce }
    }
    clients[site] = client
    if case .fork = resumption {
      site = newSite()
      clients[site] = ClientState(session: nextFence)
    }
    let isIncremental = resumption == .incremental
    sessions[id]?.site = site
    sessions[id]?.fromDevice = Int64(limits.credit)
    sessions[id]?.toDevice = Int64(limits.credit)
    sessions[id]?.fence = nextFence
    sessions[id]?.sent = isIncremental ? cursor ?? 0 : 0
    let goesOn = keeps(hello.position, isIncremental ? cursor : nil) && site == hello.credential?.site
    sessions[id]?.kept = goesOn ? hello.position.bootstrap : nil
    sessions[id]?.view = isIncremental ? hello.position.view.flatMap { views[site]?[$0.subscriptions] } : nil
    let isOther = isNew || site != hello.credential?.site
    send(
      .welcome(
        Welcome(
          version: .current, session: nextFence, site: site, secret: isOther ? secret(site) : nil,
          epoch: merger.part.epoch, lastSiteVersion: clients[site]?.lastSiteVersion ?? 0,
          time: max(SyncTime(milliseconds: now), merger.part.newestTime),
          resumption: resumption, limits: limits, expands: false)), id)
    send(.authenticated(until: now + tokenLife), id)
  }

  private mutating func subscribe(_ set: Subscribe, _ id: Int) {
    if let bad = set.queries.first(where: { ModelView.isBad($0) }) {
      return fail(.query, .carryOn, id, subject: bad.predicate)
    }
    guard let site = sessions[id]?.site else { return }
    let view = ModelView(set)
    views[site, default: [:]][set.version] = view
    sessions[id]?.wanted = view
    if sessions[id]?.view == view { sessions[id]?.kept = nil }
  }

  /// Returns true if a bootstrap that a device keeps began where it is, or it needs everything and the log is the same.
  private func keeps(_ position: SyncPosition, _ cursor: UInt64?) -> Bool {
    guard let token = position.bootstrap.flatMap({ ModelToken($0.resumption) }) else { return false }
    return token.epoch == merger.part.epoch && (token.isFull ? cursor == nil : cursor == token.start)
  }

  private mutating func merge(_ upload: Upload, _ id: Int) {
    guard let session = sessions[id], let site = session.site else { return }
    if failsUploads { return fail(.server, .reconnect, id) }
    if upload.commits.count > limits.uploadCommits { faults.append("an upload of \(upload.commits.count) commits") }
    var mergedCommits: [(MergedCommit<Int64?>, SyncCommit)] = []
    for commit in upload.commits {
      do { try commit.check(site: site) } catch { faults.append("\(error)") }
      for operation in commit.operations where unknownClasses.contains(operation.object.className) {
        faults.append("a change of class '\(operation.object.className)', which the server does not have")
      }
      for property in commit.operations.flatMap(\.edit.properties) where unknownProperties.contains(property) {
        faults.append("a change of property '\(property)', which the server does not have")
      }
      var client = clients[site] ?? ClientState()
      switch client.decide(siteVersion: commit.siteVersion, session: session.fence) {
      case .merge:
        now += 1
        let merged = merger.merge(commit, site: site, client: &client, now: now, objects: &objects)
        clients[site] = client
        var states: [ObjectName: ObjectState] = [:]
        for touched in merged.objects { states[touched.object] = objects[touched.object] }
        log.append(Entry(merged: merged, states: states))
        mergedCommits.append((merged, commit))
      case .duplicate: break
      case .gap: return fail(.uploadGap, .reconnect, id)
      case .fenced: return fail(.fenced, .stop, id)
      }
    }
    guard let last = upload.commits.last?.siteVersion else { return faults.append("an upload of nothing") }
    for _ in 0..<(doubles ? 2 : 1) { send(.acknowledge(Acknowledgement(siteVersion: last)), id) }
    for (merged, commit) in mergedCommits where tellsClamped && merged.isClamped {
      send(.acknowledge(Acknowledgement(siteVersion: commit.siteVersion, clamped: merged.time)), id)
    }
    for (merged, commit) in mergedCommits { tellRefused(merged, commit, id) }
  }

  private mutating func tellRefused(_ merged: MergedCommit<Int64?>, _ commit: SyncCommit, _ id: Int) {
    var refused: [RefusedOperation] = []
    for (index, result) in merged.results.enumerated() {
      guard case .refused(let reason) = result else { continue }
      refused.append(
        RefusedOperation(
          siteVersion: commit.siteVersion, operation: UInt32(index), object: commit.operations[index].object,
          reason: reason, message: "locked"))
    }
    if !refused.isEmpty { send(.refused(refused), id) }
  }
}

extension SyncEdit {
  /// The properties of the object that the edit names.
  fileprivate var properties: [SyncText] {
    if case .create(let properties) = self { return properties.map(\.name) }
    return path.map { [$0.property] } ?? []
  }
}
