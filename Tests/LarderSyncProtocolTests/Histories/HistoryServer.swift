@testable import LarderSyncProtocol

/// A server in memory. It is a value, so that a backup is a copy.
struct HistoryServer {
  struct Entry {
    var merged: MergedCommit<Int64?>
    /// The objects that the commit named, as it left them.
    var states: [ObjectName: ObjectState]
  }

  struct Objects: MergeObjects {
    var states: [ObjectName: ObjectState] = [:]

    subscript(object: ObjectName) -> ObjectState {
      get { states[object] ?? ObjectState() }
      _modify { yield &states[object, default: ObjectState()] }
    }
  }

  var merger = Merger(part: PartState(epoch: 1), rules: HistoryRules())
  var objects = Objects()
  var clients: [SiteID: ClientState] = [:]
  /// Versions from the floor on.
  var log: [Entry] = []
  /// The states of `objects` at every version from 1 on, for the checks, also below the floor.
  var history: [Entry] = []
  /// The objects of `history`.
  private(set) var names: Set<ObjectName> = []
  var nonces: [UInt64] = []
  var places: Set<OperationID> = []
  /// Operations in the order in which they were accepted, for the check against the order of stamps.
  var accepted: [(object: ObjectName, edit: SyncEdit, stamp: Stamp)] = []
  /// Objects of which an operation named a place that the server does not know: then its place is a matter of arrival.
  var usedFallback: Set<ObjectName> = []
  /// The newest time in the log at each version.
  private var newestTimes: [SyncTime] = []

  var head: UInt64 { merger.part.head }

  /// The state of an object at a version; unknown before the first one that named it.
  func state(_ object: ObjectName, at version: UInt64) -> ObjectState {
    history.prefix(Int(version)).last { $0.states[object] != nil }?.states[object] ?? ObjectState()
  }

  /// Merges a commit; a violation of what must hold for every merge is returned as text.
  mutating func merge(_ commit: SyncCommit, site: SiteID, now: UInt64, seen: UInt64) -> String? {
    var client = clients[site] ?? ClientState()
    let lastTime = client.lastTime
    let isRepeated =
      !merger.research.contains(.forksRepeatCommits)
      && history.contains { $0.merged.nonce == commit.nonce && $0.merged.site != site }
    let merged = merger.merge(
      commit, site: site, client: &client, now: now, isRepeated: isRepeated, objects: &objects)
    clients[site] = client
    var states: [ObjectName: ObjectState] = [:]
    for touched in merged.objects { states[touched.object] = objects[touched.object] }
    log.append(Entry(merged: merged, states: states))
    history.append(Entry(merged: merged, states: states))
    names.formUnion(states.keys)
    if !isRepeated { nonces.append(commit.nonce) }
    newestTimes.append(merger.part.newestTime)
    for (index, operation) in commit.operations.enumerated() where !isRepeated {
      switch merged.results[index] {
      case .refused, .noRow: continue
      default:
        let stamp = Stamp(time: merged.time, site: site, operation: UInt32(index))
        accepted.append((operation.object, operation.edit, stamp))
      }
    }
    if merged.time <= lastTime { return "C-11: times of \(site) do not ascend" }
    if isRepeated { return nil }
    return repeatedPlaces(commit, merged) ?? misplaced(commit, merged) ?? lostToSeen(commit, merged, seen)
  }

  /// C-6: an insert is between its neighbours, when the server orders those as the device did, and in one piece unless the same commit changes
  /// the list once more. Notes objects with operations whose neighbours the server does not know.
  private mutating func misplaced(_ commit: SyncCommit, _ merged: MergedCommit<Int64?>) -> String? {
    for (index, operation) in commit.operations.enumerated() {
      let span: (first: OperationID, count: Int, left: OperationID?, right: OperationID?)
      switch operation.edit {
      case .listInsert(_, let values, let first, let left, let right): span = (first, values.count, left, right)
      case .listMove(_, _, let position, let left, let right): span = (position, 1, left, right)
      default: continue
      }
      guard let order = objects[operation.object].root.places(around: span.first),
        let first = order.firstIndex(of: span.first)
      else { continue }
      let left = span.left.map { order.firstIndex(of: $0) } ?? -1
      let right = span.right.map { order.firstIndex(of: $0) } ?? order.count
      guard let left, let right else {
        usedFallback.insert(operation.object)
        continue
      }
      let last = span.first.later(by: UInt32(span.count - 1))
      guard let end = order.firstIndex(of: last) else { return "C-6: a part of \(span.first) is missing" }
      if left < right, !(left < first && end < right) { return "C-6: \(span.first) is not between its neighbours" }
      let isLast = !commit.operations[(index + 1)...].contains {
        $0.object == operation.object && $0.edit.collection == operation.edit.collection
      }
      if isLast, end - first != span.count - 1 { return "C-6: \(span.first) is not in one piece" }
    }
    return nil
  }

  /// C-11: no name is given twice. Only places that the server made count.
  private mutating func repeatedPlaces(_ commit: SyncCommit, _ merged: MergedCommit<Int64?>) -> String? {
    for (operation, result) in zip(commit.operations, merged.results) {
      var made: [OperationID] = []
      switch operation.edit {
      case .listInsert(_, let values, let first, _, _):
        made = values.indices.map { first.later(by: UInt32($0)) }
      case .listMove(_, _, let position, _, _): made = [position]
      case .set(_, .list(let list)), .mapPut(_, _, .list(let list)): made = list.entries.map(\.position)
      default: continue
      }
      switch result {
      case .refused, .noRow, .noop: continue
      default: break
      }
      for id in made where id.siteVersion > 0 && !places.insert(id).inserted { return "C-11: \(id) was given twice" }
    }
    return nil
  }

  /// C-8: what the author has seen never beats its later change.
  private func lostToSeen(_ commit: SyncCommit, _ merged: MergedCommit<Int64?>, _ seen: UInt64) -> String? {
    for (operation, result) in zip(commit.operations, merged.results) where result == .echo || result == .lost {
      // An add to what is no number is no loss.
      guard let path = operation.edit.path, operation.edit.collectionKind != .object || operation.edit.isAssignment
      else { continue }
      let isForeign = history.contains {
        $0.merged.version > seen && $0.merged.version < merged.version && $0.states[operation.object] != nil
          && $0.merged.site != merged.site
      }
      if !isForeign { return "C-8: \(path.property) of \(operation.object.key) lost to what its author had seen" }
    }
    return nil
  }

  /// Numbers of commits outlive the log: a backup of a device may be older than its floor.
  func nonce(_ site: SiteID, _ siteVersion: UInt64) -> UInt64? {
    history.last { $0.merged.site == site && $0.merged.siteVersion == siteVersion }?.merged.nonce
  }

  /// Returns the record that a device is sent of a version; nil when it is sent nothing.
  func record(_ version: UInt64, for site: SiteID, _ view: HistoryView) -> DownloadRecord? {
    guard let entry = log.first(where: { $0.merged.version == version }) else { return nil }
    let merged = entry.merged
    let isOwn = merged.site == site
    var objects: [ObjectDelta] = []
    for touched in merged.objects {
      let transition = ViewTransition(before: view.contains(touched.before), after: view.contains(touched.after))
      let state = { entry.states[touched.object]! }
      let change =
        isOwn
        ? touched.changeForAuthor(for: transition, merger.research, state: state)
        : touched.change(for: transition, state: state)
      if let change { objects.append(ObjectDelta(touched.object, change)) }
    }
    guard isOwn || !objects.isEmpty else { return nil }
    let marker = isOwn ? OwnMarker(siteVersion: merged.siteVersion, results: merged.results) : nil
    // What comes whole can be newer than the commit.
    let isWhole =
      !merger.research.contains(.recordsTellOwnTime)
      && objects.contains { if case .cells = $0.change { false } else { $0.change != .gone } }
    return DownloadRecord(
      version: version, time: isWhole ? newestTimes[Int(version) - 1] : merged.time, site: merged.site, own: marker,
      objects: objects)
  }

  /// Drops the log up to a version.
  mutating func trim(through version: UInt64) {
    merger.part.floor = max(merger.part.floor, version)
    log.removeAll { $0.merged.version <= version }
    for (object, state) in objects.states where state.touchedVersion <= version {
      var trimmed = state
      trimmed.trim()
      objects.states[object] = trimmed.isKnown ? trimmed : nil
    }
  }

  /// The fault when trimming left more than what is seen; nil when it did not (C-10).
  var trimFault: String? {
    for (object, state) in objects.states where state.touchedVersion <= merger.part.floor {
      guard state.isAlive else { return "C-10: \(object.key) is not there and still known" }
      if state.root.holdsMoreThanSeen { return "C-10: \(object.key) has places or keys that cannot be seen" }
    }
    return nil
  }
}

extension SyncEdit {
  fileprivate var isAssignment: Bool { if case .set = self { true } else { false } }
}

extension Container {
  /// The places of the list that has one, in order; nil when no list has it.
  fileprivate func places(around position: OperationID) -> [OperationID]? {
    if list.position(position) != nil { return list.order.map { list.positions[Int($0)] } }
    let slots = entries.map(\.slot) + list.elements.map(\.slot)
    return slots.lazy.flatMap { $0.fixed + ($0.explicit?.contents ?? []) }.compactMap { $0.places(around: position) }
      .first
  }

  fileprivate var holdsMoreThanSeen: Bool {
    if list.nodes.count != list.elements.count { return true }
    let slots = entries.map(\.slot) + list.elements.map(\.slot)
    return slots.contains { slot in
      slot.explicit?.isAbsent == true || slot.fixed.contains(where: \.holdsMoreThanSeen)
        || slot.explicit?.contents.contains(where: \.holdsMoreThanSeen) == true
    }
  }
}
