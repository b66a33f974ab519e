/// Merges uploaded commits into the objects of one part, and says what the log has to keep of each.
public struct Merger<Rules: WriteRules> {
  /// The part, as it is after the commits merged so far.
  public var part: PartState
  /// The rules for who may write what.
  public let rules: Rules
  var research: ResearchRules = []
  /// The number of object names that were compared or looked up for the last commit.
  private(set) var lookUps = 0

  /// A merger for a part.
  public init(part: PartState, rules: Rules) {
    self.part = part
    self.rules = rules
  }

  /// The time that a device's clock may be ahead: five minutes.
  static var tolerance: UInt64 { 5 * 60 * 1000 }

  /// Merges a commit that `ClientState.decide` says is to be merged.
  ///
  /// `now` is the server's clock, in milliseconds since 1970. `isRepeated` says that the log has a commit with the same random number, from another
  /// site: then the commit has no effect, and its author takes over what is there (MR-16). Work is proportional to the operations and the objects
  /// they touch.
  public mutating func merge(
    _ commit: SyncCommit, site: SiteID, client: inout ClientState, now: UInt64, isRepeated: Bool = false,
    objects: inout some MergeObjects
  ) -> MergedCommit<Rules.Summary> {
    let time = accepted(commit.time, client: client, now: now)
    part.head += 1
    part.newestTime = max(part.newestTime, time)
    client.lastSiteVersion = commit.siteVersion
    client.lastTime = time
    var merged = MergedCommit<Rules.Summary>(
      version: part.head, site: site, siteVersion: commit.siteVersion, nonce: commit.nonce, time: time,
      isClamped: time != commit.time)
    merged.results.reserveCapacity(commit.operations.count)
    var indexes = TouchedIndexes()
    for (index, operation) in commit.operations.enumerated() {
      if isRepeated {
        _ = merged.touch(operation.object, &indexes) { rules.summary(of: objects[operation.object], operation.object) }
        merged.results.append(.whole)
        continue
      }
      let stamp = Stamp(time: time, site: site, operation: UInt32(truncatingIfNeeded: index))
      merge(operation, stamp: stamp, into: &objects[operation.object], &merged, &indexes)
    }
    finish(&merged, commit, &indexes, &objects)
    lookUps = indexes.work
    return merged
  }

  /// The time that a commit gets: its own, unless it is too far ahead or not after the site's last one (MR-6).
  private func accepted(_ time: SyncTime, client: ClientState, now: UInt64) -> SyncTime {
    let limit = SyncTime(milliseconds: now + Self.tolerance)
    if time <= limit, time > client.lastTime { return time }
    if research.contains(.clampToNow) { return SyncTime(milliseconds: now) }
    return SyncTime(rawValue: max(SyncTime(milliseconds: now), part.newestTime, client.lastTime).rawValue + 1)
  }

  private func merge(
    _ operation: SyncOperation, stamp: Stamp, into state: inout ObjectState,
    _ merged: inout MergedCommit<Rules.Summary>, _ indexes: inout TouchedIndexes
  ) {
    let touched = merged.touch(operation.object, &indexes) { rules.summary(of: state, operation.object) }
    if let reason = rules.refusal(of: operation, before: state) {
      merged.results.append(.refused(reason))
      return
    }
    guard state.accepts(operation.edit) else {
      merged.results.append(.noRow)
      return
    }
    let saved = rules.looksAfter(operation) ? state : nil
    let effect = state.merge(operation.edit, stamp: stamp, research)
    if let saved, let reason = rules.refusalAfter(operation, state) {
      state = saved
      merged.results.append(.refused(reason))
      return
    }
    merged.results.append(effect.result)
    merged.objects[touched].deltas += effect.deltas
    merged.objects[touched].changesAll = merged.objects[touched].changesAll || effect.changesAll
  }

  private func finish(
    _ merged: inout MergedCommit<Rules.Summary>, _ commit: SyncCommit, _ indexes: inout TouchedIndexes,
    _ objects: inout some MergeObjects
  ) {
    let columns = merged.keepForAuthor(commit, &indexes)
    for index in merged.objects.indices {
      let object = merged.objects[index].object
      let isUseless = research.contains(.uselessCommitsTouchNothing) && !merged.hasEffect(on: index, commit)
      if !isUseless { objects[object].touchedVersion = merged.version }
      merged.objects[index].after = rules.summary(of: objects[object], object)
      if let columns = columns[index] {
        merged.objects[index].columns = columns.sorted().map { objects[object].column($0) }
      }
    }
  }
}

extension ObjectState {
  /// Returns true if an operation finds what it needs (MR-14).
  func accepts(_ edit: SyncEdit) -> Bool {
    switch edit {
    case .create: true
    case .delete: isKnown
    default: isAlive
    }
  }
}
