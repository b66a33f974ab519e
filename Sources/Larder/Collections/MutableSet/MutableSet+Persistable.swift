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

  func assign(_ value: Any, _ builder: ObjectBuilder?) throws -> Bool {
    let policy = builder?.policy ?? .all
    if let set = value as? MutableSet<Element> {
      if !isSameCollection(as: set) { try setContents(Array(set), policy: policy) }
      return true
    }
    if ValueConverter.isNil(value) {
      try removeAllElements()
      return true
    }
    guard let values = ValueConverter.sequence(value) else { return false }
    var elements: [Element] = []
    elements.reserveCapacity(values.count)
    for value in values {
      guard let element = converted(value, builder) else { return false }
      elements.append(element)
    }
    try setContents(elements, policy: policy)
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
  @inlinable @inline(__always)
  public static var _rlmIsCollection: Bool { true }

  /// Collections have no leaf of their own.
  public static func _rlmRead(_ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int) -> Self {
    _rlmReadSlowly(object, index)
  }

  public static func _rlmReadSlowly(_ object: ObjectBase, _ index: Int) -> Self {
    let set = Self()
    set.location = CollectionLocation(object.checkedCursor(), index, object._objectKey)
    return set
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
