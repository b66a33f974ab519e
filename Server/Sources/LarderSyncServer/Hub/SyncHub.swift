import LarderSyncProtocol

/// The server's logic for all its connections, independent of sockets: any number of hubs, in one process or several, may serve one store.
public final class SyncHub: Sendable {
  private let configuration: HubConfiguration

  /// A hub over a store. It serves once `run` was called.
  ///
  /// - Parameters:
  ///   - hints: Carries word of new commits between hubs.
  ///   - verifier: Checks the tokens of devices.
  public init(
    store: any SyncStore, hints: any HintBus, verifier: any TokenVerifier, configuration: HubConfiguration
  ) {
    self.configuration = configuration
  }

  /// A session for a connection that was just made.
  ///
  /// - Parameter peer: The address of the other side, for the log.
  public func connect(_ output: any SessionOutput, peer: String) -> DeviceSession { DeviceSession(output) }

  /// Follows the logs and the clock until the task is cancelled or `shutDown` is called.
  public func run() async throws {}

  /// Refuses new sessions, asks devices to come again, and returns when what was received is merged.
  public func shutDown() async {}

  /// What the hub has done and has.
  public var metrics: HubMetrics { HubMetrics() }
}
