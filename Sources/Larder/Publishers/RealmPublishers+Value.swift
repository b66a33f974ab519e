import Dispatch

#if canImport(Combine)
  import Combine
#elseif OpenCombine
  import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
  extension RealmPublishers {
    /// Sends a collection itself at once and after each change, and an object or projection after each change. Ends when an object is
    /// deleted. Never fails.
    ///
    /// What is sent is live: `freeze()` or `threadSafeReference()` before it goes to another thread.
    public struct Value<Subscribable: RealmSubscribable>: Publisher where Subscribable: ThreadConfined {
      public typealias Output = Subscribable
      public typealias Failure = any Error

      let subscribable: Subscribable
      let keyPaths: [String]?
      var queue: DispatchQueue?

      /// The same, saving the token of each subscription, so that a write can leave it out with `withoutNotifying:`.
      public func saveToken<T>(
        on object: T, at keyPath: WritableKeyPath<T, NotificationToken?>
      ) -> ValueWithToken<Subscribable, T> {
        ValueWithToken(self, TokenPlace(object, keyPath))
      }

      /// The same, observing on a serial `DispatchQueue`, where what is sent belongs to a Realm of that queue. Another scheduler is misuse.
      public func subscribe<S: Scheduler>(on scheduler: S) -> Value<Subscribable> {
        Value(subscribable: subscribable, keyPaths: keyPaths, queue: ReceivingPlace.observing(scheduler))
      }

      /// Sends the counterparts of a Realm of another place, a serial `DispatchQueue` or a scheduler of one thread, some time later. Prefer
      /// `subscribe(on:)`, which observes there.
      public func receive<S: Scheduler>(on scheduler: S) -> RealmPublishers.Handover<Self, S> {
        Handover(upstream: self, scheduler: scheduler)
      }

      public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
        begin(subscriber) { _ in }
      }

      fileprivate func begin<S: Subscriber>(_ subscriber: S, _ save: (NotificationToken) -> Void)
      where S.Failure == Failure, S.Input == Output {
        SubscribedToken.begin(subscriber, save) { state in
          subscribable._observeValue(keyPaths, queue) { value in
            guard state.isOpen else { return }
            if let value = value as? Subscribable {
              _ = subscriber.receive(value)
            } else {
              subscriber.receive(completion: .finished)
            }
          }
        }
      }
    }

    /// A `Value` whose token is saved in a property.
    public class ValueWithToken<Subscribable: RealmSubscribable, T>: Publisher where Subscribable: ThreadConfined {
      public typealias Output = Subscribable
      public typealias Failure = any Error

      private let source: Value<Subscribable>
      private var place: TokenPlace<T>

      init(_ source: Value<Subscribable>, _ place: TokenPlace<T>) {
        self.source = source
        self.place = place
      }

      /// The same, observing on a serial `DispatchQueue`. Another scheduler is misuse.
      public func subscribe<S: Scheduler>(on scheduler: S) -> ValueWithToken<Subscribable, T> {
        ValueWithToken(source.subscribe(on: scheduler), place)
      }

      /// Sends the counterparts of a Realm of another place, some time later.
      public func receive<S: Scheduler>(on scheduler: S) -> Handover<ValueWithToken, S> {
        Handover(upstream: self, scheduler: scheduler)
      }

      public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
        source.begin(subscriber) { place.save($0) }
      }
    }
  }
#endif
