import Foundation
import LarderStorage

extension ObjectId: _PersistableInsideOptional, _DefaultConstructible, _RealmCollectionValueInsideOptional, _PrimaryKey,
  _Indexable
{
  public typealias PersistedType = ObjectId
  @inlinable @inline(__always)
  public static var _rlmDefaultIsUnique: Bool { true }
  public static var _rlmType: PropertyType { .objectId }
  public var _rlmObjcValue: Any { self }

  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> ObjectId? {
    ValueConverter.stored(value, as: .objectId).flatMap { _rlmFromStored($0, in: nil) }
  }

  public static func _rlmFromStored(_ value: StoredValue, in realm: Realm?) -> ObjectId? {
    guard case .objectId(let stored) = value else { return nil }
    return ObjectId(stored)
  }

  public func _rlmStored(in realm: Realm?) -> StoredValue { .objectId(bytes) }
  public static func _rlmDefaultValue() -> ObjectId { .generate() }

  public static func _rlmRead(_ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int) -> ObjectId {
    ObjectId(leaf.objectId(slot))
  }

  public static func _rlmStore(_ value: ObjectId, _ cursor: _ClassCursor, _ index: Int, _ key: ObjectKey) {
    cursor.storeObjectId(value, index, key)
  }

  public static func _rlmAccessor() -> _PropertyAccessor { ObjectIdAccessor() }
  public static func _rlmOptionalAccessor() -> _PropertyAccessor { TypedPropertyAccessor<ObjectId?>() }
}

extension Decimal128: _PersistableInsideOptional, _DefaultConstructible, _RealmCollectionValueInsideOptional,
  MinMaxType,
  AddableType, SortableType
{
  public typealias PersistedType = Decimal128
  public static var _rlmType: PropertyType { .decimal128 }
  public var _rlmObjcValue: Any { self }

  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Decimal128? {
    ValueConverter.stored(value, as: .decimal128).flatMap { _rlmFromStored($0, in: nil) }
  }

  public static func _rlmFromStored(_ value: StoredValue, in realm: Realm?) -> Decimal128? {
    guard case .decimal128(let stored) = value else { return nil }
    return Decimal128(bits: stored)
  }

  public func _rlmStored(in realm: Realm?) -> StoredValue { .decimal128(bits) }
  public static func _rlmDefaultValue() -> Decimal128 { Decimal128() }

  public static func _rlmRead(_ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int) -> Decimal128 {
    Decimal128(bits: leaf.decimal128(slot))
  }

  public static func _rlmStore(_ value: Decimal128, _ cursor: _ClassCursor, _ index: Int, _ key: ObjectKey) {
    cursor.storeDecimal128(value, index, key)
  }

  public static func _rlmAccessor() -> _PropertyAccessor { TypedPropertyAccessor<Decimal128>() }
  public static func _rlmOptionalAccessor() -> _PropertyAccessor { TypedPropertyAccessor<Decimal128?>() }
}
