import LarderStorage

// Throwing forms of making, finding and deleting objects. Everything that a call would touch is looked through first: one that
// throws has changed nothing, which costs a second walk over what is added.
extension Throwing<Realm> {
  /// `Realm.add(_:update:)` that throws for a key that exists, an object of another Realm, an embedded object in two places, and
  /// whatever else cannot be added, anywhere in the graph.
  public func add(_ object: Object, update: Realm.UpdatePolicy = .error) throws(Realm.Error) {
    try orRealmError { try base.addChecked([object], update) }
  }

  /// `Realm.add(_:update:)` for several objects: all of them, or none when it throws.
  public func add<S>(_ objects: S, update: Realm.UpdatePolicy = .error) throws(Realm.Error)
  where S: Sequence, S.Element: Object {
    try orRealmError { try base.addChecked(verifiedElements(objects), update) }
  }

  /// `Realm.create(_:value:update:)` that throws for a key that exists, and for values that do not fit, however deep.
  ///
  /// ```swift
  /// try realm.write {
  ///   try realm.throwing.create(Person.self, value: ["id": 6, "name": "Donald"] as [String: Any])
  /// }
  /// ```
  ///
  /// On the Realm's thread. Costs about twice the plain form: everything is looked at before anything changes.
  @discardableResult
  public func create<T>(
    _ type: T.Type, value: Any = [String: Any](), update: Realm.UpdatePolicy = .error
  ) throws(Realm.Error) -> T where T: Object {
    try orRealmError {
      try base.core.verifyThread()
      return try base.core.create(value, in: base.core.verifiedCursor(for: type), update, isPlanned: true)
    }
  }

  /// `Realm.dynamicCreate(_:value:update:)` that throws as `create` does, and for a name that is no class.
  @discardableResult
  public func dynamicCreate(
    _ typeName: String, value: Any = [String: Any](), update: Realm.UpdatePolicy = .error
  ) throws(Realm.Error) -> DynamicObject {
    try orRealmError {
      try base.core.verifyThread()
      return try base.core.create(value, in: base.core.verifiedDynamicCursor(typeName), update, isPlanned: true)
    }
  }

  /// `Realm.delete(_:)` that throws for an object that was deleted, is unmanaged, or belongs to another Realm.
  public func delete(_ object: ObjectBase) throws(Realm.Error) { try orRealmError { try base.deleteRow(of: object) } }

  /// `Realm.delete(_:)` for several objects: all of them, or none when it throws.
  public func delete<S>(_ objects: S) throws(Realm.Error) where S: Sequence, S.Element: ObjectBase {
    try orRealmError { try base.deleteRows(of: verifiedElements(objects)) }
  }

  /// `Realm.object(ofType:forPrimaryKey:)` that throws for a class without a primary key, and a key of another type.
  public func object<Element, KeyType>(
    ofType type: Element.Type, forPrimaryKey key: KeyType
  ) throws(Realm.Error) -> Element? where Element: Object {
    try orRealmError {
      try base.core.verifyThread()
      let cursor = try base.core.verifiedCursor(for: type)
      return try cursor.verifiedFind(primaryKey: key).flatMap { cursor.object($0) as? Element }
    }
  }

  /// `Realm.objects(_:)` that throws for a class that is not in the Realm's schema.
  public func objects<Element>(_ type: Element.Type) throws(Realm.Error) -> Results<Element>
  where Element: RealmFetchable {
    try orRealmError {
      try base.core.verifyThread()
      if let root = (type as? any AnyProjection.Type)?.rootType ?? type as? ObjectBase.Type {
        _ = try base.core.verifiedCursor(for: root)
      }
      return base.objects(type)
    }
  }

  /// `Realm.dynamicObjects(_:)` that throws for a name that is no class of the store.
  public func dynamicObjects(_ typeName: String) throws(Realm.Error) -> Results<DynamicObject> {
    try orRealmError {
      try base.core.verifyThread()
      return Results(ResultsState.all(try base.core.verifiedDynamicCursor(typeName)))
    }
  }

  /// `Realm.dynamicObject(ofType:forPrimaryKey:)` that throws for a name that is no class, a class without a primary key, and a
  /// key of another type.
  public func dynamicObject(ofType typeName: String, forPrimaryKey key: Any) throws(Realm.Error) -> DynamicObject? {
    try orRealmError {
      try base.core.verifyThread()
      let cursor = try base.core.verifiedDynamicCursor(typeName)
      return try cursor.verifiedFind(primaryKey: key).flatMap { cursor.object($0) as? DynamicObject }
    }
  }
}

extension Realm {
  fileprivate func addChecked(_ objects: [Object], _ policy: UpdatePolicy) throws {
    var plan = AddPlan(core, policy)
    for object in objects where try core.verifyAdding(object, policy) { try plan.add(object) }
    try plan.apply()
  }
}
