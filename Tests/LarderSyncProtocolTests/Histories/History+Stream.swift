@testable import LarderSyncProtocol
import TestBasics

extension History {
  /// The server sends the next thing to a device.
  mutating func send(_ index: Int) {
    guard var session = devices[index].session else { return }
    // What a device lacks is not in the log any more: it has to come back and get everything.
    let since = session.bootstrap.map { $0.isFull ? .max : $0.since } ?? (session.view == nil ? .max : session.sent)
    guard since >= server.merger.part.floor else {
      var random = SeededRandom(seed: since)
      return disconnect(index, &random)
    }
    defer { devices[index].session = session }
    if var bootstrap = session.bootstrap {
      sendPage(index, &session, &bootstrap)
      return
    }
    let current = view(index)
    if session.view != current {
      session.bootstrap = begin(index, session, current)
      return
    }
    guard session.sent < server.head else { return }
    session.sent += 1
    if let record = server.record(session.sent, for: devices[index].device.site, current) {
      devices[index].down.append(.record(record))
    } else {
      devices[index].down.append(.mark(session.sent))
    }
  }

  private func begin(_ index: Int, _ session: HistoryDevice.Session, _ new: HistoryView) -> HistoryDevice.Bootstrap {
    let client = server.clients[devices[index].device.site] ?? ClientState()
    return HistoryDevice.Bootstrap(
      start: server.head, ownThrough: client.lastSiteVersion, time: server.merger.part.newestTime,
      since: session.sent, isFull: session.view == nil, old: session.view, new: new,
      pages: [(nil, 2), (2, nil)])
  }

  private mutating func sendPage(
    _ index: Int, _ session: inout HistoryDevice.Session, _ bootstrap: inout HistoryDevice.Bootstrap
  ) {
    guard let range = bootstrap.pages.first else {
      let end = BootstrapEnd(
        version: bootstrap.start, ownSiteVersion: bootstrap.ownThrough, view: bootstrap.new.tag,
        epoch: server.merger.part.epoch, isFull: bootstrap.isFull, time: bootstrap.time, cursor: [])
      devices[index].down.append(.end(end))
      session.view = bootstrap.new
      session.sent = bootstrap.start
      session.bootstrap = nil
      count(bootstrap.isFull ? "full bootstraps" : "bootstraps")
      return
    }
    bootstrap.pages.removeFirst()
    if !research.contains(.endsTellFirstTime) { bootstrap.time = server.merger.part.newestTime }
    let client = server.clients[devices[index].device.site] ?? ClientState()
    let names = server.objects.states.keys.filter { name in
      guard case .int(let key) = name.key else { return false }
      return range.after.map { $0 < key } ?? true && range.through.map { key <= $0 } ?? true
    }
    let page = BootstrapPage(
      className: "Thing", after: range.after.map { .int($0) }, through: range.through.map { .int($0) },
      version: server.head, ownSiteVersion: client.lastSiteVersion,
      objects: names.compactMap { delta($0, bootstrap) })
    devices[index].down.append(.page(page))
    session.bootstrap = bootstrap
  }

  private func delta(_ object: ObjectName, _ bootstrap: HistoryDevice.Bootstrap) -> ObjectDelta? {
    let state = server.objects[object]
    let isIn = bootstrap.new.contains(HistoryRules.q(state))
    if bootstrap.isFull { return isIn ? ObjectDelta(object, .whole(state.properties())) : nil }
    if state.touchedVersion > bootstrap.since {
      return ObjectDelta(object, isIn ? .whole(state.properties()) : .gone)
    }
    let wasIn = bootstrap.old?.contains(HistoryRules.q(state)) ?? false
    if isIn == wasIn { return nil }
    return ObjectDelta(object, isIn ? .whole(state.properties()) : .gone)
  }

  /// A device takes the next message.
  mutating func deliver(_ index: Int, isDoubled: Bool) throws {
    guard devices[index].session != nil, !devices[index].down.isEmpty else { return }
    let message = devices[index].down.removeFirst()
    try replay(index)
    let before = Pending(devices[index].device)
    take(message, index)
    if isDoubled, case .record = message { take(message, index) }
    try check(index, after: message, before: before)
  }

  private mutating func take(_ message: HistoryDevice.Downstream, _ index: Int) {
    switch message {
    case .acknowledgement(let siteVersion): devices[index].device.acknowledge(through: siteVersion)
    case .record(let record): devices[index].device.apply(record)
    case .mark(let version): devices[index].device.advance(to: version)
    case .page(let page): devices[index].device.stage(page)
    case .end(let end):
      // Operations with other neighbours may name places that are newer than they are.
      if end.isFull { server.usedFallback.formUnion(devices[index].device.replica.pending.objects) }
      devices[index].device.finish(end)
      devices[index].uploadedThrough = max(devices[index].uploadedThrough, devices[index].device.acknowledged)
    }
  }

  /// Lets everything arrive, and checks that all devices are what the server is.
  mutating func settle() throws {
    var random = SeededRandom(seed: 1)
    for index in devices.indices {
      devices[index].late = []
      disconnect(index, &random)
    }
    for _ in 0..<400 {
      for index in devices.indices {
        try connect(index)
        try upload(index)
        while !devices[index].up.isEmpty { try receive(index, crash: nil, isDoubled: false) }
        send(index)
        while !devices[index].down.isEmpty { try deliver(index, isDoubled: false) }
      }
      if devices.indices.allSatisfy(isSettled) { break }
    }
    for index in devices.indices where !isSettled(index) {
      throw Failure(description: "device \(index) does not come to rest")
    }
    try checkEnd()
  }

  private func isSettled(_ index: Int) -> Bool {
    let device = devices[index]
    return device.device.cursor == server.head && device.device.uploads(after: device.uploadedThrough).isEmpty
      && device.session?.view == view(index) && device.log.isEmpty
  }

  /// Things that happen rarely, and must not lose or double anything either.
  mutating func disaster(_ kind: HistoryStep.Kind, _ index: Int, _ random: inout SeededRandom) throws {
    guard self.kind.isDisaster else { return }
    hadDisaster = true
    count(kind.rawValue)
    switch kind {
    case .trim:
      server.trim(through: server.head - UInt64(random.int(0...min(10, Int(server.head)))))
      if let fault = server.trimFault { throw Failure(description: fault) }
    case .recover:
      disconnect(index, &random)
      try replay(index)
      devices[index].device.needEverything()
    case .discard:
      disconnect(index, &random)
      try replay(index)
      devices[index].device.discard(newSite: newSite())
    case .backup: backups[index] = devices[index]
    case .restore:
      guard var backup = backups[index] else { return }
      disconnect(index, &random)
      backup.up = []
      backup.down = []
      backup.session = nil
      backup.device.dropPages()
      backup.subscriptions = devices[index].subscriptions
      backup.late = devices[index].late
      devices[index] = backup
    case .serverBackup: serverBackup = server
    case .serverRestore:
      guard var backup = serverBackup else { return }
      for other in devices.indices { disconnect(other, &random) }
      backup.merger.part.epoch = server.merger.part.epoch + 1
      server = backup
    default: break
    }
  }
}
