import LarderLocks
import LarderStorage

/// The way of one queued write to the store's write lock: asks for it in the background, and holds what it got until its turn on
/// the Realm's own thread, queue or actor.
///
/// A write begun synchronously in the same place would wait for a lock that only this very place can let go of. So it suspends
/// the grants of its Realm first: they give back what they have, and ask again, before everybody else, once it has begun.
final class WriteGrant: Sendable {
  private enum Stage {
    case asking
    case granted(LentWriter)
    case failed(any Error)
    /// Suspended; asks again afterwards.
    case returned
    case ended
  }

  private struct State {
    var stage = Stage.asking
    var isSuspended = false
    var request: WriterRequest?
  }

  private let store: Store
  /// Called on a thread of the store's when there is an answer; more than once after a suspension.
  private let answered: @Sendable () -> Void
  private let state = Lock(State())

  init(_ store: Store, answered: @escaping @Sendable () -> Void) {
    self.store = store
    self.answered = answered
  }

  func ask(isFirst: Bool = false) {
    let request = store.requestWrite(isFirst: isFirst) { self.receive($0) }
    state.withLock { if case .asking = $0.stage { $0.request = request } }
  }

  private func receive(_ answer: Result<LentWriter, any Error>) {
    let returned = state.withLock { state -> LentWriter? in
      state.request = nil
      if case .ended = state.stage { return try? answer.get() }
      switch answer {
      case .success(let lent) where state.isSuspended:
        state.stage = .returned
        return lent
      case .success(let lent): state.stage = .granted(lent)
      case .failure(let error): state.stage = .failed(error)
      }
      return nil
    }
    if let returned {
      returned.writer.cancel()
    } else {
      answered()
    }
  }

  /// The version the transaction starts from; nil while there is none.
  var base: Snapshot? {
    state.withLock { if case .granted(let lent) = $0.stage { lent.writer.base } else { nil } }
  }

  /// Takes the transaction; nil when there is none (now). Throws when it could not be begun.
  func take() throws -> StoreWriter? {
    let lent = try state.withLock { state -> LentWriter? in
      switch state.stage {
      case .granted(let lent):
        state.stage = .ended
        return lent
      case .failed(let error):
        state.stage = .ended
        throw error
      default: return nil
      }
    }
    return lent?.writer
  }

  /// Gives up: what comes or came is ended.
  func cancel() {
    let lent = state.withLock { state -> LentWriter? in
      defer { state.stage = .ended }
      if let request = state.request, request.cancel() { state.request = nil }
      if case .granted(let lent) = state.stage { return lent }
      return nil
    }
    lent?.writer.cancel()
  }

  /// Gives back what it has, and whatever comes, until `resume()`.
  func suspend() {
    let lent = state.withLock { state -> LentWriter? in
      state.isSuspended = true
      guard case .granted(let lent) = state.stage else { return nil }
      state.stage = .returned
      return lent
    }
    lent?.writer.cancel()
  }

  func resume() {
    let mustAsk = state.withLock { state -> Bool in
      state.isSuspended = false
      guard case .returned = state.stage else { return false }
      state.stage = .asking
      return true
    }
    if mustAsk { ask(isFirst: true) }
  }
}
