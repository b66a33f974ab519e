import Dispatch

/// The place where one Realm may be used: a thread, a serial queue, an actor, the block that it is lent to, or anywhere for a frozen one.
struct RealmPlace {
  let confinement: Confinement
  /// The queue of a Realm that is confined to one.
  let queue: DispatchQueue?
  let isFrozen: Bool
  /// The thread it was opened on, or is lent to, for a quick answer; zero for a queue's or an actor's Realm, which may change threads.
  private var openThread: UInt

  init(_ confinement: Confinement, queue: DispatchQueue?, isFrozen: Bool) {
    self.confinement = confinement
    self.queue = queue
    self.isFrozen = isFrozen
    openThread = confinement == .current ? Confinement.threadNumber : 0
  }

  /// Gives the Realm of a scope to the calling thread, until `takeBack()`.
  mutating func lend() { openThread = Confinement.threadNumber }

  /// Leaves it usable nowhere.
  mutating func takeBack() { openThread = 0 }

  /// True if the caller is on the thread that the Realm was opened on, or is lent to. False for some callers that may use it: see `isHere`.
  @inline(__always)
  var isOpeningThread: Bool { openThread == Confinement.threadNumber }

  /// True if the caller may use the Realm.
  @inline(__always)
  var isHere: Bool { isFrozen || isOpeningThread || confinement.isHere }

  /// True if code of the place may run on one thread now and on another one later.
  var mayChangeThreads: Bool {
    switch confinement {
    case .queue, .actor: true
    case .main, .thread, .scope, .anywhere: false
    }
  }
}
