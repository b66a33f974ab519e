#if canImport(Combine)
  import Combine
#elseif OpenCombine
  import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
  extension RealmPublishers {
    /// Sends changes of an object to a scheduler, with the counterpart in a Realm of that place; those of what is deleted by then are left out.
    public struct DeferredHandoverObjectChangeset<Upstream: Publisher, T: ThreadConfined, S: Scheduler>: Publisher
    where Upstream.Output == ObjectChange<T> {
      public typealias Output = Upstream.Output
      public typealias Failure = Upstream.Failure

      let upstream: Upstream
      let scheduler: S

      public func receive<Sub: Subscriber>(subscriber: Sub) where Sub.Failure == Failure, Sub.Input == Output {
        ReceivingPlace.send(upstream, on: scheduler, to: subscriber, { CarriedChange($0) }) { $0.take($1) }
      }
    }

    /// Sends changes of a collection to a scheduler, with the counterpart in a Realm of that place; those of what is deleted by then are left out.
    public struct DeferredHandoverCollectionChangeset<Upstream: Publisher, T: RealmCollection, S: Scheduler>: Publisher
    where Upstream.Output == RealmCollectionChange<T> {
      public typealias Output = Upstream.Output
      public typealias Failure = Upstream.Failure

      let upstream: Upstream
      let scheduler: S

      public func receive<Sub: Subscriber>(subscriber: Sub) where Sub.Failure == Failure, Sub.Input == Output {
        ReceivingPlace.send(upstream, on: scheduler, to: subscriber, { CarriedChange($0) }) { $0.take($1) }
      }
    }

    /// Sends changes of a map to a scheduler, with the counterpart in a Realm of that place; those of what is deleted by then are left out.
    public struct DeferredHandoverKeyedCollectionChangeset<Upstream: Publisher, T: RealmKeyedCollection, S: Scheduler>:
      Publisher
    where Upstream.Output == RealmMapChange<T> {
      public typealias Output = Upstream.Output
      public typealias Failure = Upstream.Failure

      let upstream: Upstream
      let scheduler: S

      public func receive<Sub: Subscriber>(subscriber: Sub) where Sub.Failure == Failure, Sub.Input == Output {
        ReceivingPlace.send(upstream, on: scheduler, to: subscriber, { CarriedChange($0) }) { $0.take($1) }
      }
    }

    /// Sends changes of sections to a scheduler, with the counterpart in a Realm of that place; those of what is deleted by then are left out.
    public struct DeferredHandoverSectionedResultsChangeset<Upstream: Publisher, T: RealmSectionedResult, S: Scheduler>:
      Publisher
    where Upstream.Output == SectionedResultsChange<T> {
      public typealias Output = Upstream.Output
      public typealias Failure = Upstream.Failure

      let upstream: Upstream
      let scheduler: S

      public func receive<Sub: Subscriber>(subscriber: Sub) where Sub.Failure == Failure, Sub.Input == Output {
        ReceivingPlace.send(upstream, on: scheduler, to: subscriber, { CarriedChange($0) }) { $0.take($1) }
      }
    }

    /// Sends changes of a section to a scheduler, with the counterpart in a Realm of that place; those of what is deleted by then are left out.
    public struct DeferredHandoverSectionChangeset<Upstream: Publisher, T: RealmSectionedResult, S: Scheduler>:
      Publisher
    where Upstream.Output == SectionedResultsChange<T> {
      public typealias Output = Upstream.Output
      public typealias Failure = Upstream.Failure

      let upstream: Upstream
      let scheduler: S

      public func receive<Sub: Subscriber>(subscriber: Sub) where Sub.Failure == Failure, Sub.Input == Output {
        ReceivingPlace.send(upstream, on: scheduler, to: subscriber, { CarriedChange($0) }) { $0.take($1) }
      }
    }
  }
#endif
