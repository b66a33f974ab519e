import LarderSyncProtocol

extension SubmittedUpload {
  /// The objects that the commit creates and no subscription of the device asks for, as the commit leaves them (Y-26). One that is there already
  /// is changed and not created: another device has made it meanwhile, or its author sends it again.
  func outside(_ objects: BatchObjects) -> [ObjectName: RefusalReason] {
    guard let mayCreate else { return [:] }
    var created: [ObjectName: ObjectState] = [:]
    for (index, operation) in commit.operations.enumerated() {
      let object = operation.object
      if case .create = operation.edit, created[object] == nil, isSubscribed(object), isNew(object, objects) {
        created[object] = ObjectState()
      }
      let stamp = Stamp(time: commit.time, site: site, operation: UInt32(truncatingIfNeeded: index))
      _ = created[object]?.merge(operation.edit, stamp: stamp)
    }
    created = created.filter { $1.isAlive && !mayCreate($0, access.summary(of: $1, $0)) }
    return created.mapValues { _ in .outsideSubscriptions }
  }

  /// Returns true if an object is not there as far as the user may know.
  private func isNew(_ object: ObjectName, _ objects: BatchObjects) -> Bool {
    !objects[object].isAlive || access.isHidden(object, objects[object])
  }

  /// The objects that the commit makes and that devices only send (Y-46).
  func sent(_ objects: BatchObjects) -> Set<ObjectName> {
    var sent: Set<ObjectName> = []
    for operation in commit.operations {
      let object = operation.object
      if case .create = operation.edit, access.storedClass(object.className)?.kind == .asymmetric,
        !objects[object].isAlive
      {
        sent.insert(object)
      }
    }
    return sent
  }

  /// Returns true if subscriptions can ask for an object: not for those that devices only send.
  private func isSubscribed(_ object: ObjectName) -> Bool { access.storedClass(object.className)?.kind == .object }
}
