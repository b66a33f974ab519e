import LarderStorage

/// The form that `create(value:)` gives its input, which it does not change (O-3): copies of the unmanaged objects in it, and the values that are
/// written once there are rows, because no instance can hold them.
final class CreationInput {
  private var detaching: Detaching
  private var kept: [(object: ObjectBase, property: ModelProperty, value: Any)] = []
  private var prepared: PreparedObjects

  init(_ host: ObjectHost, _ prepared: PreparedObjects) {
    detaching = Detaching(keeping: host)
    self.prepared = prepared
  }

  /// An object to fill that was made of a class when its defaults were looked at; nil when none is left.
  func takePrepared(_ type: ObjectBase.Type, hasKey: Bool) -> ObjectBase? { prepared.take(type, hasKey: hasKey) }

  /// Says which object is made for one of the input.
  func note(_ value: Any, is object: ObjectBase) {
    if let source = ValueConverter.object(value), !source.isManaged { detaching.note(source, is: object) }
  }

  /// The copy of an unmanaged object with all that it leads to; the same one each time. Managed objects are linked to.
  func copy(of object: ObjectBase) throws -> ObjectBase { try detaching.copyAll(of: object) }

  /// A value for a property of any type, or the contents of a collection of such, with copies of the unmanaged objects in it.
  func copied(_ value: Any, depth: Int = 0) throws -> Any {
    guard depth <= StoreLayout.maximumNesting + 1 else { return value }
    switch value {
    case let value as AnyRealmValue:
      switch value {
      case .object(let object): return try copied(object, depth: depth)
      case .list(let list): return try copied(list, depth: depth)
      case .dictionary(let map): return try copied(map, depth: depth)
      default: return value
      }
    case let entries as [String: Any]: return try entries.mapValues { try self.copied($0, depth: depth + 1) }
    case let elements as [Any]: return try elements.map { try self.copied($0, depth: depth + 1) }
    case let map as Map<String, AnyRealmValue>:
      return map.location != nil ? map : try map.copy { try self.copied($0, depth: depth + 1) } ?? map
    case let list as List<AnyRealmValue>:
      return list.location != nil ? list : try list.map { try self.copied($0, depth: depth + 1) }
    case let set as MutableSet<AnyRealmValue>:
      return set.location != nil ? set : try set.map { try self.copied($0, depth: depth + 1) }
    case let object as ObjectBase: return object.isManaged ? object : try copy(of: object)
    default: return value
    }
  }

  /// Returns the contents to fill a collection with: an unmanaged collection's own objects would become managed with it.
  func contents(_ value: Any, _ property: ModelProperty) throws -> Any {
    if property.type == .any { return try copied(value) }
    guard property.isObject, let collection = ValueConverter.collection(value) else { return value }
    func made(_ element: Any) throws -> Any {
      guard let object = ValueConverter.object(element), !object.isManaged else { return element }
      return try copy(of: object)
    }
    if let map = collection as? any KeyedContents { return try map.copy(made) ?? value }
    return try collection.boxedElements().map(made)
  }

  /// Remembers a value that an object's property cannot hold, but the store can (O-23).
  func keep(_ value: Any, for property: ModelProperty, of object: ObjectBase) {
    property.accessor.leaveToBuilder(object.address)
    kept.append((object, property, value))
  }

  /// Writes the values that were kept to the rows that their objects have by now.
  func finish(_ builder: ObjectBuilder) throws {
    for (object, property, value) in kept {
      guard let cursor = object.cursorReference else { continue }
      try builder.assign(value, property, cursor, object._objectKey, isNew: false)
    }
  }
}
