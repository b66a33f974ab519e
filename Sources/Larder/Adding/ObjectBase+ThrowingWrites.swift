import Foundation

extension Throwing where Base: ObjectBase {
  /// `ObjectBase.setValue(_:forKey:)` that throws for an unknown name, a value that does not fit, a primary key, an inverse
  /// property, a deleted object, and outside of a write transaction; nothing has changed then.
  public func setValue(_ value: Any?, forKey key: String) throws(Realm.Error) {
    try orRealmError { try base.setChecked(value, key) }
  }

  /// `ObjectBase.setValue(_:forKeyPath:)` that throws likewise, and where a link on the way is nil.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) throws(Realm.Error) {
    try orRealmError {
      var names = keyPath.split(separator: ".").map(String.init)
      guard let last = names.popLast() else { throw base.model.noProperty(keyPath) }
      var target: ObjectBase = base
      for name in names {
        guard let property = target.model.property(named: name) else { throw target.model.noProperty(name) }
        guard let next = try target.verifiedValue(property) as? ObjectBase else {
          throw Realm.Error.invalid(
            "\(target.model.name).\(name) leads to no object; '\(keyPath)' cannot be set.",
            className: target.model.name, propertyName: name)
        }
        target = next
      }
      try target.setChecked(value, last)
    }
  }
}

extension Throwing where Base: ObjectBase {
  /// `freeze()` that throws for an unmanaged or deleted object, and for one made in the open write transaction (E-69).
  public func freeze() throws(Realm.Error) -> Base { try orRealmError { try frozenAccessor(verifying: base) } }
}

extension Throwing where Base: RealmCollection {
  /// `setValue(_:forKey:)` of a collection that throws for an unknown name and for a value that one of the objects cannot take:
  /// each is looked at before any is changed. What only shows when another has changed, as two equal values of a `uniqueKeys` rule,
  /// leaves the first ones changed.
  public func setValue(_ value: Any?, forKey key: String) throws(Realm.Error) {
    try orRealmError {
      let objects = try verifiedElements(base).map { element in
        guard let object = element as? ObjectBase else {
          throw Realm.Error.invalid("The elements have no property '\(key)'; only objects have properties to set.")
        }
        return object
      }
      for object in objects { _ = try object.settable(value ?? NSNull(), key) }
      for object in objects { try object.setChecked(value, key) }
    }
  }
}

extension ObjectBase {
  fileprivate final func setChecked(_ value: Any?, _ key: String) throws {
    let value = value ?? NSNull()
    let property = try settable(value, key)
    if isManaged { return setBoxedValue(value, property) }
    try ObjectBuilder.fill(self, value: [property.name: value])
  }

  /// The property of a name; throws unless it can be set to the value here and now.
  fileprivate final func settable(_ value: Any, _ key: String) throws -> ModelProperty {
    if model.inverse(named: key) != nil {
      throw Realm.Error.invalid(model.readOnlyInverse(key), className: model.name, propertyName: key)
    }
    guard let property = model.property(named: key) else { throw model.noProperty(key) }
    guard isManaged else { return property }
    let cursor = try verifiedCursorForWriting(property.index)
    // What a DynamicObject is given is looked at as its Swift class declares it, where there is one.
    let target = cursor.typed ?? cursor
    var plan = AddPlan(cursor.host, .error)
    try plan.set(value, target.model.property(property.index), target, _objectKey)
    return property
  }
}
