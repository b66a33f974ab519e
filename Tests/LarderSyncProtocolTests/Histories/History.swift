@testable import LarderSyncProtocol
import TestBasics

/// Several devices and a server, with a network that loses and delays: one course of events, checked after every message.
struct History {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  let kind: HistoryKind
  var server = HistoryServer()
  var devices: [HistoryDevice] = []
  var research: ResearchRules
  var views: [Int: Set<Int64>] = [:]
  var rulesVersion: UInt64 = 0
  var readable: [UInt64: Set<Int64>] = [0: [0, 1, 2, 3]]
  var subscribed: [[UInt64: Set<Int64>]]
  var backups: [Int: HistoryDevice] = [:]
  var serverBackup: HistoryServer?
  var now: UInt64 = 1_000_000
  var nextSession: UInt64 = 1
  var nextSite: UInt64 = 1
  var nextNonce: UInt64 = 1
  var hadDisaster = false
  /// Numbers of what happened, so that a run can say what it has tried.
  var counts: [String: Int] = [:]

  init(kind: HistoryKind, devices count: Int, research: ResearchRules) {
    self.kind = kind
    self.research = research
    subscribed = Array(repeating: [0: [0, 1]], count: count)
    server.merger.research = research
    for _ in 0..<count {
      var device = HistoryDevice(device: Device(site: newSite(), store: PlainStore()))
      device.device.research = research
      devices.append(device)
    }
  }

  /// Lets all devices get what there is, as most have it before anything happens.
  mutating func begin() throws {
    for index in devices.indices {
      try connect(index)
      for _ in 0..<4 { send(index) }
      while !devices[index].down.isEmpty { try deliver(index, isDoubled: false) }
    }
  }

  mutating func newSite() -> SiteID {
    defer { nextSite += 1 }
    return SiteID(high: 7, low: nextSite)
  }

  mutating func count(_ what: String) { counts[what, default: 0] += 1 }

  func view(_ index: Int) -> HistoryView { view(index, devices[index].subscriptions, rulesVersion) }

  func view(_ index: Int, _ subscriptions: Int, _ rules: UInt64) -> HistoryView {
    HistoryView(
      tag: ViewTag(subscriptions: UInt64(subscriptions), rules: rules),
      subscribed: subscribed[index][UInt64(subscriptions)] ?? [], readable: readable[rules] ?? [])
  }

  func view(_ index: Int, _ tag: ViewTag) -> HistoryView { view(index, Int(tag.subscriptions), tag.rules) }

  // Steps.

  mutating func run(_ step: HistoryStep) throws {
    guard step.device < devices.count else { return }
    var random = SeededRandom(seed: step.seed)
    now += UInt64(random.int(1...200))
    let index = step.device
    switch step.kind {
    case .edit: try edit(index, random)
    case .connect: try connect(index)
    case .disconnect: disconnect(index, &random)
    case .upload: try upload(index)
    case .receive: for _ in 0..<random.int(1...3) { try receive(index, crash: nil, isDoubled: random.oneIn(8)) }
    case .send: for _ in 0..<random.int(1...5) { send(index) }
    case .deliver: for _ in 0..<random.int(1...5) { try deliver(index, isDoubled: random.oneIn(8)) }
    case .lateUpload: try receiveLate(index)
    case .crashBefore: try crash(index, afterCommit: false, &random)
    case .crashAfter: try crash(index, afterCommit: true, &random)
    case .subscribe: subscribe(index, &random)
    case .rules: changeRules(&random)
    // Half of the clocks are so little off that the server believes them.
    case .clock:
      let most = random.oneIn(2) ? 7_200_000 : 10_000
      devices[index].clock = Int64(random.int(-most...most))
    case .trim, .recover, .discard, .backup, .restore, .serverBackup, .serverRestore:
      try disaster(step.kind, index, &random)
    }
  }

  private mutating func edit(_ index: Int, _ random: SeededRandom) throws {
    var edits = RandomEdits(random: random, isListHeavy: kind.isListHeavy, keys: kind.isListHeavy ? 1 : 4)
    var changes: [LocalEdit] = []
    for _ in 0..<edits.random.int(1...3) { changes += edits.change(&devices[index].device.store) }
    guard !changes.isEmpty else { return }
    let reading = SyncTime(milliseconds: UInt64(max(0, Int64(now) + devices[index].clock)))
    let last = max(devices[index].time, devices[index].device.newestTime)
    devices[index].time = reading > last ? reading : SyncTime(rawValue: last.rawValue + 1)
    let commit = LocalCommit(time: devices[index].time, nonce: nextNonce, edits: changes)
    // What is outside the view was not seen.
    devices[index].seen[nextNonce] = changes.map { devices[index].seenVersion(of: $0.object) }.min() ?? 0
    nextNonce += 1
    devices[index].log.append(commit)
    count("commits")
  }

  mutating func connect(_ index: Int) throws {
    guard devices[index].session == nil else { return }
    try replay(index)
    let device = devices[index].device
    let site = device.site
    var client = server.clients[site] ?? ClientState()
    let id = nextSession
    nextSession += 1
    let resumption = server.merger.part.resume(
      cursor: device.cursor, epoch: device.epoch, retained: device.retained, client: &client, session: id, research
    ) { server.nonce(site, $0) }
    server.clients[site] = client
    var current = site
    if case .fork = resumption {
      current = newSite()
      server.clients[current] = ClientState(session: id)
      count("forks")
    }
    if case .rebuild = resumption { count("rebuilds") }
    let lastSiteVersion = server.clients[current]!.lastSiteVersion
    let isFull = resumption != .incremental
    devices[index].session = HistoryDevice.Session(
      id: id, sent: isFull ? 0 : device.cursor ?? 0, view: isFull ? nil : device.view.map { view(index, $0) })
    devices[index].device.receive(
      resumption, site: current, epoch: server.merger.part.epoch, lastSiteVersion: lastSiteVersion)
    devices[index].uploadedThrough = lastSiteVersion
  }

  mutating func disconnect(_ index: Int, _ random: inout SeededRandom) {
    guard devices[index].session != nil else { return }
    devices[index].late += devices[index].up
    if random.oneIn(2) { devices[index].late = [] }
    devices[index].up = []
    devices[index].down = []
    devices[index].session = nil
    devices[index].device.dropPages()
  }

  func replayed(_ device: HistoryDevice) throws -> HistoryDevice {
    var device = device
    do { try device.replay() } catch { throw Failure(description: "C-3: \(error)") }
    return device
  }

  mutating func replay(_ index: Int) throws {
    devices[index] = try replayed(devices[index])
    try check(places: index)
  }

  mutating func upload(_ index: Int) throws {
    guard let session = devices[index].session else { return }
    try replay(index)
    let device = devices[index].device
    for commit in device.uploads(after: devices[index].uploadedThrough).prefix(3) {
      do { try commit.check(site: device.site) } catch {
        throw Failure(description: "a commit is not well formed: \(error)")
      }
      devices[index].up.append(
        .commit(commit, session: session.id, site: device.site, seen: devices[index].seen[commit.nonce] ?? 0))
      devices[index].uploadedThrough = commit.siteVersion
    }
  }

  mutating func receive(_ index: Int, crash: Bool?, isDoubled: Bool) throws {
    guard !devices[index].up.isEmpty else { return }
    let message = devices[index].up.removeFirst()
    try merge(message, for: index)
    if isDoubled { try merge(message, for: index) }
  }

  private mutating func receiveLate(_ index: Int) throws {
    guard !devices[index].late.isEmpty else { return }
    let message = devices[index].late.removeFirst()
    count("late uploads")
    try merge(message, for: nil)
  }

  /// Merges what was uploaded, and acknowledges it to the device whose connection it came over.
  private mutating func merge(_ message: HistoryDevice.Upstream, for index: Int?) throws {
    guard case .commit(let commit, let session, let site, let seen) = message else { return }
    let client = server.clients[site] ?? ClientState()
    switch client.decide(siteVersion: commit.siteVersion, session: session, research) {
    case .merge:
      let violation = server.merge(commit, site: site, now: now, seen: hadDisaster ? 0 : seen)
      if let violation, !(hadDisaster && violation.hasPrefix("C-8")) { throw Failure(description: violation) }
      try checkSingle(commit.nonce)
      count("merges")
    case .duplicate: count("duplicates")
    case .gap:
      count("gaps")
      return
    case .fenced:
      count("fenced")
      return
    }
    if let index { devices[index].down.append(.acknowledgement(commit.siteVersion)) }
  }

  private mutating func crash(_ index: Int, afterCommit: Bool, _ random: inout SeededRandom) throws {
    if afterCommit, !devices[index].up.isEmpty { try receive(index, crash: true, isDoubled: false) }
    for other in devices.indices { disconnect(other, &random) }
    count("crashes")
  }

  private mutating func subscribe(_ index: Int, _ random: inout SeededRandom) {
    devices[index].subscriptions += 1
    let set = Set((0...2).filter { _ in random.oneIn(2) }.map(Int64.init))
    subscribed[index][UInt64(devices[index].subscriptions)] = set
    count("subscriptions")
  }

  private mutating func changeRules(_ random: inout SeededRandom) {
    rulesVersion += 1
    readable[rulesVersion] = Set((0...3).filter { _ in !random.oneIn(4) }.map(Int64.init))
  }
}
