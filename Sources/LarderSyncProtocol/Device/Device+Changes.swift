/// The changes of a device: what a store keeps so that the device can be restored.
public struct DeviceChanges: Sendable {
  /// The state of the device besides commits and objects.
  public let head: DeviceHead
  /// Commits that came or became others; nil for those that the device has forgotten.
  public let commits: [UInt64: SyncCommit?]
  /// Of commits, the indices of operations that wait; nil when all of them do.
  public let waiting: [UInt64: [Int]?]
  /// Details of objects; nil for objects that have none.
  public let details: [ObjectName: [UInt8]?]
  /// Objects whose place in the view cannot be derived; nil when these are as before.
  public let viewExceptions: [ObjectName]?
}

/// A commit that a device keeps, as it was handed out.
public struct KeptCommit: Sendable {
  /// The commit.
  public let commit: SyncCommit
  /// The indices of operations that wait; nil when all do.
  public let waiting: [Int]?

  /// A commit. Indices that it does not have are left out.
  public init(_ commit: SyncCommit, waiting: [Int]?) {
    self.commit = commit
    self.waiting = waiting?.filter { commit.operations.indices.contains($0) }
  }
}

extension Device {
  /// A device as it was when the parts were handed out by `takeChanges`.
  ///
  /// - Parameter commits: In order, without gaps. The store is asked for details of objects when they are needed.
  public init(_ head: DeviceHead, commits: [KeptCommit], viewExceptions: [ObjectName], store: Store) {
    let pending = PendingOperations(
      commits.map { ($0.commit, $0.waiting ?? Array($0.commit.operations.indices)) })
    self.init(
      head, pending: pending, outside: ViewExceptions(exceptions: Set(viewExceptions), pending: pending), store: store)
  }

  /// The state of the device besides commits and objects.
  public var head: DeviceHead {
    var head = DeviceHead(site: site)
    head.cursor = cursor
    head.epoch = epoch
    head.view = view
    head.newestTime = newestTime
    head.lastSiteVersion = lastSiteVersion
    head.acknowledged = acknowledged
    head.skips = skips
    return head
  }

  /// Returns the changes since this was called last, or since the device was restored. Work is proportional to them.
  public mutating func takeChanges() -> DeviceChanges {
    let changes = replica.pending.changes
    var commits: [UInt64: SyncCommit?] = [:]
    for siteVersion in changes.commits { commits[siteVersion] = .some(replica.pending.commit(siteVersion)) }
    var waiting: [UInt64: [Int]?] = [:]
    for siteVersion in changes.waits {
      guard let commit = replica.pending.commit(siteVersion) else { continue }
      let indices = replica.pending.waitingIndices(commit)
      waiting[siteVersion] = .some(indices.count == commit.operations.count ? nil : indices)
    }
    let hasNewExceptions = outside?.update(replica.pending) ?? false
    replica.pending.forgetChanges()
    return DeviceChanges(
      head: head, commits: commits, waiting: waiting, details: replica.takeShadows(),
      viewExceptions: hasNewExceptions ? outside?.exceptions.sorted() : nil)
  }

  /// The commits that the device keeps.
  public var keptCommits: [SyncCommit] { replica.pending.commits }

  /// The operations on an object that wait, in order.
  public func waitingOperations(on object: ObjectName) -> [SyncEdit] { replica.pending.edits(object) }

  /// A commit that the device keeps; nil for one that it has forgotten.
  public func commit(_ siteVersion: UInt64) -> SyncCommit? { replica.pending.commit(siteVersion) }

  /// Returns true if an operation of a commit waits for its marker.
  public func isWaiting(_ siteVersion: UInt64) -> Bool {
    replica.pending.commit(siteVersion).map { !replica.pending.waitingIndices($0).isEmpty } ?? false
  }

  /// Returns true if a list that is a property of an object has elements with names, as the device knows it.
  public func knowsElements(of property: SyncText, _ object: ObjectName) -> Bool {
    (replica.shadow(of: object)?.children[.name(property)]?.table.shownCount ?? 0) > 0
  }
}
