import Logging
import ServiceLifecycle
import UnixSignals

/// The configuration of a server.
public struct ServerConfiguration: Sendable {
  /// The configuration of the listener that devices connect to.
  public var listener: ListenerConfiguration
  /// The address on which an operator's programs ask for health and metrics; nil for none.
  public var status: ListenAddress?
  /// Checks tokens.
  public var verifier: any TokenVerifier
  /// True if the server makes tenants and schemas as devices ask for them, and everyone may do everything while a tenant has no roles.
  public var isDevelopment: Bool
  /// True if a token that names no tenant is for all of them. It is refused otherwise.
  public var acceptsTokensWithoutTenant = false
  /// The limits of what each device may upload and ask for.
  public var devices = DeviceLimits()
  /// So long after the signal that ends the server, what waits for the database is given up. Devices send it again later.
  public var endingTime = Duration.seconds(10)

  /// A configuration without status, for production.
  public init(listener: ListenerConfiguration, verifier: any TokenVerifier) {
    self.listener = listener
    self.verifier = verifier
    isDevelopment = false
  }
}

/// A whole server: hub, listeners, and an orderly end.
public struct SyncServer: Sendable {
  private let hub: SyncHub
  private let listener: SyncListener
  private let status: StatusListener?
  private let tls: TLSIdentity?
  private let store: any SyncStore
  private let endingTime: Duration
  private let logger: Logger

  /// A server over a store.
  ///
  /// - Throws: `ListenerError.plainText`.
  public init(
    store: any SyncStore, hints: any HintBus, configuration: ServerConfiguration
  ) throws(ListenerError) {
    let tenants = StoredTenants(store: store, isDevelopment: configuration.isDevelopment)
    let registry = MetricsRegistry()
    var serving = HubConfiguration(tenants: tenants)
    serving.metrics = MergingMetrics(factory: registry)
    serving.devices = configuration.devices
    serving.acceptsTokensWithoutTenant = configuration.acceptsTokensWithoutTenant
    hub = SyncHub(store: store, hints: hints, verifier: configuration.verifier, configuration: serving)
    var listening = configuration.listener
    listening.metrics = ConnectionMetrics(factory: registry)
    listener = try SyncListener(listening, sessions: hub)
    let hub = self.hub
    status = configuration.status.map {
      StatusListener(address: $0, status: ServerStatus(store: store, hub: hub, registry: registry))
    }
    tls = configuration.listener.tls
    self.store = store
    endingTime = configuration.endingTime
    logger = Logger(label: "larder-sync.server")
  }

  /// Serves until SIGTERM or SIGINT: devices are asked to come again then, and what was received is merged before it returns. While the
  /// database is away nothing can be merged: after the configuration's time it returns all the same, with the store abandoned. SIGHUP has the
  /// certificate read again.
  ///
  /// - Parameters:
  ///   - ready: Called with the address when devices may connect.
  ///   - statusReady: Called with the address when health and metrics are answered.
  /// - Throws: `ListenerError.address`.
  public func run(
    ready: @escaping @Sendable (ListenAddress) -> Void,
    statusReady: @escaping @Sendable (ListenAddress) -> Void = { _ in }
  ) async throws {
    var logger = Logger(label: "larder-sync.lifecycle")
    logger.logLevel = .error
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [
          ServiceGroupConfiguration.ServiceConfiguration(
            service: Body(server: self, ready: ready, statusReady: statusReady),
            successTerminationBehavior: .gracefullyShutdownGroup)
        ], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    try await group.run()
  }

  /// Reads the certificate again at each SIGHUP, until the task is cancelled.
  private func followHangUps() async {
    for await _ in await UnixSignalsSequence(trapping: .sighup) {
      guard let tls else { continue }
      do throws(ListenerError) {
        try tls.reload()
        logger.notice("the certificate was read again")
      } catch {
        logger.error("the certificate stays the one before", metadata: ["reason": "\(error)"])
      }
    }
  }

  private struct Body: Service {
    let server: SyncServer
    let ready: @Sendable (ListenAddress) -> Void
    let statusReady: @Sendable (ListenAddress) -> Void

    func run() async throws {
      let (stopping, stop) = AsyncStream<Void>.makeStream()
      let limit = EndingLimit(server.store, server.endingTime, server.logger)
      defer { limit.cancel() }
      try await withGracefulShutdownHandler {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await server.hub.run() }
          group.addTask { try await server.listener.run(ready: ready) }
          if let status = server.status { group.addTask { try await status.run(ready: statusReady) } }
          group.addTask { await server.followHangUps() }
          group.addTask {
            for await _ in stopping {}
            await server.hub.shutDown()
          }
          // The first to end is the one that was asked to, or one that failed.
          try await group.next()
          group.cancelAll()
          while let result = await group.nextResult() {
            if case .failure(let error) = result, !(error is CancellationError) { throw error }
          }
        }
      } onGracefulShutdown: {
        limit.start()
        stop.finish()
      }
    }
  }
}
