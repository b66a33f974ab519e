import Foundation
import LarderStorage

extension _Persistable where Self: FixedWidthInteger & SignedInteger {
  @inlinable @inline(__always)
  public static var _rlmReadIsShort: Bool { true }

  @inlinable @inline(__always)
  public static func _rlmRead(_ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int) -> Self {
    Self(truncatingIfNeeded: leaf.int(slot))
  }

  public static func _rlmStore(_ value: Self, _ cursor: _ClassCursor, _ index: Int, _ key: ObjectKey) {
    cursor.storeInt(Int64(value), index, key)
  }
}

extension _ObjcBridgeable where Self: FixedWidthInteger & SignedInteger {
  public static var _rlmType: PropertyType { .int }
  public var _rlmObjcValue: Any { self }

  public static func _rlmFromStored(_ value: StoredValue, in realm: Realm?) -> Self? {
    guard case .int(let number) = value else { return nil }
    return Self(truncatingIfNeeded: number)
  }

  public static func _rlmElement(_ value: StoredValue, orElse other: () throws -> Self) rethrows -> Self {
    guard case .int(let number) = value else { return try other() }
    return Self(truncatingIfNeeded: number)
  }

  public func _rlmStored(in realm: Realm?) -> StoredValue { .int(Int64(self)) }

  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Self? {
    switch ValueConverter.stored(value, as: .int) {
    case .int(let number): Self(exactly: number)
    default: nil
    }
  }
}

extension Int: _PersistableInsideOptional, _DefaultConstructible, _RealmCollectionValueInsideOptional, _PrimaryKey,
  _Indexable,
  MinMaxType, AddableType, SortableType, RealmOptionalType
{
  public typealias PersistedType = Int
  public static func _rlmAccessor() -> _PropertyAccessor { IntAccessor() }
  public static func _rlmOptionalAccessor() -> _PropertyAccessor { OptionalIntAccessor() }
}

extension Int8: _PersistableInsideOptional, _DefaultConstructible, _RealmCollectionValueInsideOptional, _PrimaryKey,
  _Indexable,
  MinMaxType, AddableType, SortableType, RealmOptionalType
{
  public typealias PersistedType = Int8
  public static func _rlmAccessor() -> _PropertyAccessor { TypedPropertyAccessor<Int8>() }
  public static func _rlmOptionalAccessor() -> _PropertyAccessor { TypedPropertyAccessor<Int8?>() }
}

extension Int16: _PersistableInsideOptional, _DefaultConstructible, _RealmCollectionValueInsideOptional, _PrimaryKey,
  _Indexable,
  MinMaxType, AddableType, SortableType, RealmOptionalType
{
  public typealias PersistedType = Int16
  public static func _rlmAccessor() -> _PropertyAccessor { TypedPropertyAccessor<Int16>() }
  public static func _rlmOptionalAccessor() -> _PropertyAccessor { TypedPropertyAccessor<Int16?>() }
}

extension Int32: _PersistableInsideOptional, _DefaultConstructible, _RealmCollectionValueInsideOptional, _PrimaryKey,
  _Indexable,
  MinMaxType, AddableType, SortableType, RealmOptionalType
{
  public typealias PersistedType = Int32
  public static func _rlmAccessor() -> _PropertyAccessor { TypedPropertyAccessor<Int32>() }
  public static func _rlmOptionalAccessor() -> _PropertyAccessor { TypedPropertyAccessor<Int32?>() }
}

extension Int64: _PersistableInsideOptional, _DefaultConstructible, _RealmCollectionValueInsideOptional, _PrimaryKey,
  _Indexable,
  MinMaxType, AddableType, SortableType, RealmOptionalType
{
  public typealias PersistedType = Int64
  public static func _rlmAccessor() -> _PropertyAccessor { Int64Accessor() }
  public static func _rlmOptionalAccessor() -> _PropertyAccessor { TypedPropertyAccessor<Int64?>() }
}
