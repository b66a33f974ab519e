import LarderSyncProtocol
import Logging

/// The feeds of tenants that have sessions in this process.
actor Feeds {
  /// The handle of a session that listens to a feed.
  struct Subscription: Sendable {
    let feed: PartFeed
    fileprivate let number: UInt64
    fileprivate let session: UInt64
  }

  private struct Entry {
    let tenant: TenantID
    let feed: Task<PartFeed, any Error>
    var sessions: Set<UInt64>
  }

  private let store: any SyncStore
  private let follower: HeadFollower
  private let capacity: Int
  private let ringBytes: Int
  private let bytes: Int
  private let compression: BodyCompression?
  private let logger: Logger
  private var entries: [UInt64: Entry] = [:]
  private var current: [TenantID: UInt64] = [:]
  private var last: UInt64 = 0

  init(
    store: any SyncStore, follower: HeadFollower, capacity: Int, ringBytes: Int, bytes: Int,
    compression: BodyCompression?, logger: Logger
  ) {
    self.store = store
    self.follower = follower
    self.capacity = capacity
    self.ringBytes = ringBytes
    self.bytes = bytes
    self.compression = compression
    self.logger = logger
  }

  /// The number of tenants that have sessions.
  var tenants: Int { current.count }

  /// The feed of a tenant, which calls a closure of the session whenever there may be something new.
  ///
  /// - Parameter part: A head row that was read before. A feed of another log, which was there before a backup was restored, is not taken.
  /// - Throws: what keeps the log from being read.
  func listen(
    _ tenant: TenantID, session: UInt64, _ part: PartRecord, _ wake: @escaping @Sendable () -> Void
  ) async throws -> Subscription {
    if let number = current[tenant], let feed = try? await entries[number]?.feed.value, await !feed.reads(part) {
      if current[tenant] == number { current[tenant] = nil }
    }
    let number = current[tenant] ?? open(tenant)
    entries[number]?.sessions.insert(session)
    do {
      guard let feed = try await entries[number]?.feed.value else { throw CancellationError() }
      await feed.listen(session, wake)
      return Subscription(feed: feed, number: number, session: session)
    } catch {
      close(number, session)
      throw error
    }
  }

  /// Ends the calls.
  func leave(_ subscription: Subscription) async {
    await subscription.feed.leave(subscription.session)
    close(subscription.number, subscription.session)
  }

  /// Lets the feed of a tenant look at its log.
  func advance(_ tenant: TenantID) async {
    guard let number = current[tenant], let feed = try? await entries[number]?.feed.value else { return }
    await feed.advance()
  }

  private func open(_ tenant: TenantID) -> UInt64 {
    last += 1
    current[tenant] = last
    let log = LogReader(store, tenant, .first)
    let feed = Task { [follower, capacity, ringBytes, bytes, compression, logger] in
      let (head, nonce) = try await log.end()
      await follower.reached(tenant, .first, version: head.head)
      return PartFeed(
        log, head: head, nonce: nonce, capacity: capacity, ringBytes: ringBytes, bytes: bytes,
        compression: compression, logger: logger
      ) { version in
        await follower.reached(tenant, .first, version: version)
      }
    }
    entries[last] = Entry(tenant: tenant, feed: feed, sessions: [])
    return last
  }

  private func close(_ number: UInt64, _ session: UInt64) {
    entries[number]?.sessions.remove(session)
    guard let entry = entries[number], entry.sessions.isEmpty else { return }
    entries[number] = nil
    guard current[entry.tenant] == number else { return }
    current[entry.tenant] = nil
    Task { await unfollow(entry.tenant) }
  }

  private func unfollow(_ tenant: TenantID) async {
    guard current[tenant] == nil else { return }
    await follower.leave(tenant, .first)
    // A session that came meanwhile follows the log again.
    if current[tenant] != nil { await advance(tenant) }
  }
}
