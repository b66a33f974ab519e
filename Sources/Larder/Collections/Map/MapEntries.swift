import LarderStorage

/// The entries of a map at one moment, for loops: read chunk by chunk when the loop begins.
final class MapEntries<Key: _MapKey, Value: RealmCollectionValue> {
  private enum Values {
    case held([Value])
    case stored([StoredValue], CollectionLocation, stamp: UInt64)
  }

  let keys: [Key]
  private let values: Values

  init(_ keys: [Key], held values: [Value]) {
    self.keys = keys
    self.values = .held(values)
  }

  init(_ map: any MapReading, _ location: CollectionLocation) throws {
    keys = try map.keys.values().map { Key._rlmMapKey($0) }
    values = .stored(try map.values.values(), location, stamp: location.host.stamp)
  }

  /// A value; nil for an object that was deleted since (O-11).
  func value(_ position: Int) -> Value {
    switch values {
    case .held(let values): return values[position]
    case .stored(let values, let location, let stamp):
      let value = values[position]
      if stamp != location.host.stamp, case .link(let key) = value, location.target?.isPresent(key) == false {
        return orMisuse { try location.element(.null) }
      }
      let step: MixedStep? = value.isCollection ? .key(MapKeyText(keys[position]).text) : nil
      return orMisuse { try location.element(value, at: step) }
    }
  }

  func allValues() -> [Value] { keys.indices.map { value($0) } }
}

extension _MapKey {
  /// A key of a stored map.
  static func _rlmMapKey(_ value: StoredValue) -> Self {
    guard let key = _rlmFromStored(value, in: nil) else { misuse("The stored key \(value.text) is no \(Self.self).") }
    return key
  }
}

/// Iterates over the entries that a map had when the loop began.
public struct RLMMapIterator<Element>: IteratorProtocol where Element: _RealmMapValue {
  private let entries: MapEntries<Element.Key, Element.Value>
  private let make: (Element.Key, Element.Value) -> Element
  private var position = 0

  init(
    _ entries: MapEntries<Element.Key, Element.Value>, _ make: @escaping (Element.Key, Element.Value) -> Element
  ) {
    self.entries = entries
    self.make = make
  }

  public mutating func next() -> Element? {
    guard position < entries.keys.count else { return nil }
    defer { position += 1 }
    return make(entries.keys[position], entries.value(position))
  }
}

/// Iterates over the keys and values that a map had when the loop began.
public struct RLMKeyValueIterator<Key, Value>: IteratorProtocol where Key: _MapKey, Value: RealmCollectionValue {
  public typealias Element = (key: Key, value: Value)

  private let entries: MapEntries<Key, Value>
  private var position = 0

  init(_ entries: MapEntries<Key, Value>) { self.entries = entries }

  public mutating func next() -> (key: Key, value: Value)? {
    guard position < entries.keys.count else { return nil }
    defer { position += 1 }
    return (entries.keys[position], entries.value(position))
  }
}
