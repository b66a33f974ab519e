import LarderLocks

#if canImport(Combine)
  import Combine
#elseif OpenCombine
  import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
  /// A subscription to an observation: it ends when it is cancelled, or goes.
  ///
  /// How many values are demanded does not matter: what has changed is sent, as an observer's block is called.
  public struct ObservationSubscription: Subscription {
    let state: SubscribedToken

    /// The same for one subscription.
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(state) }

    /// Does nothing: values are sent when there is news.
    public func request(_ demand: Subscribers.Demand) {}

    /// Ends the observation. From any thread.
    public func cancel() { state.end() }
  }

  /// The token of a subscription, which subscribers get before there is one: they may cancel at once.
  final class SubscribedToken: Sendable {
    private enum State {
      case waiting
      case observing(NotificationToken)
      case ended
    }

    private let state = Lock(State.waiting)

    var isOpen: Bool { state.withLock { if case .ended = $0 { false } else { true } } }

    /// Begins the observation for a subscriber, who has the subscription before any value.
    ///
    /// - Parameters:
    ///   - save: Given the token before any value, when it is observed without a queue.
    ///   - register: Begins it; what is sent goes to those whose subscription is open.
    static func begin<S: Subscriber>(
      _ subscriber: S, _ save: (NotificationToken) -> Void, _ register: (SubscribedToken) -> NotificationToken
    ) {
      let state = SubscribedToken()
      subscriber.receive(subscription: ObservationSubscription(state: state))
      guard state.isOpen else { return }
      let token = register(state)
      save(token)
      state.hold(token)
    }

    private func hold(_ token: NotificationToken) {
      let isOpen = state.withLock { state -> Bool in
        if case .ended = state { return false }
        state = .observing(token)
        return true
      }
      if !isOpen { token.invalidate() }
    }

    func end() {
      let last = state.withLock { state in
        defer { state = .ended }
        return state
      }
      if case .observing(let token) = last { token.invalidate() }
    }
  }
#endif
