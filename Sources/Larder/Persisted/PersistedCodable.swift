/// What lets an optional `@Persisted` property be absent in a decoded container.
public protocol OptionalCodingWrapper {
  associatedtype WrappedType: ExpressibleByNilLiteral
  init(wrappedValue: WrappedType)
}

extension Persisted: OptionalCodingWrapper where Value: ExpressibleByNilLiteral {}

extension Persisted: Decodable where Value: Decodable {
  /// A null for a type that has a default gives the default.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil(), Value.self is any _DefaultConstructible.Type {
      self.init()
    } else {
      self.init(wrappedValue: try container.decode(Value.self))
    }
  }
}

extension Persisted: Encodable where Value: Encodable {
  /// Only unmanaged objects can be encoded property by property.
  public func encode(to encoder: any Encoder) throws {
    guard _column < 0 else {
      throw EncodingError.invalidValue(
        self, .init(codingPath: encoder.codingPath, debugDescription: "Only unmanaged objects can be encoded."))
    }
    try (_stored ?? Value._rlmDefaultValue()).encode(to: encoder)
  }
}

extension KeyedDecodingContainer {
  public func decode<T>(_ type: T.Type, forKey key: KeyedDecodingContainer<K>.Key) throws -> T
  where T: Decodable, T: OptionalCodingWrapper {
    try decodeIfPresent(T.self, forKey: key) ?? T(wrappedValue: nil)
  }
}
