import Foundation
import LarderStorage

extension AnyRealmValue: _Persistable, _DefaultConstructible, RealmCollectionValue, MinMaxType, AddableType,
  SortableType
{
  public typealias PersistedType = AnyRealmValue
  public static var _rlmType: PropertyType { .any }
  /// None is always possible (M-21).
  public static var _rlmOptional: Bool { true }
  public static func _rlmDefaultValue() -> AnyRealmValue { .none }

  // MARK: - Boxed

  /// The value itself, without the enum around it; `NSNull` for none.
  public var _rlmObjcValue: Any {
    switch self {
    case .none: NSNull()
    case .int(let value): value
    case .bool(let value): value
    case .float(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value
    case .object(let value): value
    case .objectId(let value): value
    case .decimal128(let value): value
    case .uuid(let value): value
    case .dictionary(let value): value
    case .list(let value): value
    }
  }

  /// Arrays become lists and dictionaries with string keys dictionaries, at any depth (O-93); nil for what cannot be stored.
  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> AnyRealmValue? { made(from: value, depth: 0) }

  private static func made(from value: Any, depth: Int) -> AnyRealmValue? {
    if let value = value as? AnyRealmValue { return value }
    if ValueConverter.isNil(value) { return AnyRealmValue.none }
    if let value = (value as? any AnyOptional)?.unwrapped { return made(from: value, depth: depth) }
    // Foundation's numbers can be cast to every type they fit in, such as JSON's 1 to true.
    if type(of: value) is NSNumber.Type, let value = value as? NSNumber { return number(value) }
    if !ValueConverter.isContainer(value), let value = scalar(value) { return value }
    if let value = value as? any RawRepresentable { return made(from: value.rawValue, depth: depth) }
    if let value = value as? any _CustomPersistable { return made(from: value._rlmObjcValue, depth: depth) }
    return depth > StoreLayout.maximumNesting ? nil : collection(value, depth: depth + 1)
  }

  private static func scalar(_ value: Any) -> AnyRealmValue? {
    switch value {
    case let value as String: .string(value)
    case let value as Bool: .bool(value)
    case let value as Int: .int(value)
    case let value as Double: .double(value)
    case let value as Float: .float(value)
    case let value as Data: .data(value)
    case let value as Date: .date(value)
    case let value as ObjectId: .objectId(value)
    case let value as Decimal128: .decimal128(value)
    case let value as UUID: .uuid(value)
    case let value as any FixedWidthInteger: Int(exactly: value).map { .int($0) }
    case let value as Decimal: .decimal128(Decimal128(value: value))
    case let value as Object: .object(value)
    case let value as Map<String, AnyRealmValue>: .dictionary(value)
    case let value as List<AnyRealmValue>: .list(value)
    default: nil
    }
  }

  private static func number(_ value: NSNumber) -> AnyRealmValue? {
    // There is one number each for true and false.
    if value === NSNumber(value: true) { return .bool(true) }
    if value === NSNumber(value: false) { return .bool(false) }
    if value is NSDecimalNumber { return .decimal128(Decimal128(value: value)) }
    return switch value.objCType.pointee {
    case CChar(UInt8(ascii: "d")): .double(value.doubleValue)
    case CChar(UInt8(ascii: "f")): .float(value.floatValue)
    default: Int(exactly: value).map { .int($0) }
    }
  }

  private static func collection(_ value: Any, depth: Int) -> AnyRealmValue? {
    if let entries = value as? [String: Any] {
      let map = Map<String, AnyRealmValue>()
      for (key, value) in entries {
        guard let value = made(from: value, depth: depth) else { return nil }
        map[key] = value
      }
      return .dictionary(map)
    }
    guard !(value is any AnySet), let elements = ValueConverter.sequence(value) else { return nil }
    let list = List<AnyRealmValue>()
    for element in elements {
      guard let element = made(from: element, depth: depth) else { return nil }
      list.append(element)
    }
    return .list(list)
  }

  // MARK: - Stored

  public static func _rlmFromStored(_ value: StoredValue, in realm: Realm?) -> AnyRealmValue? {
    switch value {
    case .null: AnyRealmValue.none
    case .int(let value): .int(Int(truncatingIfNeeded: value))
    case .bool(let value): .bool(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .data(let value): .data(value)
    case .date(let value): .date(value.date)
    case .objectId(let value): .objectId(ObjectId(value))
    case .decimal128(let value): .decimal128(Decimal128(bits: value))
    case .uuid(let value): .uuid(value)
    case .object(let link): realm?.host.object(of: link).map { .object($0) } ?? AnyRealmValue.none
    case .list(let elements): .fromArray(elements.map { _rlmFromStored($0, in: realm) ?? AnyRealmValue.none })
    case .dictionary(let entries): .dictionary(map(entries, in: realm))
    case .link: nil
    }
  }

  private static func map(_ entries: StoredDictionary, in realm: Realm?) -> Map<String, AnyRealmValue> {
    // Not by way of a dictionary of Swift's, for which two spellings of one character are one key.
    let map = Map<String, AnyRealmValue>()
    for entry in entries { map[entry.key] = _rlmFromStored(entry.value, in: realm) ?? AnyRealmValue.none }
    return map
  }

  /// A value of an earlier version: what it links to are the objects that they were, invalidated where they were deleted since.
  static func earlier(_ value: StoredValue, _ host: ObjectHost) -> AnyRealmValue {
    switch value {
    case .object(let link): return (host.objectOrGone(of: link) as? Object).map { .object($0) } ?? .none
    case .list(let elements): return .fromArray(elements.map { earlier($0, host) })
    case .dictionary(let entries):
      let map = Map<String, AnyRealmValue>()
      for entry in entries { map[entry.key] = earlier(entry.value, host) }
      return .dictionary(map)
    default: return _rlmFromStored(value, in: nil) ?? .none
    }
  }

  /// Unmanaged objects are added.
  public func _rlmStored(in realm: Realm?) -> StoredValue {
    orMisuse {
      try stored(depth: 0) { object in
        guard let host = realm?.host else { throw Realm.Error.invalid("A link cannot be stored without a Realm.") }
        return host.link(to: object)
      }
    }
  }

  /// Returns the form in which the store may hold the value; nil for a value that it cannot have, because it holds an object of elsewhere.
  func storedIfKnown(to host: ObjectHost) throws -> StoredValue? {
    struct Unknown: Error {}
    do {
      return try stored(depth: 0) { object in
        guard let link = try host.knownLink(to: object) else { throw Unknown() }
        return link
      }
    } catch is Unknown {
      return nil
    }
  }

  /// Returns the form in which any store would hold the value; nil for one that links to objects. Throws for collections nested too deeply.
  func storedIfUnlinked() throws -> StoredValue? {
    struct Linked: Error {}
    do {
      return try stored(depth: 0) { _ in throw Linked() }
    } catch is Linked {
      return nil
    }
  }

  /// Returns the stored form. Throws for collections nested too deeply (E-64), which those that hold themselves are as well.
  private func stored(depth: Int, _ link: (Object) throws -> ObjectLink) throws -> StoredValue {
    guard depth <= StoreLayout.maximumNesting else {
      throw Realm.Error.invalid("Values nest at most \(StoreLayout.maximumNesting) levels deep.")
    }
    switch self {
    case .none: return .null
    case .int(let value): return .int(Int64(value))
    case .bool(let value): return .bool(value)
    case .float(let value): return .float(value)
    case .double(let value): return .double(value)
    case .string(let value): return .string(value)
    case .data(let value): return .data(value)
    case .date(let value): return .date(Timestamp(value))
    case .objectId(let value): return .objectId(value.bytes)
    case .decimal128(let value): return .decimal128(value.bits)
    case .uuid(let value): return .uuid(value)
    case .object(let value): return .object(try link(value))
    case .list(let value):
      return .list(StoredList(try value.map { try $0.stored(depth: depth + 1, link) }))
    case .dictionary(let value):
      return .dictionary(
        StoredDictionary(
          try value.asKeyValueSequence().map { ($0.key, try $0.value.stored(depth: depth + 1, link)) }))
    }
  }

  // MARK: - Properties

  public static func _rlmRead(_ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int) -> AnyRealmValue {
    _rlmReadSlowly(object, index)
  }

  /// Lists and dictionaries are live.
  public static func _rlmReadSlowly(_ object: ObjectBase, _ index: Int) -> AnyRealmValue {
    let (value, _) = object._storedValue(index)
    return CollectionLocation(object.checkedCursor(), index, object._objectKey).anyValue(value, at: nil)
  }

  /// Assigning the collection that the property holds changes nothing; any other value takes the place of what is nested (O-91).
  public static func _rlmWrite(_ value: AnyRealmValue, _ object: ObjectBase, _ index: Int) {
    let cursor = object._cursorForWriting(index)
    if let location = value.location,
      location
        == CollectionLocation(cursor, index, object._objectKey).anyValue(object._storedValue(index).0, at: nil).location
    {
      return
    }
    _rlmStore(value, cursor, index, object._objectKey)
  }

  /// The place of a live list or dictionary.
  private var location: CollectionLocation? {
    switch self {
    case .list(let list): list.location
    case .dictionary(let map): map.location
    default: nil
    }
  }
}

/// A set, of whatever elements: what values of any type cannot hold.
protocol AnySet {}

extension Set: AnySet {}
extension NSSet: AnySet {}
extension MutableSet: AnySet {}

extension ObjectHost {
  /// The object at the end of a link of any class, typed if the program knows the class, in migrations never; nil when there is no such row.
  func object(of link: ObjectLink) -> Object? { cursor(of: link)?.objectIfPresent(link.key) as? Object }

  /// The same for a link of an older version: an invalidated object where it was deleted since.
  func objectOrGone(of link: ObjectLink) -> ObjectBase? { cursor(of: link)?.objectOrGone(link.key) }

  private func cursor(of link: ObjectLink) -> _ClassCursor? {
    guard let name = schema[link.classID]?.name else { return nil }
    if !isMigrating, let model = models.first(where: { $0.name == name }) { return cursor(for: model.type) }
    return dynamicCursor(name)
  }

  /// The row of an object; nil for one that is unmanaged or of another store. Throws for a deleted one.
  func knownLink(to object: ObjectBase) throws -> ObjectLink? {
    guard object.isManaged, object.host?.store === store, let classID = object.cursorReference?.classID else {
      return nil
    }
    guard !object.isInvalidated else { throw Realm.Error.invalid(object.deletedMessage, className: object.model.name) }
    return ObjectLink(classID: classID, key: object._objectKey)
  }

  /// Returns the link to store for an object of any class; adds an unmanaged object first.
  func link(to object: Object) -> ObjectLink {
    let key = linkKey(for: object)
    return ObjectLink(classID: (object.cursorReference ?? cursor(for: type(of: object))).classID, key: key)
  }
}

extension AnyRealmValue: AnyValueHolder {
  var heldValue: Any { _rlmObjcValue }
}
