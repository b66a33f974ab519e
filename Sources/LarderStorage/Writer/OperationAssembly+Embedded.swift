/// The way to embedded objects (L-20).
extension OperationAssembly {
  /// An embedded object by the way to it; nil when no synced object owns it, or a property that stays on this device holds it.
  func embedded(_ classID: ClassID, _ key: ObjectKey) throws -> OperationObject? {
    guard let found = try owner(classID, key) else { return nil }
    guard let owner = writer.schema[found.owner.classID], let column = owner.column(found.column), !column.isLocalOnly,
      let place = try place(of: key, in: found.owner, column)
    else { return nil }
    var object: OperationObject
    if owner.isEmbedded {
      guard let outer = try embedded(found.owner.classID, found.owner.key) else { return nil }
      object = outer
    } else {
      guard owner.syncMode != .local else { return nil }
      object = OperationObject(root: found.owner, primaryKey: try primaryKeys[found.owner])
    }
    object.steps.append(
      OperationObject.Step(column: column.id, place: place, object: ObjectLink(classID: classID, key: key)))
    return object
  }

  private func owner(_ classID: ClassID, _ key: ObjectKey) throws -> (owner: ObjectLink, column: ColumnID)? {
    try writer.records.ownerFinder(classID)?(key)
  }

  private func place(
    of key: ObjectKey, in owner: ObjectLink, _ column: ColumnDescriptor
  ) throws -> OperationObject.Step.Place? {
    guard column.collection != .none else { return .single }
    let id = ListID(classID: owner.classID, column: column.id, key: owner.key)
    if positions[id] == nil {
      let list = try writer.list(owner.classID, column.id, owner.key)
      var found: [ObjectKey: Int] = [:]
      for position in 0..<list.count {
        if case .link(let child) = try list.value(at: position) { found[child] = position }
      }
      positions[id] = found
    }
    guard let position = positions[id]?[key] else { return nil }
    guard column.collection == .map else { return .position(position) }
    return .key(try writer.map(owner.classID, column.id, owner.key).key(at: position))
  }
}
