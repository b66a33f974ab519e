/// The name of a tenant, the owner of data: a company, a family, a user. Every row of the store belongs to one tenant, and every statement names it.
public struct TenantID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The name as it was given.
  public let name: String

  /// - Parameter name: 1 to 200 bytes without control characters, so that it may be part of a line of text.
  /// - Throws: `SyncStoreError` of kind `invalidValue` for any other.
  public init(_ name: String) throws(SyncStoreError) {
    guard (1...200).contains(name.utf8.count),
      !name.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 })
    else {
      throw SyncStoreError(
        .invalidValue,
        "the name of a tenant has to have 1 to 200 bytes and no control characters; this has \(name.utf8.count)")
    }
    self.name = name
  }

  /// For names that were checked when they were stored.
  init(stored name: String) { self.name = name }

  public var description: String { name }

  public static func < (left: TenantID, right: TenantID) -> Bool { left.name < right.name }
}

/// A part of a tenant's data with a log of its own. Most tenants have part 0 alone.
public struct PartID: Hashable, Sendable, Comparable, CustomStringConvertible {
  public let number: Int32

  public init(_ number: Int32) { self.number = number }

  /// The part that every tenant has.
  public static let first = PartID(0)

  public var description: String { "\(number)" }

  public static func < (left: PartID, right: PartID) -> Bool { left.number < right.number }
}

/// A device's copy of the data, by the bytes that the protocol calls it.
public struct SiteKey: Hashable, Sendable, Comparable, CustomStringConvertible {
  public let bytes: [UInt8]

  /// - Parameter bytes: 1 to 32 of them.
  /// - Throws: `SyncStoreError` of kind `invalidValue` for more or none.
  public init(_ bytes: [UInt8]) throws(SyncStoreError) {
    guard (1...32).contains(bytes.count) else {
      throw SyncStoreError(.invalidValue, "a site is named by 1 to 32 bytes, not by \(bytes.count)")
    }
    self.bytes = bytes
  }

  /// For sites that were checked when they were stored.
  init(stored bytes: [UInt8]) { self.bytes = bytes }

  public var description: String { Hexadecimal.text(bytes) }

  public static func < (left: SiteKey, right: SiteKey) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}

/// An object of a tenant: its class by name, and its primary key in the protocol's canonical bytes.
public struct ObjectKey: Hashable, Sendable, Comparable, CustomStringConvertible {
  public let className: String
  public let primaryKey: [UInt8]

  public init(className: String, primaryKey: [UInt8]) {
    self.className = className
    self.primaryKey = primaryKey
  }

  public var description: String { "\(className) \(Hexadecimal.text(primaryKey))" }

  /// The order of the store: classes by the bytes of their names, then keys by their bytes.
  public static func < (left: ObjectKey, right: ObjectKey) -> Bool {
    left.className == right.className
      ? left.primaryKey.lexicographicallyPrecedes(right.primaryKey)
      : left.className.utf8.lexicographicallyPrecedes(right.className.utf8)
  }
}

/// Bytes as text of two digits each.
enum Hexadecimal {
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    var result: [UInt8] = []
    for byte in bytes {
      result.append(digits[Int(byte >> 4)])
      result.append(digits[Int(byte & 15)])
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Sixteen digits, so that texts are in the order of the numbers.
  static func text(_ number: UInt64) -> String {
    text((0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) })
  }

  private static let digits = Array("0123456789abcdef".utf8)
}
