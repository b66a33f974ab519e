import LarderStorage

/// The demands of `@Persisted(originProperty:)` on `LinkingObjects`.
public protocol LinkingObjectsProtocol {
  /// The class of the objects that link.
  associatedtype Element
  /// The objects of a class that link by a property; the property is checked when it is used.
  init(fromType: Element.Type, property: String)
}

extension LinkingObjects: LinkingObjectsProtocol {}

extension Persisted where Value: LinkingObjectsProtocol, Value: _Persistable {
  /// Declares an inverse property: the objects whose property of that name links to this object.
  public init(originProperty: String) {
    self.init(wrappedValue: Value(fromType: Value.Element.self, property: originProperty))
  }
}

extension LinkingObjects: _ObjcBridgeable {
  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> LinkingObjects? { value as? LinkingObjects }
  public var _rlmObjcValue: Any { self }
}

extension LinkingObjects: _RealmSchemaDiscoverable {
  public static var _rlmType: PropertyType { .linkingObjects }
  public static var _rlmObjectClass: ObjectBase.Type? { Element.self }
}

extension LinkingObjects: _HasPersistedType, _Persistable where Element: _Persistable {
  public typealias PersistedType = LinkingObjects<Element>

  public static func _rlmDefaultValue() -> Self { Self(fromType: Element.self, property: "") }
  @inlinable @inline(__always)
  public static var _rlmIsCollection: Bool { true }

  /// Inverses have no leaf.
  public static func _rlmRead(_ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int) -> Self {
    _rlmReadSlowly(object, index)
  }

  public static func _rlmReadSlowly(_ object: ObjectBase, _ index: Int) -> Self {
    let cursor = object.checkedCursor()
    return Self(to: object._objectKey, cursor, cursor.model.property(index))
  }

  public static func _rlmWrite(_ value: Self, _ object: ObjectBase, _ index: Int) {
    misuse(object.model.readOnlyInverse(object.model.property(index).name))
  }

  public static func _rlmReplaceContents(of value: Self, with other: Self) {
    misuse("Inverse properties are read-only; change the links that \(value.propertyName) holds instead.")
  }

  public static func _rlmAccessor() -> _PropertyAccessor { LinkingObjectsAccessor<Element>() }
  public static func _rlmTraced(_ trace: _KeyPathTrace) -> Self { Self(trace) }
}

/// Reaches an inverse property: there is nothing to store, and what is supplied for it is ignored (O-61).
final class LinkingObjectsAccessor<Element>: TypedPropertyAccessor<LinkingObjects<Element>>
where Element: ObjectBase & RealmCollectionValue & _Persistable {
  override func add(_ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase) {
    clear(object)
  }

  override func update(
    _ object: UnsafeMutableRawPointer, _ cursor: _ClassCursor, _ key: ObjectKey, owner: ObjectBase, changedOnly: Bool
  ) {
    clear(object)
  }

  override func set(_ value: Any, _ object: UnsafeMutableRawPointer) -> Bool { true }

  override func originName(_ object: UnsafeMutableRawPointer) -> String? {
    wrapper(object).pointee._stored?.propertyName
  }
}
