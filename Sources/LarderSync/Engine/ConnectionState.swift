import LarderSyncProtocol

/// The state of an engine's connection, the events that change it, and the actions that follow.
///
/// It is a value without clock and network. Its caller answers each action with the event that the action names, and drops answers to actions of a
/// connection that has ended since.
struct ConnectionState: Hashable, Sendable {
  enum Phase: Hashable, Sendable {
    /// Not started, or stopped.
    case offline
    /// The engine waits for the next attempt.
    case waiting
    /// A token is asked for, or the connection is made.
    case connecting
    /// The greeting is sent, and not answered.
    case handshake
    /// There is a session.
    case online
    /// The program has suspended the engine.
    case suspended
    /// The program has to do something first.
    case failed(EngineFailure)
  }

  enum Event: Hashable, Sendable {
    case start, stop, suspend, resume
    /// The program, or the system, wants the next attempt now.
    case reconnect
    /// The answer to `.wait`.
    case elapsed
    /// The answers to `.requestToken`.
    case token(String)
    case tokenFailed(EngineFailure)
    /// The answers to `.connect`.
    case connected
    case lost(TransportError)
    /// The server has answered the greeting.
    case welcomed
    /// Something went further that a later session need not do again.
    case progressed
    /// The server wants to be sent again later what it has not confirmed.
    case stalled(SyncFailure)
    /// The server said that something ends the session.
    case failure(SyncFailure)
    /// The store, or what it keeps, is not what the engine can go on with.
    case broken(EngineFailure)
    /// A part of the token's life is over, or the program has another one.
    case tokenIsOld(TokenReason)
    /// The answer to `.waitForToken`.
    case tokenWaitElapsed
    /// The session is open for some time.
    case settled
  }

  enum Action: Hashable, Sendable {
    case requestToken(TokenReason, attempt: Int)
    case connect(token: String)
    case greet(token: String)
    /// Sends a token in the session.
    case authenticate(String)
    case wait(Duration)
    /// Waits before the token source is asked again, in a session.
    case waitForToken(Duration)
    /// Sends again after a time what the server has not confirmed.
    case resend(Duration)
    /// Ends the connection, the attempt to make one, and all waiting.
    case close
    case report(EngineFailure)
  }

  private(set) var phase = Phase.offline
  private var backOff: BackOff
  private var tokenBackOff: BackOff
  private var token = ""
  private var reason = TokenReason.connecting
  private var isRequesting = false
  /// The number of times that other sessions of the store's site took the place of this one since a session was open for some time.
  private var fences = 0
  /// The failure that was reported last, so that a cause that stays is not reported with each attempt.
  private var reported: EngineFailure?
  /// Sessions, and times to send again, since the last progress.
  private var tries = 0
  /// True while the session has made no progress.
  private var isFruitless = false

  /// The number of tries without progress that is reported to the program.
  private static let mostTries = 10
  /// The longest time that a server may ask for, so that a wrong number keeps no device away for weeks.
  private static let mostAsked = Duration.seconds(3_600)

  /// A state before `start`.
  init(_ timeouts: EngineTimeouts) {
    backOff = BackOff(least: timeouts.leastBackOff, most: timeouts.mostBackOff)
    tokenBackOff = backOff
  }

  /// Takes an event, and says what to do.
  ///
  /// - Parameter chance: A number from 0 up to 1, for times to wait.
  mutating func handle(_ event: Event, chance: Double) -> [Action] {
    switch event {
    case .stop: return end(.offline)
    case .suspend: return phase == .offline ? [] : end(.suspended)
    case .start: return phase == .offline ? attempt() : []
    case .resume: return phase == .suspended || isFailed ? restart() : []
    case .reconnect: return phase == .waiting ? restart() : []
    case .elapsed: return phase == .waiting ? attempt() : []
    case .token(let token): return take(token)
    case .tokenFailed(let failure): return tokenFailed(failure, chance)
    case .tokenIsOld(let reason): return renewToken(reason)
    case .tokenWaitElapsed: return phase == .online ? request(.expiring) : []
    case .settled:
      fences = 0
      return []
    case .connected:
      guard phase == .connecting else { return [] }
      phase = .handshake
      return [.greet(token: token)]
    case .welcomed:
      guard phase == .handshake else { return [] }
      phase = .online
      isFruitless = true
      reason = .connecting
      tokenBackOff.reset()
      return []
    case .progressed:
      guard phase == .online else { return [] }
      isFruitless = false
      tries = 0
      reported = nil
      backOff.reset()
      return []
    case .stalled(let failure): return stalled(failure, chance)
    case .lost(let error): return lost(error, chance)
    case .failure(let failure): return failed(failure, chance)
    case .broken(let failure): return broken(failure, chance)
    }
  }

  private var isFailed: Bool { if case .failed = phase { true } else { false } }

  /// True if there is a connection, or one is being made.
  private var isActive: Bool {
    switch phase {
    case .connecting, .handshake, .online: true
    case .offline, .waiting, .suspended, .failed: false
    }
  }

  // MARK: - Attempts

  private mutating func attempt() -> [Action] {
    phase = .connecting
    return request(reason)
  }

  private mutating func restart() -> [Action] {
    backOff.reset()
    isFruitless = false
    return [.close] + attempt()
  }

  private mutating func end(_ phase: Phase) -> [Action] {
    self.phase = phase
    isRequesting = false
    isFruitless = false
    return [.close]
  }

  /// Counts a session that ends without progress. Without a connection there is nothing to count.
  private mutating func countTry(_ failure: EngineFailure) -> [Action] {
    guard isFruitless else { return [] }
    isFruitless = false
    tries += 1
    return tries == Self.mostTries ? [.report(.noProgress(tries: tries, failure.text))] : []
  }

  /// The server's time, and a longer one when that did not help.
  private mutating func stalled(_ failure: SyncFailure, _ chance: Double) -> [Action] {
    guard phase == .online else { return [] }
    var duration = Self.asked(failure.retryAfter ?? 1_000)
    if !isFruitless { backOff.reset() } else { duration = max(duration, backOff.next(chance)) }
    let counted = countTry(.server(failure))
    isFruitless = true
    return [.resend(duration)] + counted
  }

  private static func asked(_ milliseconds: UInt32) -> Duration { min(.milliseconds(Int64(milliseconds)), mostAsked) }

  private mutating func wait(_ duration: Duration) -> [Action] { end(.waiting) + [.wait(duration)] }

  private mutating func report(_ failure: EngineFailure) -> [Action] {
    guard reported != failure else { return [] }
    reported = failure
    return [.report(failure)]
  }

  private mutating func lost(_ error: TransportError, _ chance: Double) -> [Action] {
    guard isActive else { return [] }
    let counted = countTry(.transport(error))
    switch error {
    case .address, .plainText, .unavailable:
      return end(.failed(.transport(error))) + report(.transport(error))
    case .tls: return wait(backOff.most) + report(.transport(error))
    case .unreachable, .refused, .closed: return wait(backOff.next(chance)) + report(.transport(error)) + counted
    }
  }

  private mutating func failed(_ failure: SyncFailure, _ chance: Double) -> [Action] {
    guard isActive else { return [] }
    if failure.code == .fenced { return fenced(failure, chance) }
    switch failure.action {
    case .carryOn, .resend: return [.report(.server(failure))]
    case .stop: return end(.failed(.server(failure))) + [.report(.server(failure))]
    case .refreshToken:
      // A token that has only run out is replaced at once, the first time.
      let isFirst = reason == .connecting
      reason = failure.code == .tokenExpired ? .expired : .refused
      return isFirst ? [.close] + attempt() : again(failure, chance)
    case .reconnect, .reset: return again(failure, chance)
    }
  }

  /// Another session of the store's site goes on. The first time it may be one of this engine's own, of a greeting that came late or twice, and
  /// the engine is back soon. After that another process has the store: both would end each other's sessions all the time.
  private mutating func fenced(_ failure: SyncFailure, _ chance: Double) -> [Action] {
    fences = min(fences, 1) + 1
    if fences == 1 { return wait(backOff.next(chance)) }
    return wait(backOff.most * (0.5 + chance / 2)) + report(.server(failure))
  }

  private mutating func again(_ failure: SyncFailure, _ chance: Double) -> [Action] {
    let counted = countTry(.server(failure))
    var duration = backOff.next(chance)
    if let milliseconds = failure.retryAfter {
      // Not all devices at the same moment.
      duration = Self.asked(milliseconds) * (1 + chance / 4)
    }
    return wait(duration) + report(.server(failure)) + counted
  }

  /// Handles a failure of the store or of what it keeps. What the store cannot do now, as on a full disk, it may do later; what it keeps does not
  /// become right by itself.
  private mutating func broken(_ failure: EngineFailure, _ chance: Double) -> [Action] {
    if case .store = failure {
      let counted = countTry(failure)
      return (isActive ? wait(backOff.next(chance)) : []) + report(failure) + counted
    }
    return isFailed || phase == .offline ? [] : end(.failed(failure)) + [.report(failure)]
  }

  // MARK: - Tokens

  private mutating func request(_ reason: TokenReason) -> [Action] {
    guard !isRequesting else { return [] }
    isRequesting = true
    return [.requestToken(reason, attempt: tokenBackOff.failures + 1)]
  }

  private mutating func take(_ token: String) -> [Action] {
    guard isRequesting else { return [] }
    isRequesting = false
    let isOther = token != self.token
    self.token = token
    switch phase {
    case .connecting: return [.connect(token: token)]
    case .online:
      tokenBackOff.reset()
      return isOther ? [.authenticate(token)] : []
    default: return []
    }
  }

  private mutating func tokenFailed(_ failure: EngineFailure, _ chance: Double) -> [Action] {
    guard isRequesting else { return [] }
    isRequesting = false
    if failure == .signInRequired { return end(.failed(failure)) + report(failure) }
    let duration = tokenBackOff.next(chance)
    switch phase {
    case .connecting: return wait(duration) + report(failure)
    case .online: return [.waitForToken(duration)] + report(failure)
    default: return []
    }
  }

  private mutating func renewToken(_ reason: TokenReason) -> [Action] {
    switch phase {
    case .online: return request(reason)
    case .connecting, .handshake, .waiting, .failed(.signInRequired), .failed(.token):
      // The program has another token, which has not been refused: it is used as it is, and no answer about the one before counts.
      self.reason = reason
      isRequesting = false
      return restart()
    default: return []
    }
  }
}
