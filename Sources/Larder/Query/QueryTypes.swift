import Foundation

/// Types whose properties have an order and can be computed with in `where`.
public protocol _QueryNumeric: _RealmSchemaDiscoverable {}
extension Int: _QueryNumeric {}
extension Int8: _QueryNumeric {}
extension Int16: _QueryNumeric {}
extension Int32: _QueryNumeric {}
extension Int64: _QueryNumeric {}
extension Float: _QueryNumeric {}
extension Double: _QueryNumeric {}
extension Decimal128: _QueryNumeric {}
extension Date: _QueryNumeric {}
extension Optional: _QueryNumeric where Wrapped: _Persistable, Wrapped.PersistedType: _QueryNumeric {}

/// Types whose properties can be searched as text in `where`.
public protocol _QueryString: _QueryBinary {}
extension String: _QueryString {}
extension Optional: _QueryString where Wrapped: _Persistable, Wrapped.PersistedType: _QueryString {}

/// Types whose properties can be searched as bytes in `where`.
public protocol _QueryBinary {}
extension Data: _QueryBinary {}
extension Optional: _QueryBinary where Wrapped: _Persistable, Wrapped.PersistedType: _QueryBinary {}

/// Types of numbers that can be computed with in `where`, with the types that this gives.
public protocol _QueryComputable {
  /// Of a whole number and one of this type.
  associatedtype _WithInteger
  /// Of a floating-point number and one of this type.
  associatedtype _WithReal
}

/// Types of whole numbers.
public protocol _QueryInteger: _QueryComputable where _WithInteger == Int, _WithReal == Double {}
/// Types of floating-point numbers.
public protocol _QueryReal: _QueryComputable where _WithReal == Double {}
/// Types of decimal numbers.
public protocol _QueryDecimal: _QueryComputable where _WithInteger == Decimal128, _WithReal == Decimal128 {}

extension Int: _QueryInteger {}
extension Int8: _QueryInteger {}
extension Int16: _QueryInteger {}
extension Int32: _QueryInteger {}
extension Int64: _QueryInteger {}
extension Float: _QueryReal {
  /// The type of a whole number and a float that are computed with each other.
  public typealias _WithInteger = Float
}
extension Double: _QueryReal {
  /// The type of a whole number and a double that are computed with each other.
  public typealias _WithInteger = Double
}
extension Decimal128: _QueryDecimal {}
extension Optional: _QueryComputable where Wrapped: _QueryComputable {
  /// The same type as without nil.
  public typealias _WithInteger = Wrapped._WithInteger
  /// The same type as without nil.
  public typealias _WithReal = Wrapped._WithReal
}
extension Optional: _QueryInteger where Wrapped: _QueryInteger {}
extension Optional: _QueryReal where Wrapped: _QueryReal {}
extension Optional: _QueryDecimal where Wrapped: _QueryDecimal {}

/// Types whose properties have the parts of a date in `where`.
public protocol _QueryDate {}
extension Date: _QueryDate {}
extension Optional: _QueryDate where Wrapped: _QueryDate {}
