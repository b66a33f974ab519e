import LarderSyncProtocol
import Logging
import Synchronization

/// The server's logic for all its connections, independent of sockets. It keeps nothing that the store does not have: any number of hubs, in one
/// process or several, may serve one store.
public final class SyncHub: Sendable {
  private struct Connections {
    var sessions: [UInt64: DeviceSession] = [:]
    var last: UInt64 = 0
    var isStopping = false
  }

  private let services: SessionServices
  private let follower: HeadFollower
  private let connections = Mutex(Connections())

  /// A hub over a store. Sessions may come at once; without `run` they are not sent what other servers merge.
  ///
  /// - Parameters:
  ///   - hints: Carries word of new commits between hubs.
  ///   - verifier: Checks the tokens of devices.
  public init(
    store: any SyncStore, hints: any HintBus, verifier: any TokenVerifier, configuration: HubConfiguration
  ) {
    follower = HeadFollower(store: store, bus: hints, logger: configuration.logger)
    let feeds = Feeds(
      store: store, follower: follower, capacity: configuration.ringCommits, ringBytes: configuration.ringBytes,
      bytes: configuration.frameBytes, compression: configuration.compression, logger: configuration.logger)
    var merging = CombinerConfiguration(clock: configuration.clock)
    merging.metrics = configuration.metrics
    merging.logger = configuration.logger
    merging.capacity = configuration.capacity
    let combiners = Combiners(store: store, hints: hints, configuration: merging) { hint in
      Task { await feeds.advance(hint.tenant) }
    }
    services = SessionServices(
      store: store, verifier: verifier, configuration: configuration, combiners: combiners, feeds: feeds)
  }

  /// A session for a connection that was just made.
  ///
  /// - Parameter peer: The address of the other side, for the log.
  public func connect(_ output: any SessionOutput, peer: String) -> DeviceSession {
    let (session, isStopping) = connections.withLock { state in
      state.last += 1
      let number = state.last
      let core = SessionCore(number, services, output, peer: peer) { [weak self] in
        _ = self?.connections.withLock { $0.sessions.removeValue(forKey: number) }
      }
      let session = DeviceSession(core)
      state.sessions[number] = session
      return (session, state.isStopping)
    }
    if isStopping { Task { await session.core.end(Self.stopping) } }
    return session
  }

  /// Follows the logs, the configuration of tenants and the clock, until the task is cancelled or `shutDown` is called.
  public func run() async throws {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [follower, services] in
        // Beside each other: a tenant whose log takes long makes no other one wait.
        await follower.run { hint in Task { await services.feeds.advance(hint.tenant) } }
      }
      group.addTask { await self.followClock() }
      group.addTask { await self.followConfigurations() }
      group.addTask { await self.followRetention() }
      // Only the clock ends by itself, when the hub is shut down.
      await group.next()
      group.cancelAll()
    }
    try Task.checkCancellation()
  }

  /// Refuses new sessions, asks devices to come again, and returns when what was received is merged.
  public func shutDown() async {
    let sessions = connections.withLock { state in
      state.isStopping = true
      return Array(state.sessions.values)
    }
    for session in sessions { await session.core.end(Self.stopping) }
    for session in sessions { await session.core.finishUploads() }
    await services.combiners.close()
  }

  /// The counts of the hub at this moment.
  public var metrics: HubMetrics {
    let counters = services.counters
    return HubMetrics(
      connections: connections.withLock { $0.sessions.count }, sessions: counters.sessions.load(ordering: .relaxed),
      commits: counters.commits.load(ordering: .relaxed), bootstraps: counters.bootstraps.load(ordering: .relaxed),
      sentBytes: counters.sentBytes.load(ordering: .relaxed),
      receivedBytes: counters.receivedBytes.load(ordering: .relaxed),
      failures: counters.failures.load(ordering: .relaxed))
  }

  private static var stopping: SessionFailure {
    SessionFailure(.stopping, action: .reconnect, "The server is being stopped.")
  }

  // MARK: - What comes by itself

  private func followClock() async {
    while !Task.isCancelled, !connections.withLock({ $0.isStopping }) {
      // Cancelled is noticed by the condition of the loop.
      try? await Task.sleep(for: .seconds(1))
      let now = services.now
      for session in connections.withLock({ Array($0.sessions.values) }) { await session.core.tick(now) }
    }
  }

  private func followConfigurations() async {
    let interval = services.configuration.configurationMilliseconds
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(interval))
      await configurationsChanged()
    }
  }

  private func followRetention() async {
    let interval = services.configuration.trimmingMilliseconds
    while !Task.isCancelled {
      await trim()
      try? await Task.sleep(for: .milliseconds(interval))
    }
  }

  /// Removes what tenants keep no longer. It is called by `run` regularly. Any number of servers may do it at once.
  public func trim() async {
    let (store, logger) = (services.store, services.configuration.logger)
    do {
      for tenant in try await TenantAdministration(store: store).tenants() {
        guard !Task.isCancelled else { return }
        _ = try await store.trimExpired(tenant.id, now: services.now)
      }
    } catch {
      logger.warning("what has expired cannot be removed; trying again", metadata: ["reason": "\(error)"])
    }
  }

  /// Looks at the configuration of all tenants that have sessions. Devices get what they may see now. It is called by `run` regularly, and may be
  /// called when a configuration is known to have changed.
  public func configurationsChanged() async {
    var known: [TenantID: TenantConfiguration] = [:]
    for session in connections.withLock({ Array($0.sessions.values) }) {
      guard let tenant = await session.core.tenant else { continue }
      do {
        if known[tenant] == nil { known[tenant] = try await services.configuration.tenants.configuration(of: tenant) }
      } catch {
        services.configuration.logger.warning(
          "the configuration of a tenant cannot be read", metadata: ["tenant": "\(tenant)", "reason": "\(error)"])
        continue
      }
      if let configuration = known[tenant] {
        await session.core.configurationChanged(configuration)
      } else {
        await session.core.end(GreetingChecks.tenantRefused(tenant.name))
      }
    }
  }
}
