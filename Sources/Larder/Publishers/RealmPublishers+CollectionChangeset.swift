import Dispatch

#if canImport(Combine)
  import Combine
#elseif OpenCombine
  import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
  extension RealmPublishers {
    /// Sends what the observer of a collection is notified of: how it is, then each change.
    public struct CollectionChangeset<Collection: RealmCollection>: Publisher {
      public typealias Output = RealmCollectionChange<Collection>
      public typealias Failure = Never

      let collection: Collection
      let keyPaths: [String]?
      var queue: DispatchQueue?

      /// The same, saving the token of each subscription, so that a write can leave it out with `withoutNotifying:`.
      public func saveToken<T>(
        on object: T, at keyPath: WritableKeyPath<T, NotificationToken?>
      ) -> CollectionChangesetWithToken<Collection, T> {
        CollectionChangesetWithToken(collection, keyPaths, queue, TokenPlace(object, keyPath))
      }

      /// The same, observing on a serial `DispatchQueue`, where what is sent belongs to a Realm of that queue. Another scheduler is misuse.
      public func subscribe<S: Scheduler>(on scheduler: S) -> CollectionChangeset<Collection> {
        CollectionChangeset(collection: collection, keyPaths: keyPaths, queue: ReceivingPlace.observing(scheduler))
      }

      /// Sends the counterparts of a Realm of another place, a serial `DispatchQueue` or a scheduler of one thread, some time later.
      public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverCollectionChangeset<Self, Collection, S> {
        DeferredHandoverCollectionChangeset(upstream: self, scheduler: scheduler)
      }

      public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Output {
        SubscribedToken.begin(subscriber, { _ in }) { _ in
          collection.observe(keyPaths: keyPaths, on: queue) { _ = subscriber.receive($0) }
        }
      }
    }

    /// A `CollectionChangeset` whose token is saved in a property.
    public class CollectionChangesetWithToken<Collection: RealmCollection, T>: Publisher {
      public typealias Output = RealmCollectionChange<Collection>
      public typealias Failure = Never

      private let collection: Collection
      private let keyPaths: [String]?
      private let queue: DispatchQueue?
      private var place: TokenPlace<T>

      init(_ collection: Collection, _ keyPaths: [String]?, _ queue: DispatchQueue?, _ place: TokenPlace<T>) {
        self.collection = collection
        self.keyPaths = keyPaths
        self.queue = queue
        self.place = place
      }

      /// The same, observing on a serial `DispatchQueue`. Another scheduler is misuse.
      public func subscribe<S: Scheduler>(on scheduler: S) -> CollectionChangesetWithToken<Collection, T> {
        CollectionChangesetWithToken(collection, keyPaths, ReceivingPlace.observing(scheduler), place)
      }

      /// Sends the counterparts of a Realm of another place, some time later.
      public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverCollectionChangeset<
        CollectionChangesetWithToken, Collection, S
      > {
        DeferredHandoverCollectionChangeset(upstream: self, scheduler: scheduler)
      }

      public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Output {
        SubscribedToken.begin(subscriber, { place.save($0) }) { _ in
          collection.observe(keyPaths: keyPaths, on: queue) { _ = subscriber.receive($0) }
        }
      }
    }
  }
#endif
