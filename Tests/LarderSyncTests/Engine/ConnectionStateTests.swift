import LarderSyncProtocol
import Testing

@testable import LarderSync

@Suite("The state of a connection")
struct ConnectionStateTests {
  /// A state in one place.
  private final class Machine {
    private var state = ConnectionState(EngineTimeouts())

    var phase: ConnectionState.Phase { state.phase }

    func handle(_ event: ConnectionState.Event, chance: Double) -> [ConnectionState.Action] {
      state.handle(event, chance: chance)
    }
  }

  private let state = Machine()

  private static func failure(
    _ code: SyncFailureCode, _ action: SyncFailureAction, retryAfter: UInt32? = nil
  ) -> SyncFailure {
    SyncFailure(code, action: action, message: "", retryAfter: retryAfter)
  }

  private func comeOnline() {
    for event in [ConnectionState.Event.start, .token("t"), .connected, .welcomed, .progressed] {
      _ = state.handle(event, chance: 0)
    }
  }

  /// A session that nothing comes of before it is lost or fails; what is done at its end.
  private func fruitless(_ end: ConnectionState.Event) -> [ConnectionState.Action] {
    for event in [ConnectionState.Event.start, .elapsed, .token("t"), .connected, .welcomed] {
      _ = state.handle(event, chance: 0)
    }
    return state.handle(end, chance: 0)
  }

  @Test("A connection begins with a token, is made, greets, and has a session")
  func begin() {
    #expect(state.handle(.start, chance: 0) == [.requestToken(.connecting, attempt: 1)])
    #expect(state.handle(.token("t"), chance: 0) == [.connect(token: "t")])
    #expect(state.handle(.connected, chance: 0) == [.greet(token: "t")])
    #expect(state.phase == .handshake)
    #expect(state.handle(.welcomed, chance: 0) == [])
    #expect(state.phase == .online)
  }

  @Test("Y-37: times to wait double from 1 to 60 seconds, are drawn at random, and begin again after a session")
  func backOff() {
    let lost = ConnectionState.Event.lost(.unreachable("no"))
    comeOnline()
    var waits: [Duration] = []
    for _ in 0..<9 {
      for action in state.handle(lost, chance: 0) { if case .wait(let duration) = action { waits.append(duration) } }
      _ = state.handle(.elapsed, chance: 0)
      _ = state.handle(.token("t"), chance: 0)
    }
    #expect(waits.map { $0 * 2 } == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
    #expect(state.handle(lost, chance: 0.5).contains(.wait(.seconds(45))))
    comeOnline()
    _ = state.handle(.elapsed, chance: 0)
    _ = state.handle(.token("t"), chance: 0)
    _ = state.handle(.connected, chance: 0)
    _ = state.handle(.welcomed, chance: 0)
    _ = state.handle(.progressed, chance: 0)
    #expect(state.handle(lost, chance: 0).contains(.wait(.milliseconds(500))))
  }

  @Test("F-106: A greeting alone does not shorten the time to wait; what goes further does")
  func progress() {
    let failed = ConnectionState.Event.failure(Self.failure(.server, .reconnect))
    let waits = (0..<8).map { _ in
      fruitless(failed).compactMap { if case .wait(let duration) = $0 { duration * 2 } else { nil } }
    }
    #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60].map { [.seconds($0)] })
    _ = state.handle(.elapsed, chance: 0)
    for event in [ConnectionState.Event.token("t"), .connected, .welcomed, .progressed] {
      _ = state.handle(event, chance: 0)
    }
    #expect(state.handle(failed, chance: 0).contains(.wait(.milliseconds(500))))
  }

  @Test("F-106: After ten sessions without progress the program gets one error, with the last reason")
  func tries() {
    let failure = SyncFailure(.server, action: .reconnect, message: "the table is full")
    let told = EngineFailure.noProgress(tries: 10, "the table is full")
    // Attempts without a session are none.
    for _ in 0..<20 {
      for event in [ConnectionState.Event.start, .elapsed, .token("t"), .lost(.unreachable("no"))] {
        _ = state.handle(event, chance: 0)
      }
    }
    for number in 1...30 {
      let actions = fruitless(number == 5 ? .lost(.closed) : .failure(failure))
      #expect(actions.contains(.report(told)) == (number == 10))
    }
    _ = state.handle(.elapsed, chance: 0)
    for event in [ConnectionState.Event.token("t"), .connected, .welcomed, .progressed] {
      _ = state.handle(event, chance: 0)
    }
    // It is another row of tries then.
    _ = state.handle(.failure(failure), chance: 0)
    for number in 1...10 { #expect(fruitless(.failure(failure)).contains(.report(told)) == (number == 10)) }
    let error = SyncError(told, path: "a.larder")
    #expect(error.code == .clientSessionError && error.message.contains("the table is full"))
    var reporting = ErrorReporting()
    let isReported = reporting.reports(told)
    #expect(isReported)
  }

  @Test("F-106: What the server wants again later is sent after a growing time until confirmed, and reported")
  func stalled() {
    comeOnline()
    let busy = SyncFailure(.busy, action: .resend, message: "busy", retryAfter: 1_000)
    var waits: [Duration] = []
    var told: [Int] = []
    for number in 1...12 {
      for action in state.handle(.stalled(busy), chance: 0) {
        switch action {
        case .resend(let duration): waits.append(duration)
        case .report(.noProgress): told.append(number)
        default: Issue.record("\(action)")
        }
      }
    }
    #expect(Array(waits.prefix(7)) == [1, 1, 1, 2, 4, 8, 16].map { Duration.seconds($0) })
    #expect(told == [11])
    _ = state.handle(.progressed, chance: 0)
    #expect(state.handle(.stalled(busy), chance: 0) == [.resend(.seconds(1))])
  }

  @Test("Y-37: the time that the server gives is waited for, and a cause that stays is reported once")
  func retryAfter() {
    comeOnline()
    let busy = Self.failure(.stopping, .reconnect, retryAfter: 2_000)
    let actions = state.handle(.failure(busy), chance: 0)
    #expect(actions == [.close, .wait(.seconds(2)), .report(.server(busy))])
    _ = state.handle(.elapsed, chance: 0)
    #expect(state.handle(.failure(busy), chance: 0) == [.close, .wait(.seconds(2))])
  }

  @Test("F-101: a server that asks for weeks is asked again after an hour")
  func longRetry() {
    comeOnline()
    let busy = Self.failure(.busy, .resend, retryAfter: .max)
    #expect(state.handle(.stalled(busy), chance: 0) == [.resend(.seconds(3_600))])
    let stopping = Self.failure(.stopping, .reconnect, retryAfter: .max)
    #expect(state.handle(.failure(stopping), chance: 0).contains(.wait(.seconds(3_600))))
  }

  @Test("F-112: A session that another one replaced is tried again, soon the first time, and reported once after that")
  func fenced() {
    let fenced = Self.failure(.fenced, .stop)
    func comeBack() {
      for event in [ConnectionState.Event.elapsed, .token("t"), .connected, .welcomed] {
        _ = state.handle(event, chance: 0)
      }
    }
    comeOnline()
    #expect(state.handle(.failure(fenced), chance: 0) == [.close, .wait(.milliseconds(500))])
    for round in 0..<3 {
      comeBack()
      #expect(state.phase == .online)
      let actions = state.handle(.failure(fenced), chance: 0)
      #expect(actions.prefix(2) == [.close, .wait(.seconds(30))])
      // A cause that stays is reported once.
      #expect(actions.count == (round == 0 ? 3 : 2), "round \(round)")
    }
    // Alone for some time, it is back soon again.
    comeBack()
    #expect(state.handle(.settled, chance: 0) == [])
    #expect(state.handle(.failure(fenced), chance: 0) == [.close, .wait(.seconds(1))])
    comeBack()
    #expect(state.handle(.settled, chance: 0) == [])
    #expect(state.handle(.progressed, chance: 0) == [])
    #expect(state.handle(.failure(fenced), chance: 0) == [.close, .wait(.milliseconds(500))])
  }

  @Test("A connection that failed by TLS is tried again after the longest time")
  func tls() {
    _ = state.handle(.start, chance: 0)
    _ = state.handle(.token("t"), chance: 0)
    #expect(state.handle(.lost(.tls("x")), chance: 0.3).contains(.wait(.seconds(60))))
  }

  @Test("Y-57: suspend and resume may come in any order and more than once")
  func suspend() {
    #expect(state.handle(.suspend, chance: 0) == [])
    comeOnline()
    #expect(state.handle(.suspend, chance: 0) == [.close])
    #expect(state.handle(.suspend, chance: 0) == [.close])
    #expect(state.phase == .suspended)
    #expect(state.handle(.elapsed, chance: 0) == [] && state.handle(.reconnect, chance: 0) == [])
    #expect(state.handle(.resume, chance: 0) == [.close, .requestToken(.connecting, attempt: 1)])
    #expect(state.handle(.resume, chance: 0) == [])
  }

  @Test("Reconnecting skips the rest of the time to wait, and changes nothing in a session")
  func reconnect() {
    comeOnline()
    #expect(state.handle(.reconnect, chance: 0) == [])
    _ = state.handle(.lost(.closed), chance: 0)
    #expect(state.phase == .waiting)
    #expect(state.handle(.reconnect, chance: 0) == [.close, .requestToken(.connecting, attempt: 1)])
  }

  @Test("Y-56: an expired token is replaced at once, and a token that is refused again only after a time")
  func expired() {
    comeOnline()
    let expired = Self.failure(.tokenExpired, .refreshToken)
    #expect(state.handle(.failure(expired), chance: 0) == [.close, .requestToken(.expired, attempt: 1)])
    _ = state.handle(.token("t2"), chance: 0)
    _ = state.handle(.connected, chance: 0)
    let refused = Self.failure(.token, .refreshToken)
    #expect(state.handle(.failure(refused), chance: 0).contains(.wait(.milliseconds(500))))
    #expect(state.handle(.elapsed, chance: 0) == [.requestToken(.refused, attempt: 1)])
  }

  @Test("Y-56: a token that grows old is replaced in the session, and its source is asked again when it fails")
  func expiring() {
    comeOnline()
    #expect(state.handle(.tokenIsOld(.expiring), chance: 0) == [.requestToken(.expiring, attempt: 1)])
    #expect(state.handle(.tokenIsOld(.expiring), chance: 0) == [])
    #expect(
      state.handle(.tokenFailed(.token("x")), chance: 0)
        == [.waitForToken(.milliseconds(500)), .report(.token("x"))])
    #expect(state.handle(.tokenWaitElapsed, chance: 0) == [.requestToken(.expiring, attempt: 2)])
    #expect(state.handle(.token("t2"), chance: 0) == [.authenticate("t2")])
    #expect(state.phase == .online)
  }

  @Test("Y-56: without a user the engine waits for the program")
  func signIn() {
    _ = state.handle(.start, chance: 0)
    #expect(state.handle(.tokenFailed(.signInRequired), chance: 0) == [.close, .report(.signInRequired)])
    #expect(state.phase == .failed(.signInRequired))
    #expect(state.handle(.elapsed, chance: 0) == [])
    #expect(state.handle(.tokenIsOld(.connecting), chance: 0) == [.close, .requestToken(.connecting, attempt: 1)])
  }

  @Test("Y-56: another token of the program is tried as it is, whatever became of the one before")
  func another() {
    comeOnline()
    _ = state.handle(.failure(Self.failure(.tokenExpired, .refreshToken)), chance: 0)
    _ = state.handle(.tokenFailed(.signInRequired), chance: 0)
    #expect(state.handle(.tokenIsOld(.connecting), chance: 0) == [.close, .requestToken(.connecting, attempt: 1)])
    #expect(state.handle(.tokenIsOld(.connecting), chance: 0) == [.close, .requestToken(.connecting, attempt: 1)])
    #expect(state.handle(.token("t2"), chance: 0) == [.connect(token: "t2")])
    _ = state.handle(.connected, chance: 0)
    #expect(state.handle(.tokenIsOld(.connecting), chance: 0) == [.close, .requestToken(.connecting, attempt: 1)])
    #expect(state.handle(.token("t3"), chance: 0) == [.connect(token: "t3")])
  }

  @Test("A failure that the program has to deal with ends the attempts, until it resumes")
  func stop() {
    comeOnline()
    let schema = Self.failure(.schema, .stop)
    #expect(state.handle(.failure(schema), chance: 0) == [.close, .report(.server(schema))])
    #expect(state.phase == .failed(.server(schema)))
    #expect(state.handle(.elapsed, chance: 0) == [])
    #expect(state.handle(.resume, chance: 0) == [.close, .requestToken(.connecting, attempt: 1)])
  }

  @Test("Y-63: a store that cannot be written now is tried again, and one whose records are damaged is not")
  func broken() {
    comeOnline()
    #expect(state.handle(.broken(.store("full")), chance: 0).contains(.wait(.milliseconds(500))))
    _ = state.handle(.elapsed, chance: 0)
    #expect(state.handle(.broken(.state("damaged")), chance: 0) == [.close, .report(.state("damaged"))])
    #expect(state.handle(.broken(.state("damaged")), chance: 0) == [])
  }

  @Test("Answers that come after the end of a connection change nothing")
  func late() {
    comeOnline()
    _ = state.handle(.stop, chance: 0)
    for event in [ConnectionState.Event.token("t"), .connected, .welcomed, .lost(.closed), .elapsed] {
      #expect(state.handle(event, chance: 0) == [])
    }
    #expect(state.phase == .offline)
  }
}
