import LarderStorage

extension ObjectBase: _ObjcBridgeable {
  public var _rlmObjcValue: Any { self }
  public static var _rlmHoldsObject: Bool { true }

  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Self? {
    if let object = ValueConverter.object(value) { return object as? Self }
    return unmanaged(from: value) as? Self
  }

  public static func _rlmFromStored(_ value: StoredValue, in realm: Realm?) -> Self? {
    guard case .link(let key) = value, let host = realm?.host else { return nil }
    return host.cursor(for: self).object(key) as? Self
  }

  public func _rlmStored(in realm: Realm?) -> StoredValue {
    guard let host = realm?.host else { misuse("A link cannot be stored without a Realm.") }
    return .link(host.linkKey(for: self))
  }
}

extension Object: _PersistableInsideOptional, _DefaultConstructible, _RealmCollectionValueInsideOptional {
  public typealias PersistedType = Object
}

extension EmbeddedObject: _PersistableInsideOptional, _DefaultConstructible, _RealmCollectionValueInsideOptional {
  public typealias PersistedType = EmbeddedObject
}

extension _Persistable where Self: ObjectBase {
  public static var _rlmType: PropertyType { .object }
  public static var _rlmObjectClass: ObjectBase.Type? { self }

  public static func _rlmRead(_ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int) -> Self {
    _rlmReadSlowly(object, index)
  }

  public static func _rlmReadOptional(
    _ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int
  ) -> Self? {
    if leaf.isNull(slot) { return nil }
    return object.linkedObject(index, ObjectKey(rawValue: UInt64(bitPattern: leaf.int(slot)))) as? Self
  }

  public static func _rlmStore(_ value: Self, _ cursor: _ClassCursor, _ index: Int, _ key: ObjectKey) {
    cursor.storeObject(value, index, key)
  }

  public static func _rlmTraced(_ trace: _KeyPathTrace) -> Self { trace.object(of: self) }
}
