import LarderStorage

extension ObjectBuilder {
  /// Updates the object that is at a place already, if that is what the value means (O-46): the class has no primary key,
  /// and the value is no object of this Realm to link to.
  func merge(_ value: Any, into key: ObjectKey, _ target: _ClassCursor) throws -> Bool {
    guard target.model.isEmbedded || target.model.primaryKey == nil else { return false }
    guard let object = value as? ObjectBase else {
      guard SuppliedValues.isPossible(value) else { return false }
      try assign(SuppliedValues(value, target.model), target, key)
      return true
    }
    guard object.model.name == target.model.name else { return false }
    guard object.isManaged else {
      update(try input?.copy(of: object) ?? object, target, key)
      return true
    }
    if object.host === host {
      if object._objectKey == key { return true }
      if !target.model.isEmbedded { return false }
    }
    try assign(SuppliedValues(object, target.model), target, key)
    return true
  }
}

extension ObjectBuilder: ObjectMaker {
  @discardableResult
  func add(_ object: ObjectBase) throws -> ObjectKey { try add(object, only: nil) }

  func assign(_ value: Any, _ property: ModelProperty, _ cursor: _ClassCursor, _ key: ObjectKey) throws {
    try assign(value, property, cursor, key, isNew: false)
  }
}
