/// The name of a site, which makes changes: one copy of a store on one device. A copied file, and a store that was reset, are new sites.
public struct SiteID: Hashable, Sendable {
  /// Bytes 0-7 as a big-endian number.
  public let high: UInt64
  /// Bytes 8-15 as a big-endian number.
  public let low: UInt64

  /// The site of 16 bytes that are given as two big-endian numbers.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// No site: the one that `OperationID.root` names.
  public static let none = SiteID(high: 0, low: 0)
}

extension SiteID: Comparable {
  public static func < (left: SiteID, right: SiteID) -> Bool { (left.high, left.low) < (right.high, right.low) }
}
