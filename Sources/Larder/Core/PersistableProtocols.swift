import Foundation
import LarderStorage

/// The number of a property.
public typealias PropertyKey = UInt16

/// A type that can be turned into the boxed form of dynamic access and into the store's own form, and back.
///
/// Conform to the documented protocols (`PersistableEnum`, `RealmCollectionValue`) instead of this one.
public protocol _ObjcBridgeable {
  static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Self?
  var _rlmObjcValue: Any { get }
  /// The value for what the store holds; nil when it does not fit. Links become accessors of `realm`.
  static func _rlmFromStored(_ value: StoredValue, in realm: Realm?) -> Self?
  /// The same for values that need no Realm, and what `other` gives for one that does not fit. An optional of a generic type costs a look-up of
  /// that type for each value.
  static func _rlmElement(_ value: StoredValue, orElse other: () throws -> Self) rethrows -> Self
  /// Returns the form in which the store holds the value. Adds an unmanaged object to `realm`.
  func _rlmStored(in realm: Realm?) -> StoredValue
  /// True if values are instances of a model class, or nil.
  static var _rlmHoldsObject: Bool { get }
}

extension _ObjcBridgeable {
  public static func _rlmElement(_ value: StoredValue, orElse other: () throws -> Self) rethrows -> Self {
    try _rlmFromStored(value, in: nil) ?? other()
  }
}

public protocol _RealmSchemaDiscoverable {
  static var _rlmType: PropertyType { get }
  static var _rlmOptional: Bool { get }
  /// The class of linked objects.
  static var _rlmObjectClass: ObjectBase.Type? { get }
  static var _rlmCollection: CollectionKind { get }
}

public protocol _HasPersistedType: _ObjcBridgeable {
  associatedtype PersistedType: _ObjcBridgeable
}

/// A type that may stand after `@Persisted`.
public protocol _Persistable: _HasPersistedType, _RealmSchemaDiscoverable
where PersistedType: _Persistable, PersistedType.PersistedType.PersistedType == PersistedType.PersistedType {
  static func _rlmDefaultValue() -> Self
  /// True if every default value is another, such as the time or a new identifier.
  static var _rlmDefaultIsUnique: Bool { get }
  /// True if there is a default value; false for a custom type that has no value for the stored type's default.
  static var _rlmHasDefault: Bool { get }
  /// The kind of stored values that the type, or that of a collection's elements, has no value for.
  static var _rlmRefusal: _Refusal { get }
  /// The custom type that has no value for what is supplied, with what it refuses: of a collection, the first such element. Nil where
  /// nothing is refused, and for optional places, which read nil (O-23).
  static func _rlmRefused(_ value: Any) -> (type: Any.Type, value: Any)?
  /// True if `_rlmRefused` can find anything.
  static var _rlmMayRefuse: Bool { get }
  /// True if it, or the type of a collection's elements, is a custom type.
  static var _rlmIsCustom: Bool { get }
  /// Reads a value from a current leaf, which has the slot.
  static func _rlmRead(_ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int) -> Self
  /// The same where nil, a missing object or a value of no meaning may be found.
  static func _rlmReadOptional(_ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int) -> Self?
  /// True if `_rlmRead` is a few instructions, which every accessor may contain.
  static var _rlmReadIsShort: Bool { get }
  /// Reads without a leaf at hand.
  static func _rlmReadSlowly(_ object: ObjectBase, _ index: Int) -> Self
  /// Writes to a row of a class; the transaction and the row were checked before.
  static func _rlmStore(_ value: Self, _ cursor: _ClassCursor, _ index: Int, _ key: ObjectKey)
  /// Writes through an accessor, after checking everything that can be wrong.
  static func _rlmWrite(_ value: Self, _ object: ObjectBase, _ index: Int)
  /// A collection is assigned by replacing its contents.
  static var _rlmIsCollection: Bool { get }
  static func _rlmAccessor() -> _PropertyAccessor
  /// Replaces the contents of an unmanaged object's collection when another collection is assigned.
  static func _rlmReplaceContents(of value: Self, with other: Self)
  /// The substitute for the value in a key path that is being traced to its property names.
  static func _rlmTraced(_ trace: _KeyPathTrace) -> Self
  /// The same for a property that was declared with a value, which is used where no other can be made.
  static func _rlmTraced(_ trace: _KeyPathTrace, or declared: Self?) -> Self
}

/// The reason for which a type may have no value for one that its stored form can hold (O-23).
public enum _Refusal: Sendable {
  /// It has one for each.
  case never
  /// An enum knows its cases only.
  case unknownCase
  /// A custom type's initialiser may fail.
  case failing
}

public protocol _PersistableInsideOptional: _Persistable where PersistedType: _PersistableInsideOptional {
  static func _rlmOptionalAccessor() -> _PropertyAccessor
  /// `_rlmTraced`, or nil where no value can be made.
  static func _rlmTracedInOptional(_ trace: _KeyPathTrace) -> Self?
}

public protocol _DefaultConstructible {
  init()
}

/// A type that collections may hold.
public protocol RealmCollectionValue: Hashable, _HasPersistedType where PersistedType: RealmCollectionValue {
  static func _rlmDefaultValue() -> Self
}

public protocol _RealmCollectionValueInsideOptional: RealmCollectionValue
where PersistedType: _RealmCollectionValueInsideOptional {}

public protocol _MapKey: Hashable, _ObjcBridgeable {
  static var _rlmType: PropertyType { get }
}

@_marker public protocol _Indexable {}
@_marker public protocol _PrimaryKey {}
/// Types whose values have a smallest and a largest.
@_marker public protocol MinMaxType {}
/// Types whose values can be added up.
@_marker public protocol AddableType {}
/// Types that can be sorted by.
@_marker public protocol SortableType {}
/// Types whose values can be sorted by key paths: objects.
@_marker public protocol KeypathSortable {}

public protocol _PossiblyAggregateable: _ObjcBridgeable {
  associatedtype PersistedType
}

/// Types that the old optional holders could hold.
public protocol RealmOptionalType: _ObjcBridgeable {}

/// Optionals.
public protocol OptionalProtocol {
  /// The type of the value within.
  associatedtype Wrapped
  func _rlmInferWrappedType() -> Wrapped
}

extension _ObjcBridgeable {
  public static func _rlmFromStored(_ value: StoredValue, in realm: Realm?) -> Self? { nil }
  public static var _rlmHoldsObject: Bool { false }
  public func _rlmStored(in realm: Realm?) -> StoredValue {
    misuse("A value of type \(Self.self) cannot be stored.")
  }
}

extension _RealmSchemaDiscoverable {
  public static var _rlmOptional: Bool { false }
  public static var _rlmObjectClass: ObjectBase.Type? { nil }
  public static var _rlmCollection: CollectionKind { .none }
}

extension _Persistable {
  @inlinable @inline(__always)
  public static var _rlmIsCollection: Bool { false }

  @inlinable @inline(__always)
  public static var _rlmReadIsShort: Bool { false }

  @inlinable @inline(__always)
  public static var _rlmDefaultIsUnique: Bool { false }

  public static var _rlmHasDefault: Bool { true }
  public static var _rlmRefusal: _Refusal { .never }
  public static func _rlmRefused(_ value: Any) -> (type: Any.Type, value: Any)? { nil }
  public static var _rlmMayRefuse: Bool { false }
  public static var _rlmIsCustom: Bool { false }

  @inlinable @inline(__always)
  public static func _rlmReadOptional(
    _ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int
  ) -> Self? {
    leaf.isNull(slot) ? nil : _rlmRead(leaf, slot, object, index)
  }

  public static func _rlmReadSlowly(_ object: ObjectBase, _ index: Int) -> Self {
    let (value, realm) = object._storedValue(index)
    guard let result = _rlmFromStored(value, in: realm) else { object._reportUnreadable(value, index) }
    return result
  }

  @inlinable
  public static func _rlmWrite(_ value: Self, _ object: ObjectBase, _ index: Int) {
    let cursor = object._cursorForWriting(index)
    _rlmStore(value, cursor, index, object._objectKey)
  }

  public static func _rlmStore(_ value: Self, _ cursor: _ClassCursor, _ index: Int, _ key: ObjectKey) {
    cursor.store(value._rlmStored(in: cursor.realm), index, key)
  }

  public static func _rlmReplaceContents(of value: Self, with other: Self) {}
  public static func _rlmTraced(_ trace: _KeyPathTrace) -> Self { _rlmDefaultValue() }
  public static func _rlmTraced(_ trace: _KeyPathTrace, or declared: Self?) -> Self { _rlmTraced(trace) }
}

extension _PersistableInsideOptional {
  public static func _rlmTracedInOptional(_ trace: _KeyPathTrace) -> Self? { _rlmTraced(trace) }
}

extension _Persistable where Self: _DefaultConstructible {
  public static func _rlmDefaultValue() -> Self { Self() }
}

extension RealmCollectionValue where Self: _DefaultConstructible {
  public static func _rlmDefaultValue() -> Self { Self() }
}

extension _Persistable where Self: _DefaultConstructible & RealmCollectionValue {
  public static func _rlmDefaultValue() -> Self { Self() }
}
