/// The context an observer's calls are made on: a run loop, a serial dispatch queue, an actor.
package protocol DeliveryTarget: Sendable {
  /// Runs a block there, later, in the order of these calls. May be called from any thread.
  func deliver(_ block: @escaping @Sendable () -> Void)
}
