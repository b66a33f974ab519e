extension HasThrowingForms where Self: ObjectBase {
  /// The object, or nil when it was deleted or its Realm invalidated: `person.ifValid?.name` (O-9).
  ///
  /// Unmanaged objects are valid. On the Realm's thread, as everything of a managed object.
  public var ifValid: Self? { isInvalidated ? nil : self }
}

extension Throwing where Base: ObjectBase {
  /// A property by key path, checked on the way: throws when the object or one that the path leads over was deleted, and when
  /// a stored value is none of the property's type, such as an unknown raw value of an enum (O-23).
  ///
  /// Costs some microseconds more than reading the property itself.
  public subscript<Value>(keyPath: KeyPath<Base, Value>) -> Value {
    get throws(Realm.Error) {
      try orRealmError {
        try base.verifyReadable(_KeyPathTrace.names(of: keyPath))
        return base[keyPath: keyPath]
      }
    }
  }

  /// `ObjectBase.value(forKey:)` that throws for an unknown name, a deleted object, and a stored value that is none of the
  /// property's type.
  public func value(forKey key: String) throws(Realm.Error) -> Any? {
    try orRealmError {
      guard let property = base.model.property(named: key) else { throw base.model.noProperty(key) }
      let value = try base.verifiedValue(property)
      return ValueConverter.isNil(value) ? nil : ValueConverter.bridged(value)
    }
  }
}

extension Throwing where Base: ObjectBase {
  /// `ObjectBase.value(forKeyPath:)` that throws for unknown names, deleted objects, and a path through what is no link. Nil where a
  /// link on the way is.
  public func value(forKeyPath keyPath: String) throws(Realm.Error) -> Any? {
    try orRealmError {
      var current: Any = base
      for name in keyPath.split(separator: ".").map(String.init) {
        if ValueConverter.isNil(current) { return nil }
        guard let object = current as? ObjectBase else {
          throw Realm.Error.invalid("'\(keyPath)' leads through what is no link, before '\(name)'.")
        }
        guard let property = object.model.property(named: name) else { throw object.model.noProperty(name) }
        current = try object.verifiedValue(property)
      }
      return ValueConverter.isNil(current) ? nil : ValueConverter.bridged(current)
    }
  }
}

extension ObjectBase {
  /// The value of a property in boxed form; throws when it cannot be read.
  final func verifiedValue(_ property: ModelProperty) throws -> Any {
    guard isManaged else { return property.accessor.boxed(address) }
    _ = try verifiedCursor()
    return try property.accessor.verifiedValue(self)
  }

  /// Throws unless each of the properties, which lead from one object to the next, can be read.
  final func verifyReadable(_ names: [String]) throws {
    if names.isEmpty, isManaged { _ = try verifiedCursor() }
    var current: ObjectBase? = self
    for name in names {
      guard let object = current else { return }
      guard let property = object.model.property(named: name) else { throw object.model.noProperty(name) }
      current = try object.verifiedValue(property) as? ObjectBase
    }
  }
}

extension ModelClass {
  /// The error of a name that is no property.
  func noProperty(_ name: String) -> Realm.Error { .invalid(unknownProperty(name), className: self.name) }
}
