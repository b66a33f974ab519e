import Foundation

/// One value as the store knows it. Used at edges (import, predicates, dynamic access), never per row in a scan.
public enum StoredValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case float(Float)
  case double(Double)
  case string(String)
  case data(Data)
  case date(Timestamp)
  case uuid(UUID)
  case objectId(ObjectIdBytes)
  case decimal128(Decimal128Bits)
  /// A link, as the key in the column's target class.
  case link(ObjectKey)

  public var isNull: Bool { self == .null }
}
