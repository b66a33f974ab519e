import Foundation
import LarderSyncProtocol

@testable import LarderSyncServer

/// A device of the protocol with a store in memory, which speaks with a hub as a program does.
actor TestDevice {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  struct Connection: Sendable {
    let session: DeviceSession
    let output: DeviceOutput
    var isWelcomed = false
  }

  var device: Device<DeviceContent>?
  private(set) var credential: SiteCredential?
  private var cursor: [UInt8]?
  private var connection: Connection?
  private var uploaded: UInt64 = 0
  private var inFlight: [UInt64] = []
  private var lastMark: UInt64 = 0
  private var marks: Set<UInt64> = []
  private var nonces: SeededRandom
  private(set) var subscribe: Subscribe
  /// The messages that came since `forget`, by kind.
  private(set) var failures: [SyncFailure] = []
  private(set) var refused: [RefusedOperation] = []
  private(set) var resumptions: [Resumption] = []
  private(set) var begins: [BootstrapBegin] = []
  private(set) var pages: [BootstrapPage] = []
  private(set) var records: [DownloadRecord] = []
  private(set) var clamped: [SyncTime] = []
  private(set) var pings = 0
  /// The bootstrap that has not come whole.
  private var begin: BootstrapBegin?
  private var kept: [BootstrapPage] = []
  /// No more pages are taken than this.
  private var mostPages = Int.max
  /// The times until which tokens are accepted, as the server said them.
  private(set) var tokenEnds: [UInt64] = []
  /// The device's clock against the server's, in milliseconds.
  var skew: Int64 = 0
  private let user: String
  private let tenant: SyncText

  init(_ user: String = "ann", tenant: SyncText = "acme", subscribe: Subscribe = HubSchema.all, seed: UInt64 = 1) {
    self.user = user
    self.tenant = tenant
    self.subscribe = subscribe
    nonces = SeededRandom(seed: seed)
  }

  // MARK: - What tests look at

  var shown: [ObjectName: [SyncText: [SyncValue]]] { device?.store.shown ?? [:] }
  var keys: [Int] {
    (device?.store.objects ?? []).compactMap { name in
      if case .int(let key) = name.key { Int(key) } else { nil }
    }.sorted()
  }
  var site: SiteID? { device?.site }
  var isConnected: Bool { connection.map { !$0.output.isClosed } ?? false }
  var output: DeviceOutput? { connection?.output }
  var isComplete: Bool { device?.isComplete ?? false }
  var view: ViewTag? { device?.view }

  func value(_ key: Int, _ property: SyncText) -> SyncValue? {
    device?.store.value(HubSchema.name(key), LocalPath(property))
  }

  /// Returns the number of elements in the list of an object.
  func count(_ key: Int) -> Int { device?.store.list(HubSchema.name(key), "l").count ?? 0 }

  func forget() {
    failures = []
    refused = []
    resumptions = []
    begins = []
    pages = []
    records = []
  }

  func takePages(atMost count: Int) { mostPages = count }

  func setSkew(_ milliseconds: Int64) { skew = milliseconds }

  // MARK: - Changes of the store

  func edit(_ edits: [LocalEdit]) throws {
    guard device != nil, let time = nextTime() else { throw Failure(description: "connect the device first") }
    for edit in edits { apply(edit) }
    try device?.replay(LocalCommit(time: time, nonce: nonces.next(), edits: edits))
  }

  private func nextTime() -> SyncTime? {
    guard let device else { return nil }
    let reading = SyncTime(milliseconds: UInt64(HubFixture.start + skew))
    return max(reading, SyncTime(rawValue: device.newestTime.rawValue + 1))
  }

  private func apply(_ edit: LocalEdit) {
    switch edit.change {
    case .create(let properties):
      device?.store.replace(edit.object, with: properties.map { SyncProperty($0.name, $0.value) })
    case .delete: device?.store.replace(edit.object, with: nil)
    case .set(let path, let value): device?.store.set(edit.object, path, value)
    case .add(let path, .int(let delta)):
      guard case .int(let number) = device?.store.value(edit.object, path) else { preconditionFailure("no number") }
      device?.store.set(edit.object, path, .int(number + delta))
    case .listInsert(let path, let index, let values, _): device?.store.insert(values, at: index, edit.object, path)
    case .listRemove(let path, let index, let count, _):
      for _ in 0..<count { device?.store.remove(at: index, edit.object, path) }
    default: preconditionFailure("tests make no such change")
    }
  }

  func create(_ key: Int, q: Int? = nil, owner: String? = nil, x: Int? = nil) throws {
    var properties = [CreatedProperty("id", .int(Int64(key)))]
    if let q { properties.append(CreatedProperty("q", .int(Int64(q)))) }
    if let owner { properties.append(CreatedProperty("owner", .string(SyncText(owner)))) }
    if let x { properties.append(CreatedProperty("x", .int(Int64(x)))) }
    try edit([LocalEdit(HubSchema.name(key), .create(properties))])
  }

  /// Gets or creates an object, and adds to its number in the same transaction.
  func countUp(_ key: Int, by delta: Int, q: Int? = nil, owner: String? = nil) throws {
    var edits: [LocalEdit] = []
    if !keys.contains(key) {
      var properties = [CreatedProperty("id", .int(Int64(key))), CreatedProperty("x", .int(0))]
      if let q { properties.append(CreatedProperty("q", .int(Int64(q)))) }
      if let owner { properties.append(CreatedProperty("owner", .string(SyncText(owner)))) }
      edits.append(LocalEdit(HubSchema.name(key), .create(properties)))
    }
    try edit(edits + [LocalEdit(HubSchema.name(key), .add(LocalPath("x"), .int(Int64(delta))))])
  }

  func set(_ key: Int, _ property: SyncText, _ value: SyncValue) throws {
    try edit([LocalEdit(HubSchema.name(key), .set(LocalPath(property), value))])
  }

  func delete(_ key: Int) throws { try edit([LocalEdit(HubSchema.name(key), .delete)]) }

  func append(_ key: Int, _ value: Int) throws {
    let size = device?.store.list(HubSchema.name(key), "l").count ?? 0
    try edit([
      LocalEdit(
        HubSchema.name(key), .listInsert(LocalPath("l"), at: size, [.int(Int64(value))], sizeBefore: size))
    ])
  }

  // MARK: - The connection

  /// Greets a hub and waits for the answer. The subscriptions are sent with it.
  func connect(
    _ hub: SyncHub, token: String? = nil, change: @Sendable (Hello) -> Hello = { $0 }
  ) async throws {
    disconnectAtOnce()
    let output = DeviceOutput()
    let session = hub.connect(output, peer: user)
    connection = Connection(session: session, output: output)
    await session.receive(greeting(token: token, change: change))
    try await wait("for the welcome") { $0.connection?.isWelcomed == true || $0.connection?.output.isClosed == true }
    guard isConnected else { return }
    await send(.subscribe(subscribe))
  }

  /// The bytes that the device greets with.
  func greeting(token: String? = nil, change: @Sendable (Hello) -> Hello = { $0 }) -> [UInt8] {
    let none = RetainedCommits(first: 1, nonces: [])
    let position = SyncPosition(
      epoch: device?.epoch ?? 0, cursor: device?.cursor == nil ? nil : cursor, view: device?.view,
      retained: device?.retained ?? none, bootstrap: keptBootstrap)
    let hello = Hello(
      tenant: tenant, token: SyncText(token ?? user), agent: "test", credential: credential, incarnation: 1,
      schemaFingerprint: 1, position: position, expands: false)
    return SyncFrame(.hello(change(hello))).encoded()
  }

  private var keptBootstrap: BootstrapPosition? {
    guard let begin, let last = kept.last, begin.view.subscriptions == subscribe.version else { return nil }
    return BootstrapPosition(
      resumption: begin.resumption, view: begin.view, className: last.className, through: last.through)
  }

  private func dropBootstrap() {
    begin = nil
    kept = []
  }

  /// Ends the connection, and what was on its way.
  func disconnect() async {
    let session = connection?.session
    disconnectAtOnce()
    await session?.disconnected()
  }

  /// Lets go of the connection without ending it.
  func letGo() -> Connection? {
    defer { connection = nil }
    return connection
  }

  /// Sends what was not sent yet over another connection.
  func upload(over other: Connection?) async {
    guard let commits = device?.uploads(after: uploaded) else { return }
    let upload = SyncMessage.upload(LarderSyncProtocol.Upload(commits: Array(commits)))
    await other?.session.receive(SyncFrame(upload).encoded(site: device?.site))
  }

  private func disconnectAtOnce() {
    connection?.output.close()
    connection = nil
    device?.dropPages()
  }

  func send(_ message: SyncMessage) async {
    await connection?.session.receive(SyncFrame(message).encoded(site: device?.site))
  }

  /// Changes the set of subscriptions.
  func subscribe(_ subscribe: Subscribe) async {
    self.subscribe = subscribe
    await send(.subscribe(subscribe))
  }

  /// Sends what was not sent yet, in one upload, once or several times.
  func upload(times: Int = 1) async throws {
    guard let commits = device?.uploads(after: uploaded), let last = commits.last?.siteVersion else { return }
    uploaded = last
    for _ in 0..<times {
      try await wait("to send") { device in
        device.inFlight.count { $0 > device.device?.acknowledged ?? 0 } < 3
      }
      inFlight.append(last)
      await send(.upload(LarderSyncProtocol.Upload(commits: Array(commits))))
    }
  }

  /// Loses what was to be sent next.
  func loseUpload() { uploaded += 1 }

  /// Sends everything, and waits until all that the server has then is here.
  func sync() async throws {
    try await mark()
    try await upload()
    try await wait("for the acknowledgements") {
      guard let device = $0.device else { return false }
      return device.acknowledged >= device.lastSiteVersion
    }
    try await mark()
  }

  /// Waits until all is here that the server has now.
  func mark() async throws {
    lastMark += 1
    let number = lastMark
    await send(.mark(number))
    try await wait("for mark \(number)") { $0.marks.contains(number) }
  }

  /// Takes what comes until something holds.
  func wait(_ what: String, until condition: @Sendable (isolated TestDevice) -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(300)
    while true {
      try await takeAll()
      if condition(self) { return }
      guard ContinuousClock.now < end else { throw Failure(description: "\(user) waits \(what): \(failures)") }
      if connection?.output.isClosed != false {
        throw Failure(description: "\(user) is disconnected while it waits \(what): \(failures)")
      }
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  /// Waits until the server closes the connection.
  func waitForEnd() async throws {
    let end = ContinuousClock.now + .seconds(300)
    while connection?.output.isClosed == false {
      guard ContinuousClock.now < end else { throw Failure(description: "\(user) waits for the end") }
      try await Task.sleep(for: .milliseconds(1))
    }
    try await takeAll()
  }

  /// Takes what has come.
  func takeAll() async throws {
    for frame in connection?.output.take() ?? [] {
      try await take(SyncFrame(decoding: frame, site: device?.site).message, bytes: frame.count)
    }
  }

  private func take(_ message: SyncMessage, bytes: Int) async throws {
    switch message {
    case .welcome(let welcome): take(welcome)
    case .acknowledge(let acknowledgement):
      device?.acknowledge(through: acknowledgement.siteVersion)
      if let time = acknowledgement.clamped { clamped.append(time) }
    case .refused(let operations): refused += operations
    case .failure(let failure): failures.append(failure)
    case .mark(let number): marks.insert(number)
    case .ping: pings += 1
    case .authenticated(let end): tokenEnds.append(end)
    case .bootstrapBegin(let begin):
      device?.dropPages()
      begins.append(begin)
      if !begin.continues { kept = [] }
      for page in kept { device?.stage(page) }
      self.begin = begin
    case .bootstrapPage(let page):
      guard pages.count < mostPages else { return }
      pages.append(page)
      kept.append(page)
      device?.stage(page)
    case .bootstrapEnd(let end):
      guard pages.count < mostPages else { return }
      dropBootstrap()
      device?.finish(end)
      uploaded = max(uploaded, device?.acknowledged ?? 0)
      cursor = end.cursor
    case .download(let download):
      dropBootstrap()
      for record in download.records { device?.apply(record) }
      records += download.records
      cursor = download.cursor
    default: break
    }
    if SessionFlow.counts(message) { await send(.credit(UInt64(bytes))) }
  }

  private func take(_ welcome: Welcome) {
    resumptions.append(welcome.resumption)
    if let secret = welcome.secret { credential = SiteCredential(site: welcome.site, secret: secret) }
    if device == nil { device = Device(site: welcome.site, store: DeviceContent()) }
    device?.receive(
      welcome.resumption, site: welcome.site, epoch: welcome.epoch, lastSiteVersion: welcome.lastSiteVersion)
    uploaded = welcome.lastSiteVersion
    inFlight = []
    connection?.isWelcomed = true
  }

  /// Forgets what was sent and not acknowledged.
  func sendAgain() {
    uploaded = device?.acknowledged ?? 0
    inFlight = []
  }

  // MARK: - Backups

  private struct Backup {
    let device: Device<DeviceContent>?
    let cursor: [UInt8]?
    let credential: SiteCredential?
  }

  private var backup: Backup?

  /// Keeps what the device is.
  func backUp() { backup = Backup(device: device, cursor: cursor, credential: credential) }

  /// Goes back to what was kept, without a connection.
  func restore() async {
    await disconnect()
    guard let backup else { return }
    device = backup.device
    device?.dropPages()
    dropBootstrap()
    cursor = backup.cursor
    credential = backup.credential
  }
}
