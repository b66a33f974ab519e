import CSwiftRuntime

/// The actor that the caller runs on, as the runtime's own functions say.
enum Executors {
  /// Returns true if the caller runs on an actor.
  static func isCurrent(_ actor: any Actor) -> Bool {
    let executor = unsafeBitCast(actor.unownedExecutor, to: (identity: UInt, implementation: UInt).self)
    guard let identity = UnsafeMutableRawPointer(bitPattern: executor.identity) else { return false }
    return swift_task_isCurrentExecutorWithFlags(identity, executor.implementation, 0)
  }

  /// Type of the actor that the caller runs on; nil outside of actors. Of the main actor it is something, which nothing depends on.
  static var currentActorName: String? {
    let executor = swift_task_getCurrentExecutor()
    guard let identity = executor.identity, executor.implementation == 0 else { return nil }
    // The identity of an executor without an implementation is the actor, which runs now and so lives.
    let actor = Unmanaged<AnyObject>.fromOpaque(identity).takeUnretainedValue()
    return "\(type(of: actor))"
  }
}
