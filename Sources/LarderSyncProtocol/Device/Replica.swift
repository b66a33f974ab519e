/// A device's objects: the store with what the server says, and waiting operations on top.
struct Replica<Store: DeviceStore> {
  var store: Store
  var pending = PendingOperations()
  /// Of objects with collections or embedded objects.
  private(set) var shadows: [ObjectName: Shadow] = [:]
  var research: ResearchRules = []

  init(store: Store) { self.store = store }

  /// Works on what is known of an object beside its values.
  mutating func withShadow<Value>(
    _ object: ObjectName, _ body: (inout Shadow, inout Store) throws -> Value
  ) rethrows -> Value {
    var shadow = shadows.removeValue(forKey: object) ?? Shadow(.object, .root)
    defer { if !shadow.children.isEmpty { shadows[object] = shadow } }
    return try body(&shadow, &store)
  }

  mutating func setShadow(_ object: ObjectName, _ shadow: Shadow?) { shadows[object] = shadow }

  mutating func fork(_ fork: SiteFork) {
    pending.fork(fork)
    shadows = shadows.mapValues { fork.renamed($0) }
  }
}
