import Foundation
import LarderStorage

/// Reads a property of a `DynamicObject`.
final class DynamicAccessor: _PropertyAccessor {
  private let type: PropertyType
  private let kind: CollectionKind
  private let isOptional: Bool

  init(_ property: ModelProperty) {
    type = property.type
    kind = property.kind
    isOptional = property.isOptional
    super.init()
    index = property.index
  }

  override func managedValue(_ object: ObjectBase) -> Any {
    let cursor = object.checkedCursor()
    if type == .linkingObjects {
      return LinkingObjects<DynamicObject>(to: object._objectKey, cursor, cursor.model.property(index))
    }
    if type == .any { return anyValue(object, cursor) }
    guard kind == .none else { return collection(CollectionLocation(cursor, index, object._objectKey)) }
    let value = cursor.value(index, object._objectKey)
    if case .link(let key) = value { return linked(object, key) ?? NSNull() }
    return value.boxed ?? NSNull()
  }

  /// A linked object: one of its Swift class, where there is one in the Realm; in migrations never.
  private func linked(_ object: ObjectBase, _ key: ObjectKey) -> ObjectBase? {
    guard let found = object.linkedObject(index, key), let cursor = found.cursorReference else { return nil }
    if cursor.host.isMigrating { return found }
    return cursor.typed?.object(key) ?? found
  }

  override func verifiedValue(_ object: ObjectBase) throws -> Any { managedValue(object) }
  override func isCollection() -> Bool { kind != .none }
  override func converted(_ value: Any, in host: ObjectHost) -> StoredValue? {
    guard type == .any else { return ValueConverter.stored(value, as: type) }
    return AnyRealmValue._rlmFromObjc(value, insideOptional: true)?._rlmStored(in: Realm(host))
  }

  private func anyValue(_ object: ObjectBase, _ cursor: _ClassCursor) -> Any {
    let location = CollectionLocation(cursor, index, object._objectKey)
    return switch kind {
    case .none: AnyRealmValue._rlmReadSlowly(object, index)._rlmObjcValue
    case .list: List<AnyRealmValue>(location)
    case .set: MutableSet<AnyRealmValue>(location)
    case .map: Map<String, AnyRealmValue>(location)
    }
  }

  /// A collection of values, typed by what the store holds.
  func storedCollection(_ location: CollectionLocation) -> (any ManagedCollection)? {
    collection(location) as? any ManagedCollection
  }

  /// A collection typed by what the store holds.
  private func collection(_ location: CollectionLocation) -> Any {
    switch type {
    case .bool: of(Bool.self, location)
    case .int: of(Int.self, location)
    case .float: of(Float.self, location)
    case .double: of(Double.self, location)
    case .string: of(String.self, location)
    case .data: of(Data.self, location)
    case .date: of(Date.self, location)
    case .UUID: of(UUID.self, location)
    case .objectId: of(ObjectId.self, location)
    case .decimal128: of(Decimal128.self, location)
    case .object:
      switch kind {
      case .none, .list: List<DynamicObject>(location)
      case .set: MutableSet<DynamicObject>(location)
      case .map: Map<String, DynamicObject?>(location)
      }
    case .any, .linkingObjects: NSNull()
    }
  }

  private func of<Element>(_ type: Element.Type, _ location: CollectionLocation) -> Any
  where Element: _RealmCollectionValueInsideOptional {
    isOptional ? collection(of: Element?.self, location) : collection(of: Element.self, location)
  }

  private func collection<Element>(of type: Element.Type, _ location: CollectionLocation) -> Any
  where Element: RealmCollectionValue {
    switch kind {
    case .none, .list: List<Element>(location)
    case .set: MutableSet<Element>(location)
    case .map: Map<String, Element>(location)
    }
  }
}

extension ModelClass {
  /// A class as `DynamicObject`s see it: with the names of its Swift class where there is one, else with the stored ones.
  static func dynamic(_ descriptor: ClassDescriptor, _ known: ModelClass?, _ schema: StoreSchema) -> ModelClass {
    let properties = known?.properties ?? descriptor.columns.enumerated().map { ModelProperty($1, number: $0, schema) }
    return ModelClass(
      DynamicObject.self, descriptor.name, properties.map(\.untyped), known?.inverses.map(\.untyped) ?? [], nil,
      isEmbedded: descriptor.isEmbedded, isDynamic: true)
  }
}

extension ModelProperty {
  /// The property as a `DynamicObject` has it.
  fileprivate var untyped: ModelProperty {
    var result = self
    result.accessor = DynamicAccessor(self)
    if let name = objectClassName {
      result.storedTarget = StoredTarget(name: name, isEmbedded: isEmbedded)
      result.objectClass = DynamicObject.self
    }
    return result
  }

  /// A column of a class that has no Swift class.
  fileprivate init(_ column: ColumnDescriptor, number: Int, _ schema: StoreSchema) {
    self.init(
      index: number, name: column.name, columnName: column.name, type: PropertyType(column.type),
      kind: column.collection, isOptional: column.isOptional, isPrimaryKey: column.isPrimaryKey,
      isIndexed: column.isIndexed, isFullText: column.isFullText, objectClass: nil, accessor: _PropertyAccessor())
    if let target = column.target.flatMap({ schema[$0] }) {
      storedTarget = StoredTarget(name: target.name, isEmbedded: target.isEmbedded)
    }
  }
}

extension ObjectBase {
  /// Returns the place of a collection, for `DynamicObject` elements; misuse unless the property is of that kind.
  final func dynamicLocation(_ name: String, _ kind: CollectionKind, _ what: String) -> CollectionLocation {
    guard isManaged else {
      misuse("\(model.name).\(name) can be read dynamically only after adding the object to a Realm.")
    }
    let cursor = checkedCursor()
    guard let property = model.property(named: name) else { misuse(model.unknownProperty(name)) }
    guard property.kind == kind else { misuse("\(model.name).\(name) is no \(what).") }
    return CollectionLocation(cursor.host.dynamicCursor(model.name), property.index, _objectKey)
  }
}

extension Object {
  /// A list with untyped objects as elements. Misuse when the property is no list, or the object unmanaged. Elements of a list of
  /// numbers and the like cannot be read this way, only counted and removed; the subscript by name gives such a list.
  public func dynamicList(_ propertyName: String) -> List<DynamicObject> {
    List(dynamicLocation(propertyName, .list, "list"))
  }

  /// A set with untyped objects as elements. Misuse when the property is no set, or the object unmanaged; see `dynamicList(_:)`.
  public func dynamicMutableSet(_ propertyName: String) -> MutableSet<DynamicObject> {
    MutableSet(dynamicLocation(propertyName, .set, "set"))
  }

  /// A map with untyped objects as values. Misuse when the property is no map, or the object unmanaged; see `dynamicList(_:)`.
  public func dynamicMap<Key>(_ propertyName: String) -> Map<Key, DynamicObject?> where Key: _MapKey {
    Map(dynamicLocation(propertyName, .map, "map"))
  }
}

extension EmbeddedObject {
  /// A list with untyped objects as elements. Misuse when the property is no list, or the object unmanaged. Elements of a list of
  /// numbers and the like cannot be read this way.
  public func dynamicList(_ propertyName: String) -> List<DynamicObject> {
    List(dynamicLocation(propertyName, .list, "list"))
  }
}
