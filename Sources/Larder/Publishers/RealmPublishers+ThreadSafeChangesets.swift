#if canImport(Combine)
  import Combine
#elseif OpenCombine
  import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
  extension RealmPublishers {
    /// The publisher that `threadSafeReference()` makes of changes of an object: `receive(on:)` hands them over to another place.
    public struct MakeThreadSafeObjectChangeset<Upstream: Publisher, T: ThreadConfined>: Publisher
    where Upstream.Output == ObjectChange<T> {
      public typealias Output = Upstream.Output
      public typealias Failure = Upstream.Failure

      let upstream: Upstream

      public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
        upstream.receive(subscriber: subscriber)
      }

      /// Sends to a scheduler the counterparts in a Realm of that place; a concurrent queue is misuse.
      public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverObjectChangeset<Upstream, T, S> {
        DeferredHandoverObjectChangeset(upstream: upstream, scheduler: scheduler)
      }
    }

    /// The publisher that `threadSafeReference()` makes of changes of a collection: `receive(on:)` hands them over to another place.
    public struct MakeThreadSafeCollectionChangeset<Upstream: Publisher, T: RealmCollection>: Publisher
    where Upstream.Output == RealmCollectionChange<T> {
      public typealias Output = Upstream.Output
      public typealias Failure = Upstream.Failure

      let upstream: Upstream

      public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
        upstream.receive(subscriber: subscriber)
      }

      /// Sends to a scheduler the counterparts in a Realm of that place; a concurrent queue is misuse.
      public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverCollectionChangeset<Upstream, T, S> {
        DeferredHandoverCollectionChangeset(upstream: upstream, scheduler: scheduler)
      }
    }

    /// The publisher that `threadSafeReference()` makes of changes of a map: `receive(on:)` hands them over to another place.
    public struct MakeThreadSafeKeyedCollectionChangeset<Upstream: Publisher, T: RealmKeyedCollection>: Publisher
    where Upstream.Output == RealmMapChange<T> {
      public typealias Output = Upstream.Output
      public typealias Failure = Upstream.Failure

      let upstream: Upstream

      public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
        upstream.receive(subscriber: subscriber)
      }

      /// Sends to a scheduler the counterparts in a Realm of that place; a concurrent queue is misuse.
      public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverKeyedCollectionChangeset<Upstream, T, S> {
        DeferredHandoverKeyedCollectionChangeset(upstream: upstream, scheduler: scheduler)
      }
    }

    /// The publisher that `threadSafeReference()` makes of changes of sections: `receive(on:)` hands them over to another place.
    public struct MakeThreadSafeSectionedResultsChangeset<Upstream: Publisher, T: RealmSectionedResult>: Publisher
    where Upstream.Output == SectionedResultsChange<T> {
      public typealias Output = Upstream.Output
      public typealias Failure = Upstream.Failure

      let upstream: Upstream

      public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
        upstream.receive(subscriber: subscriber)
      }

      /// Sends to a scheduler the counterparts in a Realm of that place; a concurrent queue is misuse.
      public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverSectionedResultsChangeset<Upstream, T, S> {
        DeferredHandoverSectionedResultsChangeset(upstream: upstream, scheduler: scheduler)
      }
    }
  }
#endif
