import Dispatch

#if canImport(Combine)
  import Combine
#elseif OpenCombine
  import OpenCombine
  import OpenCombineDispatch
#endif

#if canImport(Combine) || OpenCombine
  /// The scheduler that something is received on or observed on, as Realms know it.
  enum ReceivingPlace {
    /// The queue that a scheduler is; nil for another scheduler.
    static func queue(of scheduler: some Scheduler) -> DispatchQueue? {
      if let queue = scheduler as? DispatchQueue { return queue }
      #if !canImport(Combine)
        if let wrapped = scheduler as? DispatchQueue.OCombine { return wrapped.queue }
      #endif
      return nil
    }

    /// The serial queue to observe on; misuse for another scheduler.
    static func observing(_ scheduler: some Scheduler) -> DispatchQueue {
      guard let queue = queue(of: scheduler) else {
        misuse("Nothing can be observed on \(type(of: scheduler)); pass a serial DispatchQueue to subscribe(on:).")
      }
      Confinement.checkSerial(queue)
      return queue
    }

    /// Sends on what a publisher sends, by way of something that may be moved to a scheduler, and is made live there.
    ///
    /// - Parameters:
    ///   - pack: Makes what is moved; nil for what is not sent.
    ///   - unpack: Makes what is received, in a Realm of the scheduler's place; nil for what is deleted.
    static func send<Upstream: Publisher, S: Scheduler, Moved, Downstream: Subscriber>(
      _ upstream: Upstream, on scheduler: S, to downstream: Downstream, _ pack: @escaping (Upstream.Output) -> Moved?,
      _ unpack: @escaping (Moved, DispatchQueue?) -> Upstream.Output?
    ) where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
      let queue = queue(of: scheduler)
      if let queue { Confinement.checkSerial(queue) }
      upstream.compactMap(pack).receive(on: scheduler).compactMap { unpack($0, queue) }.receive(subscriber: downstream)
    }
  }

  /// A value on its way to another place. A live one becomes its counterpart there; a frozen or unmanaged one goes through as it is.
  struct Carried<Confined: ThreadConfined> {
    private enum Load {
      case live(Handover<Confined>)
      case asItIs(Confined)
    }

    private let load: Load

    /// Nil for a deleted object and for a collection of one, which a publisher sends once more.
    init?(_ value: Confined) {
      if value.isInvalidated { return nil }
      load = value.realm == nil || value.isFrozen ? .asItIs(value) : .live(orMisuse { try Handover(value) })
    }

    /// The counterpart in the Realm of the place the caller is in; nil when it is deleted.
    func take(_ queue: DispatchQueue?) -> Confined? {
      switch load {
      case .asItIs(let value): value
      case .live(let handover):
        orMisuse {
          try handover.take(in: try RealmRegistry.shared.open(handover.configuration, queue: queue))
        }
      }
    }
  }
#endif
