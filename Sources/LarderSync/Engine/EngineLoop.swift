import LarderLocks
import LarderStorage
import LarderSyncProtocol

/// Runs an exchange over connections: does what the state of the connection says, and hands over what arrives.
///
/// Tasks that wait for the network, a token or the clock belong to a connection, and what they bring is dropped after it has ended.
actor EngineLoop {
  private let executor = EngineExecutor()
  let exchange: Exchange
  let configuration: EngineConfiguration
  private let board: EngineBoard
  private var state: ConnectionState
  /// The number of the connection, or of the attempt to make one.
  private(set) var connection = 0
  private var tasks: [Task<Void, Never>] = []
  private var link: EngineLink?
  /// The token to greet with, once the steps that are left are done.
  private var greeting: String?
  private var isOpen = false
  private var isStopped = false
  private var isStepping = false
  private var lastHeard = Duration.zero
  private var waiters = EngineWaiters()
  private let inbox = Lock<[ConnectionState.Event]>([])

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ store: Store, _ configuration: EngineConfiguration, _ board: EngineBoard) {
    exchange = Exchange(store, configuration)
    self.configuration = configuration
    self.board = board
    state = ConnectionState(configuration.timeouts)
  }

  // MARK: - Events

  /// Handles an event soon, after those before it.
  nonisolated func enqueue(_ event: ConnectionState.Event) {
    inbox.withLock { $0.append(event) }
    Task(executorPreference: StoreTaskExecutor.shared) { await self.handleAll() }
  }

  private func handleAll() {
    let events = inbox.withLock { events in
      defer { events = [] }
      return events
    }
    for event in events { handle(event) }
  }

  func handle(_ event: ConnectionState.Event) {
    guard !isStopped else { return }
    if event == .start || event == .resume { open() }
    let actions = state.handle(event, chance: configuration.clock.chance())
    // Who hears of a failure finds what has become of the engine by it.
    showStatus()
    for action in actions { perform(action) }
    if case .failed(let failure) = state.phase { endWaits(failure) }
    showStatus()
  }

  /// The same, unless it is of a connection that has ended.
  func handle(_ event: ConnectionState.Event, of connection: Int) {
    if connection == self.connection { handle(event) }
  }

  func stop() async {
    guard !isStopped else { return }
    handle(.stop)
    isStopped = true
    endWaits(.stopped)
    showStatus()
  }

  private func open() {
    guard !isOpen else { return }
    attempt {
      try exchange.open()
      isOpen = true
    }
    deliver()
  }

  /// Does something with the store; what goes wrong ends the connection until the program does something about it.
  private func attempt(_ body: () throws -> Void) {
    do { try body() } catch {
      // The failure may be in the middle of a step: the store has what is certain.
      Task { self.handle(.broken(EngineFailure(error))) }
    }
  }

  private func perform(_ action: ConnectionState.Action) {
    switch action {
    case .requestToken(let reason, let attempt): requestToken(reason, attempt)
    case .connect: connect()
    case .greet(let token):
      greeting = token
      run { await $0.step() }
    case .authenticate(let token):
      exchange.authenticate(token)
      deliver()
    case .wait(let duration): after(duration, .elapsed)
    case .waitForToken(let duration): after(duration, .tokenWaitElapsed)
    case .resend(let duration): resumeUploads(after: duration)
    case .close: close()
    case .report(let failure): board.observers.tell(.failure(failure))
    }
  }

  // MARK: - Tasks of a connection

  private func run(_ body: @escaping @Sendable (isolated EngineLoop) async -> Void) {
    tasks.append(Task { await body(self) })
  }

  private func after(_ duration: Duration, _ event: ConnectionState.Event) {
    let connection = connection
    run { loop in
      do { try await loop.configuration.clock.sleep(duration) } catch { return }
      loop.handle(event, of: connection)
    }
  }

  private func requestToken(_ reason: TokenReason, _ attempt: Int) {
    let connection = connection
    run { loop in
      do {
        let token = try await loop.configuration.tokens.token(reason, attempt: attempt)
        loop.handle(.token(token), of: connection)
      } catch TokenError.signInRequired {
        loop.handle(.tokenFailed(.signInRequired), of: connection)
      } catch {
        loop.handle(.tokenFailed(.token("\(error)")), of: connection)
      }
    }
  }

  private func connect() {
    let connection = connection
    let endpoint = SyncEndpoint(
      url: configuration.url, headers: configuration.headers(),
      trustedCertificates: configuration.trustedCertificates, allowsPlainText: configuration.allowsPlainText)
    run { loop in
      // A bootstrap that has arrived before is applied first: the server does not wait long for a greeting.
      await loop.step()
      guard connection == loop.connection else { return }
      loop.limitAttempt()
      do {
        let made = try await loop.configuration.transport.connect(endpoint)
        guard connection == loop.connection else { return await made.close() }
        loop.connected(made)
      } catch {
        loop.handle(.lost(error as? TransportError ?? .unreachable("\(error)")), of: connection)
      }
    }
  }

  /// Gives up when the server has not answered in time.
  private func limitAttempt() {
    let connection = connection
    run { loop in
      do { try await loop.configuration.clock.sleep(loop.configuration.timeouts.connect) } catch { return }
      guard connection == loop.connection, loop.state.phase != .online else { return }
      loop.handle(.lost(.unreachable("The server has not answered.")))
    }
  }

  private func connected(_ made: any SyncConnection) {
    let connection = connection
    link = EngineLink(made) { [weak self] error in await self?.handle(.lost(error), of: connection) }
    heard()
    run { loop in
      do {
        while let bytes = try await made.receive() {
          guard connection == loop.connection else { return }
          loop.heard()
          loop.exchange.receive(bytes)
          await loop.step()
        }
        loop.handle(.lost(.closed), of: connection)
      } catch {
        loop.handle(.lost(error as? TransportError ?? .unreachable("\(error)")), of: connection)
      }
    }
    handle(.connected)
  }

  private func close() {
    connection += 1
    for task in tasks { task.cancel() }
    tasks = []
    greeting = nil
    exchange.disconnect()
    link?.close()
    link = nil
  }

  // MARK: - Steps

  /// Does all steps that are left; between two of them others have their turn.
  private func step() async {
    // Another task is at it, and will find what has arrived.
    guard !isStepping, isOpen else { return }
    isStepping = true
    defer { isStepping = false }
    repeat {
      while makeStep() { await Task.yield() }
      guard let token = greeting else { break }
      greeting = nil
      attempt { try exchange.greet(token) }
      deliver()
    } while true
  }

  private func makeStep() -> Bool {
    guard !isStopped else { return false }
    var isMore = false
    attempt { isMore = try exchange.step() }
    deliver()
    return isMore
  }

  /// Hands on what the exchange wants done.
  private func deliver() {
    let output = exchange.takeOutput()
    for frame in output.frames { link?.send(frame) }
    for event in output.events { board.observers.tell(event) }
    for id in output.endedWaits { waiters.end(id, .success(())) }
    if output.isWelcomed {
      handle(.welcomed)
      keepAlive()
    }
    if output.hasProgressed { handle(.progressed) }
    if let end = output.tokenEnd { renewToken(before: end) }
    if let stall = output.stall { handle(.stalled(stall)) }
    if let end = output.end { handle(.failure(end)) }
    showStatus()
  }

  /// The store has commits that the exchange may not know.
  func storeChanged() {
    guard isOpen, !isStopped else { return }
    attempt { try exchange.pump() }
    deliver()
  }

  /// The program was notified of the oldest refused writes.
  func refusalsReported() {
    guard isOpen, !isStopped else { return }
    attempt { try exchange.forgetRefused() }
  }

  private func resumeUploads(after pause: Duration) {
    let connection = connection
    run { loop in
      do { try await loop.configuration.clock.sleep(pause) } catch { return }
      guard connection == loop.connection else { return }
      loop.attempt { try loop.exchange.resumeUploads() }
      loop.deliver()
    }
  }

  /// Asks for another token in time, unless there is one by then.
  private func renewToken(before end: UInt64) {
    guard let duration = exchange.token.renewal(at: configuration.clock.now()) else { return }
    let connection = connection
    run { loop in
      do { try await loop.configuration.clock.sleep(duration) } catch { return }
      guard connection == loop.connection, loop.exchange.token.end == end else { return }
      loop.handle(.tokenIsOld(.expiring))
    }
  }

  // MARK: - Silence

  /// A session that goes on for so long is alone with its site.
  private static let settling = Duration.seconds(120)

  private func heard() { lastHeard = configuration.clock.now() }

  private func keepAlive() {
    after(Self.settling, .settled)
    guard let limits = exchange.session?.limits else { return }
    let ping = min(configuration.timeouts.ping, .seconds(Int64(max(1, limits.pingSeconds))))
    let silence = min(configuration.timeouts.silence, .seconds(Int64(max(2, limits.silenceSeconds))))
    let connection = connection
    run { loop in
      while connection == loop.connection {
        do { try await loop.configuration.clock.sleep(ping) } catch { return }
        loop.listen(ping, silence, connection)
      }
    }
  }

  private func listen(_ ping: Duration, _ silence: Duration, _ connection: Int) {
    guard connection == self.connection else { return }
    // What has arrived waits until it is written.
    if isStepping { heard() }
    let quiet = configuration.clock.now() - lastHeard
    if quiet >= silence {
      handle(.lost(.unreachable("The server is silent.")))
    } else if quiet >= ping {
      link?.send(SyncFrame(.ping(0)).encoded())
    }
  }

  // MARK: - Waiting

  /// Waits until the commits made so far are at the server.
  func waitForUpload() async throws {
    try await wait { exchange, id in
      try exchange.keeper.replay()
      guard let device = exchange.keeper.device, device.acknowledged < device.lastSiteVersion else { return false }
      exchange.waits.addUpload(id, through: device.lastSiteVersion)
      return true
    }
  }

  /// Waits until what the server has now is here.
  func waitForDownload() async throws {
    try await wait { exchange, id in
      exchange.waits.addDownload(id)
      try exchange.pump()
      return true
    }
  }

  /// - Parameter begin: Whether there is something to wait for.
  private func wait(_ begin: @escaping (Exchange, Int) throws -> Bool) async throws {
    if isStopped { throw EngineFailure.stopped }
    if case .failed(let failure) = state.phase { throw failure }
    let id = waiters.next()
    do {
      guard try begin(exchange, id) else { return }
    } catch {
      exchange.waits.remove(id)
      throw EngineFailure(error)
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiters.add(id, continuation)
        if Task.isCancelled { cancelWait(id) }
        deliver()
      }
    } onCancel: {
      Task { await self.cancelWait(id) }
    }
  }

  private func cancelWait(_ id: Int) {
    exchange.waits.remove(id)
    waiters.end(id, .failure(CancellationError()))
  }

  private func endWaits(_ failure: EngineFailure) {
    for id in waiters.endAll(failure) { exchange.waits.remove(id) }
  }

  // MARK: - Status

  private func showStatus() {
    var status = EngineStatus()
    exchange.describe(&status)
    switch state.phase {
    case .online: status.connection = .connected
    case .connecting, .handshake: status.connection = .connecting
    case .offline, .waiting, .suspended, .failed: break
    }
    if case .failed = state.phase { status.isInactive = true }
    status.isInactive = status.isInactive || isStopped
    status.isSuspended = state.phase == .suspended
    board.show(status)
  }
}
