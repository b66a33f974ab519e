import Dispatch
import Foundation

/// The place where a Realm may be used.
enum Confinement: Hashable, Sendable {
  /// The main thread, or the main queue on whatever thread runs it.
  case main
  case thread(UInt)
  case queue(QueueReference)
  case actor(ActorReference)
  /// One block after the other that the Realm of that number is lent to (`RealmPlace.lend()`).
  case scope(UInt64)
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
  /// For messages only: the other mark is compared with at every use.
  private static let labelKey = DispatchSpecificKey<String>()

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
    return .queue(QueueReference(queue))
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
    queue.setSpecific(key: labelKey, value: queue.label)
  }

  /// Confinement to an actor; the main actor is the main thread.
  static func on(_ actor: any Actor) -> Confinement {
    actor === MainActor.shared ? .main : .actor(ActorReference(actor))
  }

  /// True if a Realm that was confined there can still be used.
  var isReachable: Bool {
    if case .actor(let reference) = self { reference.actor != nil } else { true }
  }

  /// True if the caller is in this place.
  var isHere: Bool {
    switch self {
    case .anywhere: true
    case .main: Self.isMain
    case .thread(let number): number == Self.threadNumber
    case .queue(let queue): DispatchQueue.getSpecific(key: Self.queueKey) == queue.identifier
    case .actor(let reference): reference.isCurrent
    // While a block has it, the thread that it was lent to is known.
    case .scope: false
    }
  }

  var text: String {
    switch self {
    case .anywhere: "any thread"
    case .main: "the main thread"
    case .thread(let number): "thread \(String(number, radix: 16))"
    case .queue(let queue): "the queue '\(queue.label)'"
    case .actor(let reference): "the actor \(reference.name)"
    case .scope: "a block of Realm.read or Realm.write"
    }
  }

  /// The place the caller runs in, for messages: actors and queues by name.
  static var currentText: String {
    if let actor = ActorReference.currentName { return "the actor \(actor)" }
    if isMain { return Confinement.main.text }
    if let label = DispatchQueue.getSpecific(key: labelKey) { return "the queue '\(label)'" }
    return Confinement.current.text
  }
}

/// A serial queue that something is confined to. What is confined there keeps the queue.
struct QueueReference: Hashable, Sendable {
  let identifier: ObjectIdentifier
  let label: String

  init(_ queue: DispatchQueue) {
    identifier = ObjectIdentifier(queue)
    label = queue.label
  }

  static func == (lhs: QueueReference, rhs: QueueReference) -> Bool { lhs.identifier == rhs.identifier }
  func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}
