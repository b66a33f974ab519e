import Dispatch

#if canImport(Combine)
  import Combine
#elseif OpenCombine
  import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
  extension RealmPublishers {
    /// A `SectionedResultsChangeset` whose token is saved in a property.
    public class SectionedResultsChangesetWithToken<Collection: RealmSectionedResult, T>: Publisher {
      public typealias Output = SectionedResultsChange<Collection>
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
      public func subscribe<S: Scheduler>(on scheduler: S) -> SectionedResultsChangesetWithToken<Collection, T> {
        SectionedResultsChangesetWithToken(collection, keyPaths, ReceivingPlace.observing(scheduler), place)
      }

      /// Sends the counterparts of a Realm of another place, some time later.
      public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverSectionedResultsChangeset<
        SectionedResultsChangesetWithToken, Collection, S
      > {
        DeferredHandoverSectionedResultsChangeset(upstream: self, scheduler: scheduler)
      }

      public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Output {
        SubscribedToken.begin(subscriber, { place.save($0) }) { _ in
          collection.observe(keyPaths: keyPaths, on: queue) { _ = subscriber.receive($0) }
        }
      }
    }

    /// A `SectionChangeset` whose token is saved in a property.
    public class SectionChangesetWithToken<Collection: RealmSectionedResult, T>: Publisher {
      public typealias Output = SectionedResultsChange<Collection>
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
      public func subscribe<S: Scheduler>(on scheduler: S) -> SectionedResultsChangesetWithToken<Collection, T> {
        SectionedResultsChangesetWithToken(collection, keyPaths, ReceivingPlace.observing(scheduler), place)
      }

      /// Sends the counterparts of a Realm of another place, some time later.
      public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverSectionChangeset<
        SectionChangesetWithToken, Collection, S
      > {
        DeferredHandoverSectionChangeset(upstream: self, scheduler: scheduler)
      }

      public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Output {
        SubscribedToken.begin(subscriber, { place.save($0) }) { _ in
          collection.observe(keyPaths: keyPaths, on: queue) { _ = subscriber.receive($0) }
        }
      }
    }
  }
#endif
