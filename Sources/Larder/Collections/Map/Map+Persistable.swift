import Foundation
import LarderStorage

extension Map: ManagedCollection {
  func adopt(
    by owner: ObjectBase, _ cursor: _ClassCursor, _ index: Int, _ key: ObjectKey, policy: Realm.UpdatePolicy
  ) {
    let pairs = pairs()
    location = CollectionLocation(cursor, index, key)
    unmanaged = UnmanagedMap()
    if policy == .error, pairs.isEmpty { return }
    orMisuse { try setContents(pairs, policy: policy) }
  }

  /// All entries.
  private func pairs() -> [(MapKeyText, Value)] { asKeyValueSequence().map { (MapKeyText($0.key), $0.value) } }

  func setContents(from other: Map<Key, Value>, policy: Realm.UpdatePolicy) throws {
    try setContents(other.pairs(), policy: policy)
  }

  func setContents(supplied value: Any, _ maker: (any ObjectMaker)?) throws -> Bool {
    guard let values = ValueConverter.entries(value)?.sorted(by: { $0.key < $1.key }) else { return false }
    if let maker, maker.policy == .modified, let location, let target = location.target {
      return try merge(values.map { ($0.key, $0.value) }, location, target, maker)
    }
    var pairs: [(MapKeyText, Value)] = []
    pairs.reserveCapacity(values.count)
    for (key, value) in values {
      guard let element = try converted(value, maker) else { return false }
      pairs.append((key, element))
    }
    try setContents(pairs, policy: maker?.policy ?? .all)
    return true
  }

  func assignAsRead(_ value: Any, _ type: PropertyType) throws -> Bool {
    guard let entries = ValueConverter.entries(value) else { return false }
    var pairs: [(MapKeyText, Value)] = []
    for (key, value) in entries {
      guard let element = ValueConverter.stored(value, as: type).flatMap({ Value._rlmFromStored($0, in: nil) }) else {
        return false
      }
      pairs.append((key, element))
    }
    try setContents(pairs, policy: .all)
    return true
  }

  func boxedElements() -> [Any] { values.map { $0 as Any } }

  func text(depth: Int) -> String {
    if isInvalidated { return "\(Self.self) <invalidated>" }
    let identity = String(UInt(bitPattern: ObjectIdentifier(self).hashValue), radix: 16)
    let entries: MapEntries<Key, Value> = orMisuse { try self.entries() }
    let shown = Swift.min(entries.keys.count, 100)
    let lines = (0..<shown).map {
      "\t[\(MapKeyText(entries.keys[$0]).text)]: \(ObjectDescription.text(of: entries.value($0), depth: depth + 1))"
    }
    let rest = entries.keys.count > shown ? "\n\t... \(entries.keys.count - shown) objects skipped." : ""
    let name = "Map<\(Key._rlmType.text), \(ObjectDescription.name(of: Value.self))>"
    return "\(name) <0x\(identity)> (\n\(lines.joined(separator: ",\n"))\(rest)\n)"
  }
}

extension Map: _ObjcBridgeable {
  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Self? { value as? Self }
  public var _rlmObjcValue: Any { self }
}

extension Map: _RealmSchemaDiscoverable where Value: _RealmSchemaDiscoverable {
  public static var _rlmType: PropertyType { Value._rlmType }
  public static var _rlmOptional: Bool { Value._rlmOptional }
  public static var _rlmObjectClass: ObjectBase.Type? { Value._rlmObjectClass }
  public static var _rlmCollection: CollectionKind { .map }
}

extension Map: _HasPersistedType, _Persistable, _DefaultConstructible where Value: _Persistable {
  public typealias PersistedType = Map<Key, Value>

  public static func _rlmDefaultValue() -> Self { Self() }
  public static var _rlmRefusal: _Refusal { Value._rlmRefusal }
  public static var _rlmMayRefuse: Bool { Value._rlmMayRefuse }
  public static func _rlmRefused(_ value: Any) -> (type: Any.Type, value: Any)? {
    ValueConverter.entries(value)?.map(\.value).lazy.compactMap { Value._rlmRefused($0) }.first
  }
  public static var _rlmIsCustom: Bool { Value._rlmIsCustom }
  @inlinable @inline(__always)
  public static var _rlmIsCollection: Bool { true }

  /// Collections have no leaf of their own.
  public static func _rlmRead(_ leaf: LeafPointers, _ slot: Int, _ object: ObjectBase, _ index: Int) -> Self {
    _rlmReadSlowly(object, index)
  }

  public static func _rlmReadSlowly(_ object: ObjectBase, _ index: Int) -> Self {
    Self(CollectionLocation(object.checkedCursor(), index, object._objectKey))
  }

  public static func _rlmWrite(_ value: Map<Key, Value>, _ object: ObjectBase, _ index: Int) {
    let current = _rlmReadSlowly(object, index)
    _ = object._cursorForWriting(index)
    _ = orMisuse { try current.assign(value, nil) }
  }

  public static func _rlmReplaceContents(of value: Map<Key, Value>, with other: Map<Key, Value>) {
    _ = orMisuse { try value.assign(other, nil) }
  }

  public static func _rlmTraced(_ trace: _KeyPathTrace) -> Self {
    let map = Self()
    map.trace = trace
    return map
  }
}

/// A key of a map in a keyed container.
private struct MapCodingKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { self.init(stringValue: "\(intValue)") }
}

extension Map: Decodable where Key: Decodable, Value: Decodable {
  /// From a keyed container.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: MapCodingKey.self)
    for key in container.allKeys {
      unmanaged[MapKeyText(key.stringValue)] = .some(try container.decode(Value.self, forKey: key))
    }
  }
}

extension Map: Encodable where Key: Encodable, Value: Encodable {
  /// To a keyed container.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: MapCodingKey.self)
    for (key, value) in asKeyValueSequence() {
      try container.encode(value, forKey: MapCodingKey(stringValue: MapKeyText(key).text))
    }
  }
}
