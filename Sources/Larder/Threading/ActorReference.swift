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

  /// Nil once it is released.
  var actor: (any Actor)? { holder.actor }

  /// True if the caller runs on it.
  var isCurrent: Bool {
    guard let actor = holder.actor else { return false }
    return Executors.isCurrent(actor)
  }

  /// Type of the actor that the caller runs on; nil outside of actors and on the main one.
  static var currentName: String? {
    Confinement.isMain ? nil : Executors.currentActorName
  }

  static func == (lhs: ActorReference, rhs: ActorReference) -> Bool { lhs.identifier == rhs.identifier }
  func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}
