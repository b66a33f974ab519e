import Foundation
import LarderStorage

extension MutableSet: ManagedCollection {
  func adopt(
    by owner: ObjectBase, _ cursor: _ClassCursor, _ index: Int, _ key: ObjectKey, policy: Realm.UpdatePolicy
  ) {
    let elements = location == nil ? unmanaged.elements : Array(self)
    location = CollectionLocation(cursor, index, key)
    unmanaged = UnmanagedSet()
    if policy == .error, elements.isEmpty { return }
    orMisuse { try setContents(elements, policy: policy) }
  }

  func setContents(from other: MutableSet<Element>, policy: Realm.UpdatePolicy) throws {
    try setContents(Array(other), policy: policy)
  }

  func setContents(supplied value: Any, _ maker: (any ObjectMaker)?) throws -> Bool {
    guard let elements = try convertedElements(value, maker) else { return false }
    try setContents(elements, policy: maker?.policy ?? .all)
    return true
  }
}

extension MutableSet: _ObjcBridgeable {
  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Self? { value as? Self }
  public var _rlmObjcValue: Any { self }
}

extension MutableSet: _RealmSchemaDiscoverable where Element: _RealmSchemaDiscoverable {
  public static var _rlmType: PropertyType { Element._rlmType }
  public static var _rlmOptional: Bool { Element._rlmOptional }
  public static var _rlmObjectClass: ObjectBase.Type? { Element._rlmObjectClass }
  public static var _rlmCollection: CollectionKind { .set }
}

extension MutableSet: _HasPersistedType, _Persistable, _DefaultConstructible where Element: _Persistable {
  public typealias PersistedType = MutableSet<Element>

  public static func _rlmDefaultValue() -> Self { Self() }
  public static var _rlmRefusal: _Refusal { Element._rlmRefusal }
  public static var _rlmMayRefuse: Bool { Element._rlmMayRefuse }
  public static func _rlmRefused(_ value: Any) -> (type: Any.Type, value: Any)? {
    ValueConverter.sequence(value)?.lazy.compactMap { Element._rlmRefused($0) }.first
  }
  public static var _rlmIsCustom: Bool { Element._rlmIsCustom }
  @inlinable @inline(__always)
  public static var _rlmIsCollection: Bool { true }

  /// Collections have no leaf of their own.
  public static func _rlmRead(_ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int) -> Self {
    _rlmReadSlowly(object, index)
  }

  public static func _rlmReadSlowly(_ object: ObjectBase, _ index: Int) -> Self {
    Self(CollectionLocation(object.checkedCursor(), index, object._objectKey))
  }

  public static func _rlmWrite(_ value: MutableSet<Element>, _ object: ObjectBase, _ index: Int) {
    let current = _rlmReadSlowly(object, index)
    _ = object._cursorForWriting(index)
    _ = orMisuse { try current.assign(value, nil) }
  }

  public static func _rlmReplaceContents(of value: MutableSet<Element>, with other: MutableSet<Element>) {
    _ = orMisuse { try value.assign(other, nil) }
  }

  public static func _rlmTraced(_ trace: _KeyPathTrace) -> Self {
    let set = Self()
    set.trace = trace
    return set
  }
}

extension MutableSet: Decodable where Element: Decodable {
  /// From an unkeyed container.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd { unmanaged.insert(CollectionOfOne(try container.decode(Element.self))) }
  }
}

extension MutableSet: Encodable where Element: Encodable {}
