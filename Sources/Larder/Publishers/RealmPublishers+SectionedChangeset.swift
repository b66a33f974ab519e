import Dispatch

#if canImport(Combine)
  import Combine
#elseif OpenCombine
  import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
  extension RealmPublishers {
    /// Sends what the observer of sections is notified of: how it is, then each change.
    public struct SectionedResultsChangeset<Collection: RealmSectionedResult>: Publisher {
      public typealias Output = SectionedResultsChange<Collection>
      public typealias Failure = Never

      let collection: Collection
      let keyPaths: [String]?
      var queue: DispatchQueue?

      /// The same, saving the token of each subscription, so that a write can leave it out with `withoutNotifying:`.
      public func saveToken<T>(
        on object: T, at keyPath: WritableKeyPath<T, NotificationToken?>
      ) -> SectionedResultsChangesetWithToken<Collection, T> {
        SectionedResultsChangesetWithToken(collection, keyPaths, queue, TokenPlace(object, keyPath))
      }

      /// The same, observing on a serial `DispatchQueue`, where what is sent belongs to a Realm of that queue. Another scheduler is misuse.
      public func subscribe<S: Scheduler>(on scheduler: S) -> SectionedResultsChangeset<Collection> {
        SectionedResultsChangeset(
          collection: collection, keyPaths: keyPaths, queue: ReceivingPlace.observing(scheduler))
      }

      /// Sends the counterparts of a Realm of another place, a serial `DispatchQueue` or a scheduler of one thread, some time later.
      public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverSectionedResultsChangeset<
        Self, Collection, S
      > {
        DeferredHandoverSectionedResultsChangeset(upstream: self, scheduler: scheduler)
      }

      public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Output {
        SubscribedToken.begin(subscriber, { _ in }) { _ in
          collection.observe(keyPaths: keyPaths, on: queue) { _ = subscriber.receive($0) }
        }
      }
    }

    /// Sends what the observer of one section is notified of: how it is, then each change.
    public struct SectionChangeset<Collection: RealmSectionedResult>: Publisher {
      public typealias Output = SectionedResultsChange<Collection>
      public typealias Failure = Never

      let collection: Collection
      let keyPaths: [String]?
      var queue: DispatchQueue?

      /// The same, saving the token of each subscription, so that a write can leave it out with `withoutNotifying:`.
      public func saveToken<T>(
        on object: T, at keyPath: WritableKeyPath<T, NotificationToken?>
      ) -> SectionedResultsChangesetWithToken<Collection, T> {
        SectionedResultsChangesetWithToken(collection, keyPaths, queue, TokenPlace(object, keyPath))
      }

      /// The same, observing on a serial `DispatchQueue`, where what is sent belongs to a Realm of that queue. Another scheduler is misuse.
      public func subscribe<S: Scheduler>(on scheduler: S) -> SectionedResultsChangeset<Collection> {
        SectionedResultsChangeset(
          collection: collection, keyPaths: keyPaths, queue: ReceivingPlace.observing(scheduler))
      }

      /// Sends the counterparts of a Realm of another place, a serial `DispatchQueue` or a scheduler of one thread, some time later.
      public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverSectionedResultsChangeset<
        Self, Collection, S
      > {
        DeferredHandoverSectionedResultsChangeset(upstream: self, scheduler: scheduler)
      }

      public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Output {
        SubscribedToken.begin(subscriber, { _ in }) { _ in
          collection.observe(keyPaths: keyPaths, on: queue) { _ = subscriber.receive($0) }
        }
      }
    }
  }
#endif
