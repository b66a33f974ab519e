/// A wrapper that lets an optional `@Persisted` property be absent in a decoded container.
public protocol OptionalCodingWrapper {
  /// The type of the property.
  associatedtype WrappedType: ExpressibleByNilLiteral
  /// A wrapper of a value.
  init(wrappedValue: WrappedType)
}

extension Persisted: OptionalCodingWrapper where Value: ExpressibleByNilLiteral, Value: _Persistable {}

extension Persisted: Decodable where Value: Decodable, Value: _Persistable {
  /// A null gives nil for an optional, the default for a type that has one, and else throws `DecodingError.typeMismatch`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if !container.decodeNil() || Value.self is any ExpressibleByNilLiteral.Type {
      self.init(wrappedValue: try container.decode(Value.self))
      _column = PersistedColumn.unmanaged
    } else if Value.self is any _DefaultConstructible.Type {
      self.init()
    } else {
      throw DecodingError.typeMismatch(
        Value.self, .init(codingPath: decoder.codingPath, debugDescription: "null is no \(Value.self)."))
    }
  }
}

extension Persisted: Encodable where Value: Encodable, Value: _Persistable {
  /// Throws `EncodingError.invalidValue` for a managed object: only unmanaged ones can be encoded.
  public func encode(to encoder: any Encoder) throws {
    guard _column < 0 else {
      throw EncodingError.invalidValue(
        self, .init(codingPath: encoder.codingPath, debugDescription: "Only unmanaged objects can be encoded."))
    }
    // Through a container: encoders have their own forms for dates and data.
    var container = encoder.singleValueContainer()
    try container.encode(_stored ?? Value._rlmDefaultValue())
  }
}

extension KeyedDecodingContainer {
  /// An optional property; nil where the key is missing.
  public func decode<T>(_ type: T.Type, forKey key: KeyedDecodingContainer<K>.Key) throws -> T
  where T: Decodable, T: OptionalCodingWrapper {
    try decodeIfPresent(T.self, forKey: key) ?? T(wrappedValue: nil)
  }
}
