import Foundation

/// A column value in the form in which pair trees order it.
package enum IndexValue: Hashable, Sendable {
  case null
  case integer(UInt64)
  case bytes([UInt8])

  /// The form of a value of a column of the given type; nil when the value is of another type.
  ///
  /// Numbers, booleans and links become words; strings and data are themselves; dates, UUIDs and ObjectIds become
  /// their big-endian bytes.
  package init?(_ value: StoredValue, type: ColumnType) {
    switch (value, type) {
    case (.null, _): self = .null
    case (.bool(let value), .bool): self = .integer(value ? 1 : 0)
    case (.int(let value), .int): self = .integer(Self.word(value))
    case (.float(let value), .float): self = .integer(Self.word(Double(value)))
    case (.double(let value), .double): self = .integer(Self.word(value))
    case (.link(let key), .link): self = .integer(key.rawValue)
    case (.string(let value), .string): self = .bytes(Array(value.utf8))
    case (.data(let value), .data): self = .bytes(Array(value))
    case (.date(let value), .date): self = .bytes(Self.bytes(value))
    case (.uuid(let value), .uuid): self = .bytes(withUnsafeBytes(of: value.uuid) { Array($0) })
    case (.objectId(let value), .objectId): self = .bytes(Self.bytes(value))
    default: return nil
    }
  }

  /// Calls `body` with the bytes that a value is indexed as, without an array where it can be; nil when it is not indexed as bytes, or only
  /// its head is.
  static func withBytes<R>(
    of value: StoredValue, _ type: ColumnType, _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R? {
    switch (value, type) {
    case (.string(var text), .string):
      return try text.withUTF8 { $0.count > PairLimits.valueBytes ? nil : try body(UnsafeRawBufferPointer($0)) }
    case (.uuid(let value), .uuid): return try withUnsafeBytes(of: value.uuid) { try body($0) }
    default:
      guard let indexed = IndexValue(value, type: type), case .bytes(let bytes) = indexed, !indexed.isCut else {
        return nil
      }
      return try bytes.withUnsafeBytes { try body($0) }
    }
  }

  /// Returns the way in which values of a column type are packed; nil for types that have no index.
  package static func codec(for type: ColumnType) -> PairCodec? {
    switch type {
    case .bool, .int, .float, .double, .link: .integer
    case .string, .data, .date, .uuid, .objectId: .bytes
    case .decimal128, .mixed: nil
    }
  }

  /// An integer as a word in value order.
  @inline(__always)
  package static func word(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ (1 << 63) }

  /// A floating-point number as a word in value order; the zeros are one value, NaN sorts after infinity.
  @inline(__always)
  package static func word(_ value: Double) -> UInt64 {
    if value.isNaN { return .max }
    let bits = (value == 0 ? 0 : value).bitPattern
    return bits >> 63 == 0 ? bits | (1 << 63) : ~bits
  }

  private static func bytes(_ value: Timestamp) -> [UInt8] {
    withUnsafeBytes(of: word(value.seconds).bigEndian) { Array($0) }
      + withUnsafeBytes(of: value.nanoseconds.bigEndian) { Array($0) }
  }

  private static func bytes(_ value: ObjectIdBytes) -> [UInt8] {
    withUnsafeBytes(of: value.high.bigEndian) { Array($0) } + withUnsafeBytes(of: value.low.bigEndian) { Array($0) }
  }

  /// The bytes as a tree stores them: cut, with a marking zero byte after, when they are too long.
  var cut: IndexValue {
    guard case .bytes(let bytes) = self, bytes.count > PairLimits.valueBytes else { return self }
    return .bytes(Array(bytes[..<PairLimits.valueBytes]) + [0])
  }

  /// True if the value was too long to be stored whole; such entries are candidates only.
  var isCut: Bool {
    if case .bytes(let bytes) = self { bytes.count > PairLimits.valueBytes } else { false }
  }
}
