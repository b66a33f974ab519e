#if canImport(Combine)
  import Combine
#elseif OpenCombine
  import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
  extension RealmPublishers {
    /// Sends what a publisher sends to a scheduler, as counterparts in a Realm of that place; what is deleted by then is left out.
    public struct Handover<Upstream: Publisher, S: Scheduler>: Publisher where Upstream.Output: ThreadConfined {
      public typealias Output = Upstream.Output
      public typealias Failure = Upstream.Failure

      let upstream: Upstream
      let scheduler: S

      public func receive<Sub: Subscriber>(subscriber: Sub) where Sub.Failure == Failure, Sub.Input == Output {
        ReceivingPlace.send(upstream, on: scheduler, to: subscriber, { Carried($0) }) { $0.take($1) }
      }
    }

    /// The publisher that `threadSafeReference()` makes: `receive(on:)` hands what is sent over to another place.
    public struct MakeThreadSafe<Upstream: Publisher>: Publisher where Upstream.Output: ThreadConfined {
      public typealias Output = Upstream.Output
      public typealias Failure = Upstream.Failure

      let upstream: Upstream

      public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
        upstream.receive(subscriber: subscriber)
      }

      /// Sends to a scheduler the counterparts in a Realm of that place. A serial `DispatchQueue`, or a scheduler of one thread; a concurrent
      /// queue is misuse.
      public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandover<Upstream, S> {
        DeferredHandover(upstream: upstream, scheduler: scheduler)
      }
    }

    /// Sends what a publisher sends to a scheduler, as counterparts in a Realm of that place; what is deleted by then is left out.
    public struct DeferredHandover<Upstream: Publisher, S: Scheduler>: Publisher where Upstream.Output: ThreadConfined {
      public typealias Output = Upstream.Output
      public typealias Failure = Upstream.Failure

      let upstream: Upstream
      let scheduler: S

      public func receive<Sub: Subscriber>(subscriber: Sub) where Sub.Failure == Failure, Sub.Input == Output {
        ReceivingPlace.send(upstream, on: scheduler, to: subscriber, { Carried($0) }) { $0.take($1) }
      }
    }
  }
#endif
