import Foundation

/// One value of a `.realm` file, whatever its type.
public enum RealmFileValue: Hashable, Sendable {
  /// No value.
  case null
  /// An integer.
  case int(Int64)
  /// A truth value.
  case bool(Bool)
  /// A number of 32 bits.
  case float(Float)
  /// A number of 64 bits.
  case double(Double)
  /// A text.
  case string(String)
  /// Bytes.
  case data([UInt8])
  /// A moment.
  case date(RealmFileDate)
  /// An ObjectId.
  case objectId(RealmFileObjectId)
  /// A UUID.
  case uuid(UUID)
  /// A decimal number.
  case decimal(RealmFileDecimal)
  /// An object, also an embedded one.
  case link(RealmFileLink)
  /// The elements of a list, in order.
  case list([RealmFileValue])
  /// The elements of a set, in the file's order, which differs between formats.
  case set([RealmFileValue])
  /// The entries of a dictionary, ascending by key.
  case dictionary([RealmFileEntry])
}

/// One entry of a dictionary.
public struct RealmFileEntry: Hashable, Sendable {
  /// The key. Dictionaries with integers as keys, which no SDK of Realm makes, have them here as decimal digits.
  public let key: String
  /// The value.
  public let value: RealmFileValue
}

/// The object that a link leads to.
public struct RealmFileLink: Hashable, Sendable {
  /// The index of the object's class in `RealmFile.classes`.
  public let classIndex: Int
  /// The object's key in its class.
  public let key: Int64
}

/// A moment: seconds and nanoseconds since 1970 began in UTC, both of the same sign or 0.
public struct RealmFileDate: Hashable, Sendable {
  /// Whole seconds since 1970.
  public let seconds: Int64
  /// -999,999,999 to 999,999,999.
  public let nanoseconds: Int32
}

/// An ObjectId: 12 bytes.
public struct RealmFileObjectId: Hashable, Sendable {
  /// The first 8 bytes as a big-endian number.
  public let high: UInt64
  /// The last 4 bytes as a big-endian number.
  public let low: UInt32

  /// The 12 bytes in the order in which they are printed.
  public var bytes: [UInt8] {
    withUnsafeBytes(of: high.bigEndian) { Array($0) } + withUnsafeBytes(of: low.bigEndian) { Array($0) }
  }
}
