import Dispatch

#if canImport(Combine)
  import Combine
#elseif OpenCombine
  import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
  extension RealmPublishers {
    /// Sends the changes of properties that the observer of an object or projection is notified of, and ends when it is deleted.
    public struct ObjectChangeset<O: ThreadConfined>: Publisher {
      public typealias Output = ObjectChange<O>
      public typealias Failure = Never

      typealias Observe = (
        _ keyPaths: [String]?, _ queue: DispatchQueue?, _ block: @escaping (ObjectChange<O>) -> Void
      ) -> NotificationToken

      let observe: Observe
      let keyPaths: [String]?
      var queue: DispatchQueue?

      /// The same, saving the token of each subscription, so that a write can leave it out with `withoutNotifying:`.
      public func saveToken<T>(
        on tokenParent: T, at keyPath: WritableKeyPath<T, NotificationToken?>
      ) -> ObjectChangesetWithToken<O, T> {
        ObjectChangesetWithToken(self, TokenPlace(tokenParent, keyPath))
      }

      /// The same, observing on a serial `DispatchQueue`, where what is sent belongs to a Realm of that queue. Another scheduler is misuse.
      public func subscribe<S: Scheduler>(on scheduler: S) -> ObjectChangeset<O> {
        ObjectChangeset(observe: observe, keyPaths: keyPaths, queue: ReceivingPlace.observing(scheduler))
      }

      /// Sends the counterparts of a Realm of another place, a serial `DispatchQueue` or a scheduler of one thread, some time later.
      public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverObjectChangeset<Self, O, S> {
        DeferredHandoverObjectChangeset(upstream: self, scheduler: scheduler)
      }

      public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Output {
        begin(subscriber) { _ in }
      }

      fileprivate func begin<S: Subscriber>(_ subscriber: S, _ save: (NotificationToken) -> Void)
      where S.Failure == Never, S.Input == Output {
        SubscribedToken.begin(subscriber, save) { state in
          observe(keyPaths, queue) { change in
            guard case .deleted = change else { return _ = subscriber.receive(change) }
            if state.isOpen { subscriber.receive(completion: .finished) }
          }
        }
      }
    }

    /// An `ObjectChangeset` whose token is saved in a property.
    public class ObjectChangesetWithToken<O: ThreadConfined, T>: Publisher {
      public typealias Output = ObjectChange<O>
      public typealias Failure = Never

      private let source: ObjectChangeset<O>
      private var place: TokenPlace<T>

      init(_ source: ObjectChangeset<O>, _ place: TokenPlace<T>) {
        self.source = source
        self.place = place
      }

      /// The same, observing on a serial `DispatchQueue`. Another scheduler is misuse.
      public func subscribe<S: Scheduler>(on scheduler: S) -> ObjectChangesetWithToken<O, T> {
        ObjectChangesetWithToken(source.subscribe(on: scheduler), place)
      }

      /// Sends the counterparts of a Realm of another place, some time later.
      public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverObjectChangeset<
        ObjectChangesetWithToken, O, S
      > {
        DeferredHandoverObjectChangeset(upstream: self, scheduler: scheduler)
      }

      public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Output {
        source.begin(subscriber) { place.save($0) }
      }
    }
  }
#endif
