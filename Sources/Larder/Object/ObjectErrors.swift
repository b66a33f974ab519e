import LarderStorage

/// The faults of an object or of a value for one, said once for the plain and the throwing forms.
extension Realm.Error {
  /// E-65: an embedded object without a parent.
  static func embeddedAlone(_ model: ModelClass) -> Realm.Error {
    .invalid(
      "\(model.name) is embedded and lives only in a parent; assign it to a property or list of one.",
      className: model.name)
  }

  /// E-65: an embedded object in a second place.
  static func secondParent(_ model: ModelClass) -> Realm.Error {
    .invalid(
      "\(model.name) is embedded and already has a parent; copy it with \(model.name)(value:).", className: model.name)
  }

  /// E-55: a primary key that is taken.
  static func duplicate(_ model: ModelClass, _ primary: ModelProperty, _ value: StoredValue) -> Realm.Error {
    .invalid(
      "\(model.name) with \(primary.name) = \(value.text) exists; use update: .modified or .all.",
      className: model.name, propertyName: primary.name)
  }

  /// E-56: a policy other than `.error` for a class without a primary key.
  static func noKeyToUpdateBy(_ model: ModelClass) -> Realm.Error {
    .invalid("\(model.name) has no primary key; updating needs one. Use the policy .error.", className: model.name)
  }

  /// E-58: looking a class without a primary key up by key.
  static func noKeyToFindBy(_ model: ModelClass) -> Realm.Error {
    .invalid("\(model.name) has no primary key; use objects(_:) and filter.", className: model.name)
  }

  /// E-58: a primary key of another type.
  static func wrongKey(_ key: Any, _ primary: ModelProperty, _ model: ModelClass) -> Realm.Error {
    .invalid(
      "Key of \(model.name) is \(primary.type), got '\(misuseText(key))' (type \(misuseType(key))).",
      className: model.name, propertyName: primary.name)
  }

  /// E-52: an object of another Realm.
  static func otherRealm(_ model: ModelClass) -> Realm.Error {
    .invalid(
      "This \(model.name) is managed by another Realm; use create(_:value:) to copy it.", className: model.name)
  }

  /// An unmanaged copy of an object that has no Swift class of its own.
  static func noCopy(_ model: ModelClass) -> Realm.Error {
    .invalid(
      "A DynamicObject of \(model.name) has no unmanaged form; declare a class to detach its objects.",
      className: model.name)
  }

  /// E-51: adding a deleted object.
  static func addingDeleted(_ model: ModelClass) -> Realm.Error {
    .invalid("A deleted object cannot be added.", className: model.name)
  }

  /// E-54: deleting an object that is unmanaged, deleted through this instance, or of another Realm.
  static func notDeletable(_ model: ModelClass) -> Realm.Error {
    .invalid(
      "Only objects of this Realm can be deleted; this \(model.name) is not one of them.", className: model.name)
  }

  /// E-61 and E-62: a value that does not fit a property, or nil for a required one.
  static func doesNotFit(_ value: Any, _ property: ModelProperty, _ model: ModelClass) -> Realm.Error {
    .invalid(
      ValueConverter.mismatch(value, property, in: model), className: model.name, propertyName: property.name)
  }

  /// F-121: a value that a custom type has none for.
  static func refused(_ value: Any, _ type: Any.Type, _ property: ModelProperty, _ model: ModelClass) -> Realm.Error {
    .invalid(
      ValueConverter.refusal(value, type, property, in: model), className: model.name, propertyName: property.name)
  }

  /// E-67: an object of another class than the property links to.
  static func otherClass(_ object: ObjectBase, _ property: ModelProperty, _ model: ModelClass) -> Realm.Error {
    .invalid(
      "\(model.name).\(property.name) holds \(property.objectClassName ?? "objects"), got \(object.model.name).",
      className: model.name, propertyName: property.name)
  }

  /// E-63: an array with more values than the class has properties.
  static func tooMany(_ count: Int, _ model: ModelClass) -> Realm.Error {
    .invalid(
      "\(model.name) expects at most \(model.properties.count) values, got \(count).", className: model.name)
  }

  /// E-61: something that no object can be made from.
  static func noObject(_ value: Any, _ model: ModelClass) -> Realm.Error {
    .invalid(
      "A \(model.name) cannot be made from '\(misuseText(value))' (type \(misuseType(value))): "
        + "pass a dictionary, an array or an object.", className: model.name)
  }
}
