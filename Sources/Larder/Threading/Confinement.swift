import Dispatch
import Foundation

/// Where a Realm may be used.
enum Confinement: Hashable, Sendable {
  /// The main thread, or the main queue on whatever thread runs it.
  case main
  case thread(UInt)
  case queue(ObjectIdentifier)
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
    mark(queue)
    guard DispatchQueue.getSpecific(key: queueKey) == ObjectIdentifier(queue) else {
      misuse("Open the Realm from the queue given: the caller is not on '\(queue.label)'.")
    }
    return .queue(ObjectIdentifier(queue))
  }

  /// Gives the queue its mark, by which code running on it is recognised.
  static func mark(_ queue: DispatchQueue) {
    queue.setSpecific(key: queueKey, value: ObjectIdentifier(queue))
  }

  /// Whether the caller is in this place.
  var isHere: Bool {
    switch self {
    case .anywhere: true
    case .main: Self.isMain
    case .thread(let number): number == Self.threadNumber
    case .queue(let identifier): DispatchQueue.getSpecific(key: Self.queueKey) == identifier
    }
  }

  var text: String {
    switch self {
    case .anywhere: "any thread"
    case .main: "the main thread"
    case .thread(let number): "thread \(String(number, radix: 16))"
    case .queue: "a dispatch queue"
    }
  }
}
