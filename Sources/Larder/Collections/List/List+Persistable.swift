import Foundation
import LarderStorage

extension List: ManagedCollection {
  func adopt(
    by owner: ObjectBase, _ cursor: _ClassCursor, _ index: Int, _ key: ObjectKey, policy: Realm.UpdatePolicy
  ) {
    let elements = location == nil ? unmanaged : Array(self)
    location = CollectionLocation(cursor, index, key)
    unmanaged = []
    if policy == .error, elements.isEmpty { return }
    orMisuse { try setContents(elements, policy: policy) }
  }

  func setContents(from other: List<Element>, policy: Realm.UpdatePolicy) throws {
    try setContents(Array(other), policy: policy)
  }

  func setContents(supplied value: Any, _ maker: (any ObjectMaker)?) throws -> Bool {
    if let maker, maker.policy == .modified, let location, let target = location.target {
      guard let values = ValueConverter.sequence(value) else { return false }
      return try merge(values, location, target, maker)
    }
    guard let elements = try convertedElements(value, maker) else { return false }
    try setContents(elements, policy: maker?.policy ?? .all)
    return true
  }
}

extension List: _ObjcBridgeable {
  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Self? { value as? Self }
  public var _rlmObjcValue: Any { self }
}

extension List: _RealmSchemaDiscoverable where Element: _RealmSchemaDiscoverable {
  public static var _rlmType: PropertyType { Element._rlmType }
  public static var _rlmOptional: Bool { Element._rlmOptional }
  public static var _rlmObjectClass: ObjectBase.Type? { Element._rlmObjectClass }
  public static var _rlmCollection: CollectionKind { .list }
}

extension List: _HasPersistedType, _Persistable, _DefaultConstructible where Element: _Persistable {
  public typealias PersistedType = List<Element>

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

  public static func _rlmWrite(_ value: List<Element>, _ object: ObjectBase, _ index: Int) {
    let current = _rlmReadSlowly(object, index)
    _ = object._cursorForWriting(index)
    _ = orMisuse { try current.assign(value, nil) }
  }

  public static func _rlmReplaceContents(of value: List<Element>, with other: List<Element>) {
    _ = orMisuse { try value.assign(other, nil) }
  }

  public static func _rlmTraced(_ trace: _KeyPathTrace) -> Self {
    let list = Self()
    list.trace = trace
    return list
  }
}

extension List: Decodable where Element: Decodable {
  /// From an unkeyed container.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd { unmanaged.append(try container.decode(Element.self)) }
  }
}

extension List: Encodable where Element: Encodable {}
