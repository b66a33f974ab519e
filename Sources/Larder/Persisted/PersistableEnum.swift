import LarderStorage

/// An enum of the old declaration style, with raw values that can be stored; new code uses `PersistableEnum`.
///
/// Serves `@Persisted` properties and optional ones. A required property needs a value in its declaration unless the raw type's default
/// (0, "") is a case.
public protocol RealmEnum: RealmOptionalType, _RealmSchemaDiscoverable, _PersistableInsideOptional {}

/// An enum with raw values that can be stored: `enum Kind: String, PersistableEnum { … }`.
///
/// Stored by raw value; raw types are the integers, `Float`, `Double` and `String`.
public protocol PersistableEnum: _PersistableInsideOptional, RawRepresentable, CaseIterable, RealmEnum,
  _RealmCollectionValueInsideOptional, MinMaxType, Comparable
where RawValue: Comparable {}

extension PersistableEnum {
  /// The first case.
  public init() {
    guard let first = Self.allCases.first else { misuse("\(Self.self) has no cases.") }
    self = first
  }

  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
  public static func _rlmDefaultValue() -> Self { Self() }
  public static var _rlmRefusal: _Refusal { .unknownCase }
}

extension RealmEnum where Self: RawRepresentable {
  /// The case of the raw type's default; misuse when there is none.
  public static func _rlmDefaultValue() -> Self {
    guard let raw = (RawValue.self as? any _Persistable.Type)?._rlmDefaultValue() as? RawValue,
      let value = Self(rawValue: raw)
    else {
      misuse(
        "\(Self.self) has no case for the default of \(RawValue.self); give its properties a value where they are declared."
      )
    }
    return value
  }
}

extension PersistableEnum where RawValue: _RealmSchemaDiscoverable {
  public static var _rlmType: PropertyType { RawValue._rlmType }
  public static var _rlmOptional: Bool { RawValue._rlmOptional }
}

extension RealmEnum
where Self: RawRepresentable, Self.RawValue: _ObjcBridgeable, Self.RawValue: _RealmSchemaDiscoverable {
  public var _rlmObjcValue: Any { rawValue._rlmObjcValue }

  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Self? {
    if let value = value as? Self { return value }
    return Self.RawValue._rlmFromObjc(value, insideOptional: insideOptional).flatMap { Self(rawValue: $0) }
  }

  public static func _rlmFromStored(_ value: StoredValue, in realm: Realm?) -> Self? {
    Self.RawValue._rlmFromStored(value, in: realm).flatMap { Self(rawValue: $0) }
  }

  public func _rlmStored(in realm: Realm?) -> StoredValue { rawValue._rlmStored(in: realm) }
  public static var _rlmType: PropertyType { RawValue._rlmType }
  public static var _rlmOptional: Bool { RawValue._rlmOptional }
}

extension RawRepresentable where Self.RawValue: _RealmSchemaDiscoverable {
  public static var _rlmType: PropertyType { RawValue._rlmType }
  public static var _rlmOptional: Bool { RawValue._rlmOptional }
}

extension RawRepresentable where Self: _PersistableInsideOptional, Self.RawValue: _PersistableInsideOptional {
  public typealias PersistedType = Self.RawValue

  @inlinable
  public static func _rlmRead(_ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int) -> Self {
    guard let value = Self(rawValue: RawValue._rlmRead(leaf, slot, object, index)) else {
      return _rlmReadSlowly(object, index)
    }
    return value
  }

  /// A raw value without a case reads as nil (O-23).
  @inlinable
  public static func _rlmReadOptional(
    _ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int
  ) -> Self? {
    RawValue._rlmReadOptional(leaf, slot, object, index).flatMap { Self(rawValue: $0) }
  }

  @inlinable
  public static func _rlmStore(_ value: Self, _ cursor: _ClassCursor, _ index: Int, _ key: ObjectKey) {
    RawValue._rlmStore(value.rawValue, cursor, index, key)
  }
}
