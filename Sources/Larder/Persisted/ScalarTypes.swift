import Foundation
import LarderStorage

extension Bool: _PersistableInsideOptional, _DefaultConstructible, _RealmCollectionValueInsideOptional, _PrimaryKey,
  _Indexable,
  RealmOptionalType
{
  public typealias PersistedType = Bool
  public static var _rlmType: PropertyType { .bool }
  public var _rlmObjcValue: Any { self }

  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Bool? {
    ValueConverter.stored(value, as: .bool).flatMap { _rlmFromStored($0, in: nil) }
  }

  public static func _rlmFromStored(_ value: StoredValue, in realm: Realm?) -> Bool? {
    guard case .bool(let stored) = value else { return nil }
    return stored
  }

  public func _rlmStored(in realm: Realm?) -> StoredValue { .bool(self) }

  @inlinable @inline(__always)
  public static var _rlmReadIsShort: Bool { true }

  @inlinable @inline(__always)
  public static func _rlmRead(_ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int) -> Bool {
    leaf.bool(slot)
  }

  public static func _rlmStore(_ value: Bool, _ cursor: _ClassCursor, _ index: Int, _ key: ObjectKey) {
    cursor.storeBool(value, index, key)
  }

  public static func _rlmAccessor() -> _PropertyAccessor { BoolAccessor() }
  public static func _rlmOptionalAccessor() -> _PropertyAccessor { OptionalBoolAccessor() }
}

extension Float: _PersistableInsideOptional, _DefaultConstructible, _RealmCollectionValueInsideOptional, MinMaxType,
  AddableType, SortableType, RealmOptionalType
{
  public typealias PersistedType = Float
  public static var _rlmType: PropertyType { .float }
  public var _rlmObjcValue: Any { self }

  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Float? {
    ValueConverter.stored(value, as: .float).flatMap { _rlmFromStored($0, in: nil) }
  }

  public static func _rlmFromStored(_ value: StoredValue, in realm: Realm?) -> Float? {
    guard case .float(let stored) = value else { return nil }
    return stored
  }

  public static func _rlmElement(_ value: StoredValue, orElse other: () throws -> Float) rethrows -> Float {
    guard case .float(let stored) = value else { return try other() }
    return stored
  }

  public func _rlmStored(in realm: Realm?) -> StoredValue { .float(self) }

  @inlinable @inline(__always)
  public static var _rlmReadIsShort: Bool { true }

  @inlinable @inline(__always)
  public static func _rlmRead(_ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int) -> Float {
    leaf.float(slot)
  }

  public static func _rlmStore(_ value: Float, _ cursor: _ClassCursor, _ index: Int, _ key: ObjectKey) {
    cursor.storeFloat(value, index, key)
  }

  public static func _rlmAccessor() -> _PropertyAccessor { FloatAccessor() }
  public static func _rlmOptionalAccessor() -> _PropertyAccessor { TypedPropertyAccessor<Float?>() }
}

extension Double: _PersistableInsideOptional, _DefaultConstructible, _RealmCollectionValueInsideOptional, MinMaxType,
  AddableType, SortableType, RealmOptionalType
{
  public typealias PersistedType = Double
  public static var _rlmType: PropertyType { .double }
  public var _rlmObjcValue: Any { self }

  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Double? {
    ValueConverter.stored(value, as: .double).flatMap { _rlmFromStored($0, in: nil) }
  }

  public static func _rlmFromStored(_ value: StoredValue, in realm: Realm?) -> Double? {
    guard case .double(let stored) = value else { return nil }
    return stored
  }

  public static func _rlmElement(_ value: StoredValue, orElse other: () throws -> Double) rethrows -> Double {
    guard case .double(let stored) = value else { return try other() }
    return stored
  }

  public func _rlmStored(in realm: Realm?) -> StoredValue { .double(self) }

  @inlinable @inline(__always)
  public static var _rlmReadIsShort: Bool { true }

  @inlinable @inline(__always)
  public static func _rlmRead(_ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int) -> Double {
    leaf.double(slot)
  }

  public static func _rlmStore(_ value: Double, _ cursor: _ClassCursor, _ index: Int, _ key: ObjectKey) {
    cursor.storeDouble(value, index, key)
  }

  public static func _rlmAccessor() -> _PropertyAccessor { DoubleAccessor() }
  public static func _rlmOptionalAccessor() -> _PropertyAccessor { OptionalDoubleAccessor() }
}

extension String: _PersistableInsideOptional, _DefaultConstructible, _RealmCollectionValueInsideOptional, _PrimaryKey,
  _Indexable,
  SortableType, _MapKey
{
  public typealias PersistedType = String
  public static var _rlmType: PropertyType { .string }
  public var _rlmObjcValue: Any { self }

  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> String? {
    ValueConverter.stored(value, as: .string).flatMap { _rlmFromStored($0, in: nil) }
  }

  public static func _rlmFromStored(_ value: StoredValue, in realm: Realm?) -> String? {
    guard case .string(let stored) = value else { return nil }
    return stored
  }

  public static func _rlmElement(_ value: StoredValue, orElse other: () throws -> String) rethrows -> String {
    guard case .string(let stored) = value else { return try other() }
    return stored
  }

  public func _rlmStored(in realm: Realm?) -> StoredValue { .string(self) }

  @inlinable @inline(__always)
  public static func _rlmRead(_ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int) -> String {
    leaf.isLarge(slot) ? _readLargeString(object, index) : leaf.string(slot)
  }

  public static func _rlmStore(_ value: String, _ cursor: _ClassCursor, _ index: Int, _ key: ObjectKey) {
    cursor.storeString(value, index, key)
  }

  public static func _rlmAccessor() -> _PropertyAccessor { StringAccessor() }
  public static func _rlmOptionalAccessor() -> _PropertyAccessor { OptionalStringAccessor() }
}

/// A string whose bytes live outside of its leaf.
@usableFromInline @inline(never)
func _readLargeString(_ object: ObjectBase, _ index: Int) -> String { String._rlmReadSlowly(object, index) }

extension Data: _PersistableInsideOptional, _DefaultConstructible, _RealmCollectionValueInsideOptional, SortableType {
  public typealias PersistedType = Data
  public static var _rlmType: PropertyType { .data }
  public var _rlmObjcValue: Any { self }

  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Data? {
    ValueConverter.stored(value, as: .data).flatMap { _rlmFromStored($0, in: nil) }
  }

  public static func _rlmFromStored(_ value: StoredValue, in realm: Realm?) -> Data? {
    guard case .data(let stored) = value else { return nil }
    return stored
  }

  public func _rlmStored(in realm: Realm?) -> StoredValue { .data(self) }

  @inlinable @inline(__always)
  public static func _rlmRead(_ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int) -> Data {
    leaf.isLarge(slot) ? _rlmReadSlowly(object, index) : Data(leaf.bytes(slot))
  }

  public static func _rlmStore(_ value: Data, _ cursor: _ClassCursor, _ index: Int, _ key: ObjectKey) {
    cursor.storeData(value, index, key)
  }

  public static func _rlmAccessor() -> _PropertyAccessor { DataAccessor() }
  public static func _rlmOptionalAccessor() -> _PropertyAccessor { TypedPropertyAccessor<Data?>() }
}

extension Date: _PersistableInsideOptional, _DefaultConstructible, _RealmCollectionValueInsideOptional, _Indexable,
  MinMaxType,
  SortableType
{
  public typealias PersistedType = Date
  @inlinable @inline(__always)
  public static var _rlmDefaultIsUnique: Bool { true }
  public static var _rlmType: PropertyType { .date }
  public var _rlmObjcValue: Any { self }

  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Date? {
    ValueConverter.stored(value, as: .date).flatMap { _rlmFromStored($0, in: nil) }
  }

  public static func _rlmFromStored(_ value: StoredValue, in realm: Realm?) -> Date? {
    guard case .date(let stored) = value else { return nil }
    return stored.date
  }

  public func _rlmStored(in realm: Realm?) -> StoredValue { .date(Timestamp(self)) }

  @inlinable @inline(__always)
  public static func _rlmRead(_ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int) -> Date {
    leaf.timestamp(slot).date
  }

  public static func _rlmStore(_ value: Date, _ cursor: _ClassCursor, _ index: Int, _ key: ObjectKey) {
    cursor.storeDate(Timestamp(value), index, key)
  }

  public static func _rlmAccessor() -> _PropertyAccessor { DateAccessor() }
  public static func _rlmOptionalAccessor() -> _PropertyAccessor { OptionalDateAccessor() }
}

extension UUID: _PersistableInsideOptional, _DefaultConstructible, _RealmCollectionValueInsideOptional, _PrimaryKey,
  _Indexable
{
  public typealias PersistedType = UUID
  @inlinable @inline(__always)
  public static var _rlmDefaultIsUnique: Bool { true }

  /// A random one, at a small part of the cost of Foundation's, which opens a file for each.
  public static func _rlmDefaultValue() -> UUID {
    let random = RandomWords.shared.pair()
    // The version and the variant of RFC 9562.
    let high = random.0 & ~0xF000 | 0x4000
    let low = random.1 & ~(3 << 62) | 1 << 63
    return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  public static var _rlmType: PropertyType { .UUID }
  public var _rlmObjcValue: Any { self }

  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> UUID? {
    ValueConverter.stored(value, as: .UUID).flatMap { _rlmFromStored($0, in: nil) }
  }

  public static func _rlmFromStored(_ value: StoredValue, in realm: Realm?) -> UUID? {
    guard case .uuid(let stored) = value else { return nil }
    return stored
  }

  public func _rlmStored(in realm: Realm?) -> StoredValue { .uuid(self) }

  @inlinable @inline(__always)
  public static func _rlmRead(_ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int) -> UUID {
    leaf.uuid(slot)
  }

  public static func _rlmStore(_ value: UUID, _ cursor: _ClassCursor, _ index: Int, _ key: ObjectKey) {
    cursor.storeUUID(value, index, key)
  }

  public static func _rlmAccessor() -> _PropertyAccessor { UUIDAccessor() }
  public static func _rlmOptionalAccessor() -> _PropertyAccessor { TypedPropertyAccessor<UUID?>() }
}
