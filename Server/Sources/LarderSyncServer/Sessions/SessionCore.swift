import LarderSyncProtocol
import Logging

/// The state of one connection, and what is done for it. Frames of one device are handled one after the other; merging, and sending what the log has,
/// go on beside that.
actor SessionCore {
  enum Phase: Hashable {
    case greeting, welcoming, active, ended
  }

  /// The state from the welcome on.
  struct Active {
    var peer: SessionPeer
    var stream: SessionStream
    var uploads: UploadWindow
    var flow: SessionFlow
    var commits: RateLimit
    var bytes: RateLimit
    /// The objects that the device may create.
    var scope = CreationScope()
    let subscription: Feeds.Subscription
  }

  let number: UInt64
  let services: SessionServices
  let output: any SessionOutput
  let logger: Logger
  private let ended: @Sendable () -> Void
  private(set) var phase = Phase.greeting
  var active: Active?
  var liveness: Liveness
  private var handedBytes = 0
  /// Commits that are not submitted yet, and the objects of operations whose results are not sent yet.
  var queue: [SubmittedUpload] = []
  var operations: [UInt64: [ObjectName]] = [:]
  /// The number of names that were added to these since they were empty.
  var keptNames = 0
  var isUploading = false
  var isPumping = false
  var pumpsAgain = false

  /// - Parameter ended: Is called once, when the session has ended.
  init(
    _ number: UInt64, _ services: SessionServices, _ output: any SessionOutput, peer: String,
    ended: @escaping @Sendable () -> Void
  ) {
    self.number = number
    self.services = services
    self.output = output
    self.ended = ended
    var logger = services.configuration.logger
    logger[metadataKey: "peer"] = "\(peer)"
    self.logger = logger
    liveness = Liveness(
      services.configuration.limits, slowest: services.configuration.slowestMilliseconds, now: services.now)
  }

  var isEnded: Bool { phase == .ended }

  // MARK: - In

  func receive(_ bytes: [UInt8]) async {
    guard !isEnded else { return }
    services.counters.receivedBytes.add(UInt64(bytes.count), ordering: .relaxed)
    liveness.hear(services.now)
    do {
      if phase == .greeting { return try await greet(bytes) }
      var frames = FrameBuffer(limits: limits)
      frames.append(bytes)
      var left = frames.waiting
      while !isEnded,
        let frame = try frames.next(site: active?.peer.site, compression: services.configuration.compression)
      {
        let size = left - frames.waiting
        left = frames.waiting
        try await take(frame.message, size)
      }
      if !isEnded, frames.waiting > 0 {
        throw SessionFailure(.malformed, action: .reconnect, "A message ends within a frame.")
      }
    } catch {
      end(error)
    }
  }

  private var limits: DecodingLimits {
    var limits = DecodingLimits.standard
    limits.frameBytes = min(limits.frameBytes, Int(clamping: services.configuration.limits.frameBytes))
    return limits
  }

  private func greet(_ bytes: [UInt8]) async throws {
    let frame = try SyncFrame(
      decoding: bytes, limits: .handshake, compression: services.configuration.compression)
    guard case .hello(let hello) = frame.message else {
      throw SessionFailure(.unexpected, action: .reconnect, "A session begins with a greeting.")
    }
    phase = .welcoming
    try await welcome(hello)
  }

  private func take(_ message: SyncMessage, _ size: Int) async throws {
    if SessionFlow.counts(message) {
      guard active?.flow.receive(size) != false else {
        throw SessionFailure(.overCredit, action: .reconnect, "The device sent more bytes than it had credit for.")
      }
      if case .upload = message {} else { done(size) }
    }
    switch message {
    case .upload(let upload): try receive(upload.commits, size)
    case .subscribe(let subscribe): try receive(subscribe)
    case .authenticate(let token): try await authenticate(token.string)
    case .mark(let number): try await mark(number)
    case .credit(let bytes):
      active?.flow.add(bytes)
      kick()
    // The bytes that wait to be written show the device that the connection lives.
    case .ping(let number): if isRead { send(.pong(number)) }
    case .pong, .unknown: break
    case .failure(let failure):
      logger.info(
        "a device reports a failure", metadata: ["code": "\(failure.code.rawValue)", "message": "\(failure.message)"])
    case .schemaPush(let schema): try await push(schema)
    case .hello, .welcome, .authenticated, .acknowledge, .refused, .download, .bootstrapBegin, .bootstrapPage,
      .bootstrapEnd, .schema:
      throw SessionFailure(.unexpected, action: .reconnect, "A message came that devices do not send now.")
    }
  }

  // MARK: - Out

  func send(_ message: SyncMessage) {
    let frame = SyncFrame(message).encoded(site: active?.peer.site, compression: active?.peer.compression)
    send(frame, counts: SessionFlow.counts(message))
  }

  func send(_ frame: [UInt8], counts: Bool = true) {
    guard !isEnded else { return }
    if counts { active?.flow.sent(frame.count) }
    handedBytes += frame.count
    services.counters.sentBytes.add(UInt64(frame.count), ordering: .relaxed)
    output.send(frame)
  }

  /// True unless the device leaves unread what it was sent.
  var isRead: Bool { output.unwrittenBytes < services.configuration.mostUnwrittenBytes }

  /// Frames of so many bytes that came are done with.
  func done(_ bytes: Int) {
    if let credit = active?.flow.done(bytes) { send(.credit(credit)) }
  }

  /// The session is welcomed.
  func begin(_ active: Active) {
    guard phase == .welcoming else { return }
    self.active = active
    phase = .active
    services.counters.sessions.add(1, ordering: .relaxed)
  }

  // MARK: - The end

  /// Ends the session with what went wrong.
  func end(_ error: any Error) {
    guard !isEnded else { return }
    let failure = SessionFailure(describing: error)
    if failure.failure.code == .server {
      services.counters.failures.add(1, ordering: .relaxed)
      logger.error("a session failed", metadata: ["reason": "\(error)"])
    }
    send(.failure(failure.failure))
    close()
  }

  /// Ends the session without a word. What was received is still merged.
  func close() {
    guard !isEnded else { return }
    if phase == .active { services.counters.sessions.subtract(1, ordering: .relaxed) }
    phase = .ended
    output.close()
    if let subscription = active?.subscription {
      Task { [services] in await services.feeds.leave(subscription) }
    }
    ended()
  }

  /// Looks at the clock.
  func tick(_ now: Int64) {
    guard !isEnded else { return }
    if let active, active.peer.claims.expires <= now {
      return end(SessionFailure(.tokenExpired, action: .refreshToken, "The token has expired."))
    }
    switch liveness.tick(now, handed: handedBytes, unwritten: output.unwrittenBytes) {
    case .nothing: break
    case .ping: if phase == .active { send(.ping(UInt64(clamping: now))) }
    case .silent, .slow: close()
    }
  }
}

extension SessionFailure {
  /// Makes the failure that a device is sent about an error.
  init(describing error: any Error) {
    switch error {
    case let failure as SessionFailure: self = failure
    case let error as SyncDecodingError:
      guard case .overLimit(let what, let limit) = error.reason else {
        self.init(.malformed, action: .reconnect, "What came is no message: \(error)")
        return
      }
      // The device would send the same again.
      self.init(
        .frameTooLarge, action: .stop,
        "What came has more than \(limit) \(what): a transaction may not be larger. Make it in several.")
    case let error as SyncStoreError where error.kind == .closed:
      self.init(.stopping, action: .reconnect, "The server is being stopped.")
    case is BootstrapFailure:
      self.init(.server, action: .reconnect, "The log of the server has changed; greet again.")
    default:
      // What a database says is for the operator.
      self.init(.server, action: .reconnect, "The server failed; its log has the reason.")
    }
  }
}
