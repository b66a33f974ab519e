import LarderStorage

// Updating an object with an unmanaged one that does not have all values: `add(_:update:)` writes defaults over what is stored
// (O-48, U-21).
extension Realm {
  /// Adds an unmanaged object; when one with its primary key exists, writes only the properties named.
  ///
  /// Other properties keep what is stored, also of an object that the instance leads to over them. A new object is added whole. The
  /// instance becomes the accessor of the row. Misuse as `add(_:update:)`, with the policy `.error`, and for key paths that are no
  /// property of the class.
  public func add<T>(_ object: T, update: UpdatePolicy, only properties: [PartialKeyPath<T>]) where T: Object {
    orMisuse { try addPartly(object, update, properties) }
  }

  /// Adds an unmanaged object; where an object with its primary key exists, writes only what was assigned since the instance was
  /// made.
  ///
  /// Properties that still hold their default keep what is stored, as do collections that are empty and were never assigned. This
  /// goes for every object that the instance leads to. New objects are added whole. Misuse as `add(_:update:)`.
  public func add(_ object: Object, update: UpdatePolicy, onlyAssigned: Bool) {
    orMisuse { try addAssigned(object, update, onlyAssigned) }
  }

  fileprivate func addPartly<T: Object>(_ object: T, _ policy: UpdatePolicy, _ paths: [PartialKeyPath<T>]) throws {
    guard try core.verifyAdding(object, policy) else { return }
    let model = ModelClass.of(type(of: object))
    let numbers = try paths.map { path in
      let names = _KeyPathTrace.names(of: path)
      guard names.count == 1, let property = model.property(named: names[0]) else {
        throw Realm.Error.invalid(
          "'\(names.joined(separator: "."))' is no property of \(model.name) that can be updated by itself.",
          className: model.name)
      }
      return property.index
    }
    try plan(object, policy, only: Set(numbers)).apply()
  }

  fileprivate func addAssigned(_ object: Object, _ policy: UpdatePolicy, _ onlyAssigned: Bool) throws {
    guard try core.verifyAdding(object, policy) else { return }
    try plan(object, policy).apply(assignedOnly: onlyAssigned)
  }

  private func plan(_ object: Object, _ policy: UpdatePolicy, only: Set<Int>? = nil) throws -> AddPlan {
    guard policy != .error else {
      throw Realm.Error.invalid(
        "Updating some properties of \(object.model.name) needs the policy .modified or .all.",
        className: object.model.name)
    }
    var plan = AddPlan(core, policy)
    try plan.add(object, only: only)
    return plan
  }
}

extension Throwing<Realm> {
  /// `Realm.add(_:update:only:)` that throws.
  public func add<T>(_ object: T, update: Realm.UpdatePolicy, only properties: [PartialKeyPath<T>])
    throws(Realm.Error) where T: Object
  {
    try orRealmError { try base.addPartly(object, update, properties) }
  }

  /// `Realm.add(_:update:onlyAssigned:)` that throws.
  public func add(_ object: Object, update: Realm.UpdatePolicy, onlyAssigned: Bool) throws(Realm.Error) {
    try orRealmError { try base.addAssigned(object, update, onlyAssigned) }
  }
}
