import CSwiftRuntime

/// An actor that something is confined to, without keeping it alive: it usually owns what is confined to it.
struct ActorReference: Hashable, Sendable {
  private final class Holder: Sendable {
    // A weak reference is changed by the runtime only, under its own lock.
    nonisolated(unsafe) weak var actor: (any Actor)?
    init(_ actor: any Actor) { self.actor = actor }
  }

  private let identifier: ObjectIdentifier
  private let holder: Holder
  let name: String

  init(_ actor: any Actor) {
    identifier = ObjectIdentifier(actor)
    holder = Holder(actor)
    name = "\(type(of: actor))"
  }

  /// Nil once it is gone.
  var actor: (any Actor)? { holder.actor }

  /// Whether the caller runs on it.
  var isCurrent: Bool {
    guard let actor = holder.actor else { return false }
    let executor = unsafeBitCast(actor.unownedExecutor, to: (identity: UInt, implementation: UInt).self)
    guard let identity = UnsafeMutableRawPointer(bitPattern: executor.identity) else { return false }
    return swift_task_isCurrentExecutorWithFlags(identity, executor.implementation, 0)
  }

  /// Type of the actor that the caller runs on; nil outside of actors and on the main one.
  static var currentName: String? {
    let executor = swift_task_getCurrentExecutor()
    guard let identity = executor.identity, executor.implementation == 0, !Confinement.isMain else { return nil }
    // The identity of an executor without an implementation is the actor, which runs now and so lives.
    let actor = Unmanaged<AnyObject>.fromOpaque(identity).takeUnretainedValue()
    return "\(type(of: actor))"
  }

  static func == (lhs: ActorReference, rhs: ActorReference) -> Bool { lhs.identifier == rhs.identifier }
  func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}
