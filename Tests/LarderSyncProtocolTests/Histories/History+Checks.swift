@testable import LarderSyncProtocol

extension History {
  /// The waiting assignments and places of a device, and the values that show, before a message.
  struct Pending {
    /// A property of an object that waiting assignments give a value.
    struct Cell: Hashable {
      var object: ObjectName
      var property: SyncText
    }

    /// Values that waiting assignments give and that show.
    var assigned: [Cell: SyncValue] = [:]
    /// Values that show, whatever gives them.
    var shown: [Cell: SyncValue] = [:]
    /// Waiting places of the list `l`, in order.
    var places: [ObjectName: [OperationID]] = [:]
    /// The last waiting assignment.
    var last: [Cell: PendingOperations.Key] = [:]

    init(_ device: Device<PlainStore>) {
      for object in device.replica.pending.objects {
        places[object] = device.replica.shadows[object]?.table(at: Self.list)?.entries.filter { !$0.isBase }.map(
          \.position)
        for property: SyncText in ["q", "x", "e", "z"] { note(Cell(object: object, property: property), device) }
      }
    }

    private mutating func note(_ cell: Cell, _ device: Device<PlainStore>) {
      let path = SyncPath(cell.property)
      let key = device.replica.pending.keys(cell.object).last { key in
        if case .set(path, _) = device.replica.pending.operation(key)?.edit { true } else { false }
      }
      // A later creation may give another value to a row that the assignment did not find.
      guard let key, case .set(_, let value) = device.replica.pending.operation(key)?.edit,
        device.store.contains(cell.object)
      else { return }
      last[cell] = key
      shown[cell] = device.store.value(cell.object, LocalPath(cell.property)) ?? .null
      if shown[cell] == value.plain { assigned[cell] = value.plain }
    }

    static let list = SyncCollectionPath(SyncPath("l"))
  }

  /// Checks a device after a message.
  func check(_ index: Int, after message: HistoryDevice.Downstream, before: Pending) throws {
    let device = devices[index].device
    try check(places: index)
    try checkWaiting(index, message, before, Pending(device))
    guard let cursor = device.cursor, device.epoch == server.merger.part.epoch, device.isComplete,
      let tag = device.view
    else { return }
    let view = view(index, tag)
    for object in server.names.union(device.inView) {
      let state = server.state(object, at: cursor)
      let isIn = view.contains(HistoryRules.q(state))
      guard isIn == device.inView.contains(object) else {
        throw Failure(description: "C-2: device \(index) is wrong about \(object.key) being in its view, at \(cursor)")
      }
      try checkBase(index, object, state, isIn)
    }
  }

  private func checkBase(_ index: Int, _ object: ObjectName, _ state: ObjectState, _ isIn: Bool) throws {
    let device = devices[index].device
    if !device.isWaiting(object) {
      let expected = isIn ? shown(state.properties()) : nil
      let actual = device.store.content[object].map { shown($0.map { SyncProperty($0, $1) }) }
      guard expected == actual else {
        throw Failure(
          description:
            "C-1: device \(index) at \(device.cursor ?? 0) of \(server.head) shows \(describe(actual)) for \(object.key), the server \(describe(expected))"
        )
      }
    }
    guard isIn, !device.replica.pending.edits(object).contains(.delete) else { return }
    var entries: [SyncListEntry] = []
    if case .list(let list) = state.value(of: "l") { entries = list.entries }
    let base = device.replica.shadows[object]?.table(at: Pending.list)?.entries.filter(\.isBase) ?? []
    guard base.map(\.position) == entries.map(\.position), base.map(\.element) == entries.map(\.element) else {
      throw Failure(
        description:
          "C-1: device \(index) knows other places in \(object.key).l: \(base.map { short($0.position) }) for \(entries.map { short($0.position) })"
      )
    }
  }

  private func short(_ id: OperationID) -> String { "\(id.site.low).\(id.siteVersion).\(id.operation).\(id.index)" }

  private func describe(_ properties: [SyncText: SyncValue]?) -> String {
    guard let properties else { return "nothing" }
    return properties.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.short)" }.joined(separator: " ")
  }

  /// C-3 and C-7: a list is the shown entries of its table, each element once.
  func check(places index: Int) throws {
    let device = devices[index].device
    for (object, shadow) in device.replica.shadows {
      for path in [LocalPath("l"), LocalPath("o"), LocalPath("z"), LocalPath("e", [.property("l")])] {
        var copy = shadow
        let table = copy.reach(path) { container, slot, _ in container.children[slot] }
        guard let table, table.kind == .list else { continue }
        let count = device.store.count(object, path)
        guard table.table.shownCount == count else {
          throw Failure(
            description:
              "C-3: device \(index) has \(count) elements in \(object.key).\(path.property) and \(table.table.shownCount) names"
          )
        }
        let elements = table.table.runs.shownElements
        guard Set(elements).count == elements.count else {
          throw Failure(description: "C-7: device \(index) shows an element of \(object.key).\(path.property) twice")
        }
      }
    }
  }

  /// C-5: what waits does not change visibly, and keeps its order.
  private func checkWaiting(
    _ index: Int, _ message: HistoryDevice.Downstream, _ before: Pending, _ after: Pending
  ) throws {
    // An object that has left the view begins with the creation that waits.
    let isEnd = if case .end = message { true } else { false }
    var left: Set<ObjectName> = []
    if case .record(let record) = message { left = Set(record.objects.filter { $0.change == .gone }.map(\.object)) }
    for (cell, value) in before.assigned
    where !isEnd && !left.contains(cell.object) && after.last[cell] == before.last[cell] {
      guard let now = after.shown[cell], now != value else { continue }
      throw Failure(
        description:
          "C-5: a waiting assignment of device \(index) to \(cell.object.key).\(cell.property) does not show")
    }
    for (object, places) in before.places {
      guard let now = after.places[object] else { continue }
      let kept = Set(places).intersection(now)
      guard places.filter(kept.contains) == now.filter(kept.contains) else {
        throw Failure(
          description:
            "C-5: waiting places of device \(index) in \(object.key).l change their order: \(places.map(short)) become \(now.map(short))"
        )
      }
    }
  }

  /// C-4: no commit is merged twice.
  func checkSingle(_ nonce: UInt64) throws {
    guard server.nonces.count(where: { $0 == nonce }) <= 1 else {
      throw Failure(description: "C-4: commit \(nonce) is merged twice")
    }
  }

  /// Checks what has to hold when everything has arrived.
  func checkEnd() throws {
    for index in devices.indices {
      let device = devices[index].device
      guard device.replica.pending.objects.isEmpty else {
        throw Failure(description: "C-4: operations of device \(index) wait for ever")
      }
      for commit in device.replica.pending.commits where !server.nonces.contains(commit.nonce) {
        throw Failure(description: "C-4: commit \(commit.siteVersion) of device \(index) was lost")
      }
      try check(index, after: .mark(0), before: Pending(device))
    }
    if !hadDisaster { try checkOrder() }
  }

  /// C-9: the order of arrival does not matter.
  private func checkOrder() throws {
    var states: [ObjectName: ObjectState] = [:]
    for operation in server.accepted.sorted(by: { $0.stamp < $1.stamp }) {
      _ = states[operation.object, default: ObjectState()].merge(operation.edit, stamp: operation.stamp, research)
    }
    for (object, state) in states where !server.usedFallback.contains(object) {
      let known = server.objects[object]
      let (expected, actual) = (shown(state.properties()), shown(known.properties()))
      guard state.isAlive == known.isAlive, !state.isAlive || expected == actual else {
        throw Failure(
          description:
            "C-9: \(object.key) is \(describe(actual)), in the order of stamps it would be \(describe(expected))")
      }
    }
    try checkSums()
  }

  /// MR-8: a counter is the newest value that an operation gave it, and all that was added since the last assignment. It is computed here
  /// without the server's registers.
  private func checkSums() throws {
    let operations = Dictionary(grouping: server.accepted.sorted { $0.stamp < $1.stamp }, by: \.object)
    for (object, all) in operations where server.objects[object].isAlive {
      let start = all.lastIndex { $0.edit == .delete }.map { $0 + 1 } ?? 0
      var (given, byDefault, adds): (SyncValue?, SyncValue?, [SyncDelta]) = (nil, nil, [])
      for operation in all[start...] {
        switch operation.edit {
        case .create(let properties):
          guard let counter = properties.first(where: { $0.name == "c" }) else { continue }
          if counter.rank == .explicit { given = counter.value } else { byDefault = counter.value }
        case .set(SyncPath("c"), let value): (given, adds) = (value, [])
        case .add(SyncPath("c"), let delta): adds.append(delta)
        default: break
        }
      }
      let expected = (given ?? byDefault).map { adds.reduce($0) { $0.adding($1) ?? $0 } }
      let actual = server.objects[object].value(of: "c")
      guard expected == actual else {
        throw Failure(
          description: "MR-8: \(object.key).c is \(actual?.short ?? "-"), and the sum is \(expected?.short ?? "-")")
      }
    }
  }
}

extension SyncValue {
  /// The value in few letters.
  var short: String {
    switch self {
    case .int(let number): String(number)
    case .decimal(let number): number.text
    case .embedded(let embedded):
      "(" + embedded.properties.map { "\($0.name)=\($0.value.short)" }.joined(separator: " ") + ")"
    case .list(let list): "[" + list.entries.map(\.value.short).joined(separator: ",") + "]"
    case .set(let set): "{" + set.values.map(\.short).joined(separator: ",") + "}"
    case .map(let map): "{" + map.entries.map { "\($0.key):\($0.value.short)" }.joined(separator: ",") + "}"
    default: "\(self)"
    }
  }
}
