import Foundation

/// A type that a `RealmProperty` can hold: an optional of a simple type, or `AnyRealmValue`.
public protocol RealmPropertyType: _ObjcBridgeable, _RealmSchemaDiscoverable {}

extension Optional: RealmPropertyType where Wrapped: RealmOptionalType, Wrapped: _RealmSchemaDiscoverable {}

extension RealmOptionalType {
  /// Empty: these types are no classes.
  public static func className() -> String { "" }
}

/// A holder of an optional value, for code written before `@Persisted`.
///
/// It holds the value in memory; it is no stored property. Declare `@Persisted var age: Int?` to store one.
public final class RealmProperty<Value>: NSObject where Value: RealmPropertyType {
  /// The value; nil or `.none` at first.
  public var value: Value

  /// A holder of nil, or of `AnyRealmValue.none`.
  public override init() {
    guard let none = Value._rlmFromObjc(NSNull(), insideOptional: true) else {
      misuse("\(Value.self) has no empty value.")
    }
    value = none
    super.init()
  }

  public override var description: String { String(describing: value) }

  /// Holders of equal values are equal.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? RealmProperty<Value> else { return false }
    func equal<T: Equatable>(_ value: T) -> Bool { value == other.value as? T }
    return (value as? any Equatable).map { equal($0) } ?? (self === other)
  }

  public override var hash: Int { (value as? any Hashable)?.hashValue ?? ObjectIdentifier(self).hashValue }
}

extension RealmProperty where Value: Equatable {
  public static func == (lhs: RealmProperty<Value>, rhs: RealmProperty<Value>) -> Bool { lhs.value == rhs.value }
}

extension RealmProperty: Decodable where Value: Decodable {
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    value = try decoder.singleValueContainer().decode(Value.self)
  }
}

extension RealmProperty: Encodable where Value: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

/// The holder before `RealmProperty`.
@available(*, deprecated, message: "Declare an optional property with @Persisted")
public final class RealmOptional<Value>: NSObject where Value: RealmOptionalType {
  /// The value; nil at first.
  public var value: Value?

  /// A wrapper of a value.
  public init(_ value: Value? = nil) {
    self.value = value
    super.init()
  }
}

@available(*, deprecated)
extension RealmOptional: Decodable where Value: Decodable, Value: _RealmSchemaDiscoverable {
  public convenience init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Value?.self))
  }
}

@available(*, deprecated)
extension RealmOptional: Encodable where Value: Encodable, Value: _RealmSchemaDiscoverable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
