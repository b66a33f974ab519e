import Dispatch
import Foundation

/// Where a Realm may be used.
enum Confinement: Hashable, Sendable {
  /// The main thread, or the main queue on whatever thread runs it.
  case main
  case thread(UInt)
  case queue(ObjectIdentifier)
  case actor(ActorReference)
  /// Anywhere: frozen.
  case anywhere

  /// The place the caller runs in.
  static var current: Confinement { isMain ? .main : .thread(threadNumber) }

  static var threadNumber: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }

  private static let mainKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// In a program with an asynchronous main function the main queue does not run on the main thread: both count.
  static var isMain: Bool { DispatchQueue.getSpecific(key: mainKey) == true || Thread.isMainThread }

  private static let queueKey = DispatchSpecificKey<ObjectIdentifier>()

  /// Confinement to a serial queue that the caller is on; misuse elsewhere.
  static func onQueue(_ queue: DispatchQueue) -> Confinement {
    if queue === DispatchQueue.main {
      guard isMain else { misuse("Open the Realm from the queue given: the caller is not on the main queue.") }
      return .main
    }
    checkSerial(queue)
    mark(queue)
    guard DispatchQueue.getSpecific(key: queueKey) == ObjectIdentifier(queue) else {
      misuse("Open the Realm from the queue given: the caller is not on '\(queue.label)'.")
    }
    // On a concurrent queue this ends the process (E-122); there is no way to ask.
    dispatchPrecondition(condition: .onQueueAsBarrier(queue))
    return .queue(ObjectIdentifier(queue))
  }

  /// Misuse for one of the system's concurrent queues (E-122).
  static func checkSerial(_ queue: DispatchQueue) {
    let classes: [DispatchQoS.QoSClass] = [.background, .utility, .default, .userInitiated, .userInteractive]
    if classes.contains(where: { DispatchQueue.global(qos: $0).label == queue.label }) {
      misuse("'\(queue.label)' runs several blocks at once. Use a serial queue: DispatchQueue(label: \"…\").")
    }
  }

  /// Gives the queue its mark, by which code running on it is recognised.
  static func mark(_ queue: DispatchQueue) {
    queue.setSpecific(key: queueKey, value: ObjectIdentifier(queue))
  }

  /// Confinement to an actor; the main actor is the main thread.
  static func on(_ actor: any Actor) -> Confinement {
    actor === MainActor.shared ? .main : .actor(ActorReference(actor))
  }

  /// Whether what was confined there can still be used.
  var isReachable: Bool {
    if case .actor(let reference) = self { reference.actor != nil } else { true }
  }

  /// Whether the caller is in this place.
  var isHere: Bool {
    switch self {
    case .anywhere: true
    case .main: Self.isMain
    case .thread(let number): number == Self.threadNumber
    case .queue(let identifier): DispatchQueue.getSpecific(key: Self.queueKey) == identifier
    case .actor(let reference): reference.isCurrent
    }
  }

  var text: String {
    switch self {
    case .anywhere: "any thread"
    case .main: "the main thread"
    case .thread(let number): "thread \(String(number, radix: 16))"
    case .queue: "a dispatch queue"
    case .actor(let reference): "the actor \(reference.name)"
    }
  }

  /// The place the caller runs in, for messages: actors and queues by name.
  static var currentText: String {
    if let actor = ActorReference.currentName { return "the actor \(actor)" }
    if isMain { return Confinement.main.text }
    if DispatchQueue.getSpecific(key: queueKey) != nil { return "a dispatch queue" }
    return Confinement.current.text
  }
}
