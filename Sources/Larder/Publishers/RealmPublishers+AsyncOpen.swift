import Dispatch
import LarderLocks

#if canImport(Combine)
  import Combine
#elseif OpenCombine
  import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
  extension RealmPublishers {
    /// Opens a Realm in the background for each subscription, sends it on the main queue or a queue of choice, and ends; or fails.
    public struct AsyncOpenPublisher: Publisher {
      public typealias Output = Realm
      public typealias Failure = any Error

      let configuration: Realm.Configuration
      var queue: DispatchQueue = .main

      /// Opens for a serial `DispatchQueue`, to which the Realm belongs then. Another scheduler is misuse.
      public func receive<S: Scheduler>(on scheduler: S) -> Self {
        AsyncOpenPublisher(configuration: configuration, queue: ReceivingPlace.observing(scheduler))
      }

      public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
        let opening = OpeningInProgress()
        subscriber.receive(subscription: AsyncOpenSubscription(opening: opening))
        opening.begin(configuration, queue) { result in
          switch result {
          case .success(let realm):
            _ = subscriber.receive(realm)
            subscriber.receive(completion: .finished)
          case .failure(let error): subscriber.receive(completion: .failure(error))
          }
        }
      }
    }
  }

  /// A subscription to an opening: cancelled, it sends nothing.
  public struct AsyncOpenSubscription: Subscription {
    let opening: OpeningInProgress

    /// The same for one subscription.
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(opening) }

    /// Does nothing: the one value is sent when it is there.
    public func request(_ demand: Subscribers.Demand) {}

    /// The Realm is not sent any more. From any thread.
    public func cancel() { opening.cancel() }
  }

  /// An opening that its subscriber may cancel before it has begun.
  final class OpeningInProgress: Sendable {
    private let state = Lock<(task: Realm.AsyncOpenTask?, isCancelled: Bool)>((nil, false))

    func begin(
      _ configuration: Realm.Configuration, _ queue: DispatchQueue,
      _ callback: @escaping (Result<Realm, any Error>) -> Void
    ) {
      if state.withLock({ $0.isCancelled }) { return }
      let task = Realm.asyncOpen(configuration: configuration, callbackQueue: queue, callback: callback)
      let isCancelled = state.withLock { state in
        state.task = task
        return state.isCancelled
      }
      if isCancelled { task.cancel() }
    }

    func cancel() {
      let task = state.withLock { state in
        state.isCancelled = true
        return state.task
      }
      task?.cancel()
    }
  }

  extension Realm {
    /// A publisher that opens a Realm in the background, and sends it on the main queue, or where `receive(on:)` says.
    public static func asyncOpen(
      configuration: Realm.Configuration = .defaultConfiguration
    ) -> RealmPublishers.AsyncOpenPublisher {
      RealmPublishers.AsyncOpenPublisher(configuration: configuration)
    }
  }
#endif
