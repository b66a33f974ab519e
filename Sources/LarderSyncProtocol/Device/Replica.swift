/// A device's objects: the store with what the server says, and waiting operations on top.
struct Replica<Store: DeviceStore> {
  var store: Store
  var pending = PendingOperations()
  /// Of objects with collections or embedded objects; where details are kept elsewhere, of those that were asked for.
  private(set) var shadows: [ObjectName: Shadow] = [:]
  /// Objects whose shadow may be another one than what was handed out.
  private(set) var changedShadows: Set<ObjectName> = []
  /// True if shadows that are not in memory are read from the store.
  let keepsDetailsInStore: Bool
  var research: ResearchRules = []

  init(store: Store, keepsDetailsInStore: Bool = false) {
    self.store = store
    self.keepsDetailsInStore = keepsDetailsInStore
  }

  /// Returns what is known of an object besides its values.
  func shadow(of object: ObjectName) -> Shadow? {
    shadows[object] ?? storedShadow(of: object)
  }

  private func storedShadow(of object: ObjectName) -> Shadow? {
    guard keepsDetailsInStore, !changedShadows.contains(object) else { return nil }
    return store.details(of: object).flatMap { try? Shadow(decoding: $0) }
  }

  /// Works on what is known of an object beside its values.
  mutating func withShadow<Value>(
    _ object: ObjectName, _ body: (inout Shadow, inout Store) throws -> Value
  ) rethrows -> Value {
    let known = shadows.removeValue(forKey: object) ?? storedShadow(of: object)
    let wasKnown = known != nil
    var shadow = known ?? Shadow(.object, .root)
    // Most objects have nothing but values.
    defer {
      if !shadow.children.isEmpty { shadows[object] = shadow }
      if wasKnown || !shadow.children.isEmpty { changedShadows.insert(object) }
    }
    return try body(&shadow, &store)
  }

  mutating func setShadow(_ object: ObjectName, _ shadow: Shadow?) {
    shadows[object] = shadow
    changedShadows.insert(object)
  }

  /// The shadows that may have changed since this was called last, as bytes; nil for none.
  mutating func takeShadows() -> [ObjectName: [UInt8]?] {
    var result: [ObjectName: [UInt8]?] = [:]
    for object in changedShadows { result[object] = .some(shadows[object]?.essential?.encoded()) }
    changedShadows = []
    if keepsDetailsInStore { shadows = [:] }
    return result
  }

  mutating func fork(_ fork: SiteFork) {
    if keepsDetailsInStore {
      let objects = Set(pending.commits.filter { $0.siteVersion > fork.common }.flatMap { $0.operations.map(\.object) })
      for object in objects where shadows[object] == nil { shadows[object] = shadow(of: object) }
    }
    pending.fork(fork)
    shadows = shadows.mapValues { fork.renamed($0) }
    changedShadows.formUnion(shadows.keys)
  }
}
