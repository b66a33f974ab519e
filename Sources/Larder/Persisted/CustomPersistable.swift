import LarderStorage

/// The demands that the two kinds of custom types have in common; conform to one of those.
public protocol _CustomPersistable: _PersistableInsideOptional, _RealmCollectionValueInsideOptional {}

/// A type of the program's own that is stored as one that can be stored: `struct Celsius: CustomPersistable`, as a `Double`.
///
/// `PersistedType` is a type of the library, a `PersistableEnum`, or a subclass of `EmbeddedObject`. Values are made again with each
/// read. Queries, sorting and everything that takes `Any` see the stored form; `create(value:)` takes both.
public protocol CustomPersistable: _CustomPersistable {
  /// The value for what is stored; also called with the stored type's default value, to make the property's.
  init(persistedValue: PersistedType)
  /// The stored form of the value.
  var persistableValue: PersistedType { get }
}

/// A custom type that does not exist for every stored value.
///
/// A value that has none cannot be supplied for a required property or element: the error names class, property, this type and the
/// value, and throwing forms throw it (F-121). An optional place reads nil for it. Where another program or a migration has stored such
/// a value, reading a required property is misuse (O-23); there, `try object.throwing[\.property]` throws instead.
public protocol FailableCustomPersistable: _CustomPersistable {
  /// The value for what is stored; nil where there is none.
  init?(persistedValue: PersistedType)
  /// The stored form of the value.
  var persistableValue: PersistedType { get }
}

extension _CustomPersistable {
  public static var _rlmType: PropertyType { PersistedType._rlmType }
  public static var _rlmOptional: Bool { PersistedType._rlmOptional }
  public static var _rlmObjectClass: ObjectBase.Type? { PersistedType._rlmObjectClass }
  public static var _rlmDefaultIsUnique: Bool { PersistedType._rlmDefaultIsUnique }
  public static var _rlmIsCustom: Bool { true }
}

extension CustomPersistable {
  /// Hashes the stored form.
  public func hash(into hasher: inout Hasher) { persistableValue.hash(into: &hasher) }

  public static func _rlmDefaultValue() -> Self { Self(persistedValue: _defaultPersistedValue()) }

  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Self? {
    if let value = value as? Self { return value }
    if !insideOptional, _standsForNil(value) { return _rlmDefaultValue() }
    return PersistedType._rlmFromObjc(value, insideOptional: insideOptional).map { Self(persistedValue: $0) }
  }

  public var _rlmObjcValue: Any { persistableValue._rlmObjcValue }

  public static func _rlmFromStored(_ value: StoredValue, in realm: Realm?) -> Self? {
    _persistedValue(value, in: realm).map { Self(persistedValue: $0) }
  }

  public func _rlmStored(in realm: Realm?) -> StoredValue { persistableValue._rlmStored(in: realm) }

  public static func _rlmRead(_ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int) -> Self {
    _rlmObjectClass == nil
      ? Self(persistedValue: PersistedType._rlmRead(leaf, slot, object, index)) : _rlmReadSlowly(object, index)
  }

  public static func _rlmReadOptional(
    _ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int
  ) -> Self? {
    PersistedType._rlmReadOptional(leaf, slot, object, index).map { Self(persistedValue: $0) }
  }

  public static func _rlmStore(_ value: Self, _ cursor: _ClassCursor, _ index: Int, _ key: ObjectKey) {
    PersistedType._rlmStore(value.persistableValue, cursor, index, key)
  }

  public static func _rlmTraced(_ trace: _KeyPathTrace) -> Self {
    trace.withoutReads { Self(persistedValue: PersistedType._rlmTraced(trace)) }
  }
}

extension FailableCustomPersistable {
  /// Hashes the stored form.
  public func hash(into hasher: inout Hasher) { persistableValue.hash(into: &hasher) }

  public static var _rlmHasDefault: Bool { Self(persistedValue: _defaultPersistedValue()) != nil }
  public static var _rlmRefusal: _Refusal { _rlmObjectClass == nil ? .failing : .never }
  public static var _rlmMayRefuse: Bool { true }
  public static func _rlmRefused(_ value: Any) -> (type: Any.Type, value: Any)? {
    if value is Self || ValueConverter.isNil(value) { return nil }
    // What does not even fit the stored type is another mistake.
    guard let persisted = PersistedType._rlmFromObjc(value, insideOptional: true) else { return nil }
    return Self(persistedValue: persisted) == nil ? (Self.self, value) : nil
  }
  /// False although the stored type's may be: there need not be a default at all, so none is made before it is asked for.
  public static var _rlmDefaultIsUnique: Bool { false }

  public static func _rlmDefaultValue() -> Self {
    guard let value = Self(persistedValue: _defaultPersistedValue()) else {
      misuse(
        "\(Self.self) has no value for the default of \(PersistedType.self). Give the property a value where it is "
          + "declared, or make it optional.")
    }
    return value
  }

  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Self? {
    if let value = value as? Self { return value }
    if !insideOptional, _standsForNil(value) { return _rlmHasDefault ? _rlmDefaultValue() : nil }
    return PersistedType._rlmFromObjc(value, insideOptional: insideOptional).flatMap { Self(persistedValue: $0) }
  }

  public var _rlmObjcValue: Any { persistableValue._rlmObjcValue }

  public static func _rlmFromStored(_ value: StoredValue, in realm: Realm?) -> Self? {
    _persistedValue(value, in: realm).flatMap { Self(persistedValue: $0) }
  }

  public func _rlmStored(in realm: Realm?) -> StoredValue { persistableValue._rlmStored(in: realm) }

  public static func _rlmRead(_ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int) -> Self {
    if _rlmObjectClass == nil, let value = Self(persistedValue: PersistedType._rlmRead(leaf, slot, object, index)) {
      return value
    }
    return _rlmReadSlowly(object, index)
  }

  public static func _rlmReadOptional(
    _ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int
  ) -> Self? {
    PersistedType._rlmReadOptional(leaf, slot, object, index).flatMap { Self(persistedValue: $0) }
  }

  public static func _rlmStore(_ value: Self, _ cursor: _ClassCursor, _ index: Int, _ key: ObjectKey) {
    PersistedType._rlmStore(value.persistableValue, cursor, index, key)
  }

  public static func _rlmTraced(_ trace: _KeyPathTrace) -> Self {
    _rlmTraced(trace, or: nil)
  }

  public static func _rlmTraced(_ trace: _KeyPathTrace, or declared: Self?) -> Self {
    if let value = _rlmTracedInOptional(trace) { return value }
    if let declared { return declared }
    return trace.placeholder(Self.self, at: trace.names.joined(separator: "."))
  }

  public static func _rlmTracedInOptional(_ trace: _KeyPathTrace) -> Self? {
    trace.withoutReads { Self(persistedValue: PersistedType._rlmTraced(trace)) }
  }
}

extension _CustomPersistable {
  /// Collections' elements and properties ask for defaults under one name.
  fileprivate static func _defaultPersistedValue() -> PersistedType {
    func value<T: _Persistable>(_: T.Type) -> T { T._rlmDefaultValue() }
    return value(PersistedType.self)
  }

  /// Returns true if a value is nil for a type that is stored as an object, whose default means a null link.
  fileprivate static func _standsForNil(_ value: Any) -> Bool { _rlmObjectClass != nil && ValueConverter.isNil(value) }

  /// The stored type's value. A required property of an embedded class has a value although its link may be null.
  fileprivate static func _persistedValue(_ value: StoredValue, in realm: Realm?) -> PersistedType? {
    if value.isNull, _rlmObjectClass != nil { return _defaultPersistedValue() }
    return PersistedType._rlmFromStored(value, in: realm)
  }
}
