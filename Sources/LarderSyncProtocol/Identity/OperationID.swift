/// The name of a thing that an operation made: an element of a list, a place in a list, or an incarnation of a container.
///
/// It is the operation with a number within it, so that sites need not agree on names before they use them. A name is never given twice: a
/// site that starts to count again is a new site.
public struct OperationID: Hashable, Sendable {
  /// The site that made the operation.
  public let site: SiteID
  /// The number of the commit at its site, from 1 on. Names that every device derives from the content of a store, for what is older than
  /// its synchronisation, have 0 here and a digest in place of a site.
  public let siteVersion: UInt64
  /// The operation's index in its commit.
  public let operation: UInt32
  /// The number among the things that the operation made. Elements that one operation inserts have consecutive numbers.
  public let index: UInt32

  /// The name of the thing with a number that an operation made.
  public init(site: SiteID, siteVersion: UInt64, operation: UInt32, index: UInt32 = 0) {
    self.site = site
    self.siteVersion = siteVersion
    self.operation = operation
    self.index = index
  }

  /// The incarnation of every collection that a class declares: it is there from the beginning and never replaced.
  public static let root = OperationID(site: .none, siteVersion: 0, operation: 0, index: 0)

  /// The name a number of places later; nil when there is none.
  public func advanced(by count: UInt32) -> OperationID? {
    let (next, overflow) = index.addingReportingOverflow(count)
    return overflow ? nil : OperationID(site: site, siteVersion: siteVersion, operation: operation, index: next)
  }

  /// Returns true if another name is this one's successor.
  func precedesDirectly(_ other: OperationID) -> Bool {
    index < .max && other.index == index + 1 && other.operation == operation && other.siteVersion == siteVersion
      && other.site == site
  }
}

extension OperationID: Comparable {
  public static func < (left: OperationID, right: OperationID) -> Bool {
    (left.site, left.siteVersion, left.operation, left.index)
      < (right.site, right.siteVersion, right.operation, right.index)
  }
}
