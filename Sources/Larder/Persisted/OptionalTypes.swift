import Foundation
import LarderStorage

extension Optional: OptionalProtocol {
  public func _rlmInferWrappedType() -> Wrapped {
    guard let value = self else { misuse("The type of nil cannot be asked for.") }
    return value
  }
}

extension Optional: _ObjcBridgeable where Wrapped: _ObjcBridgeable {
  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Wrapped?? {
    if ValueConverter.isNil(value) { return .some(.none) }
    return Wrapped._rlmFromObjc(value, insideOptional: true).map { .some($0) }
  }

  public static var _rlmHoldsObject: Bool { Wrapped._rlmHoldsObject }

  public var _rlmObjcValue: Any {
    if let value = self { value._rlmObjcValue } else { NSNull() }
  }

  /// Nil for null, and for anything the wrapped type cannot show: a link to a missing object, an unknown raw value (O-23).
  public static func _rlmFromStored(_ value: StoredValue, in realm: Realm?) -> Wrapped?? {
    .some(value.isNull ? nil : Wrapped._rlmFromStored(value, in: realm))
  }

  public func _rlmStored(in realm: Realm?) -> StoredValue {
    if let value = self { value._rlmStored(in: realm) } else { .null }
  }
}

extension Optional: _RealmSchemaDiscoverable where Wrapped: _RealmSchemaDiscoverable {
  public static var _rlmType: PropertyType { Wrapped._rlmType }
  public static var _rlmOptional: Bool { true }
  public static var _rlmObjectClass: ObjectBase.Type? { Wrapped._rlmObjectClass }
}

extension Optional: _HasPersistedType where Wrapped: _HasPersistedType {
  public typealias PersistedType = Wrapped.PersistedType?
}

extension Optional: _Persistable where Wrapped: _PersistableInsideOptional {
  public static func _rlmDefaultValue() -> Wrapped? { .none }
  public static var _rlmRefusal: _Refusal { Wrapped._rlmRefusal }

  @inlinable @inline(__always)
  public static func _rlmRead(_ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int) -> Wrapped? {
    Wrapped._rlmReadOptional(leaf, slot, object, index)
  }

  public static func _rlmStore(_ value: Wrapped?, _ cursor: _ClassCursor, _ index: Int, _ key: ObjectKey) {
    if let value {
      Wrapped._rlmStore(value, cursor, index, key)
    } else {
      cursor.storeNull(index, key)
    }
  }

  public static func _rlmAccessor() -> _PropertyAccessor { Wrapped._rlmOptionalAccessor() }
  public static func _rlmTraced(_ trace: _KeyPathTrace) -> Wrapped? { Wrapped._rlmTracedInOptional(trace) }
}

extension Optional: RealmCollectionValue where Wrapped: _RealmCollectionValueInsideOptional {
  public static func _rlmDefaultValue() -> Wrapped? { .none }
}

extension Optional: _PrimaryKey where Wrapped: _Persistable, Wrapped.PersistedType: _PrimaryKey {}
extension Optional: _Indexable where Wrapped: _Persistable, Wrapped.PersistedType: _Indexable {}
extension Optional: MinMaxType where Wrapped: MinMaxType {}
extension Optional: AddableType where Wrapped: AddableType {}
extension Optional: SortableType where Wrapped: SortableType {}
