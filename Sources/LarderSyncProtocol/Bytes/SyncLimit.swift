/// The most that may be synchronised of something. This is the one table of it: a store refuses at the commit what is above, a device what it is
/// asked to send, and a server what comes. What one place takes, the next one can hold.
public enum SyncLimit: String, CaseIterable, Hashable, Sendable {
  /// Bytes of the name of a class.
  case className
  /// Bytes of the name of a property.
  case propertyName
  /// Bytes of a text that is a primary key. The tables of servers are ordered by it, and rows of an index are short.
  case primaryKey
  /// Bytes of a key of a map.
  case mapKey
  /// Bytes of a text, or of data.
  case value
  /// Containers within each other, with the steps of the way to them.
  case depth
  /// Bytes of what one transaction does to objects that cannot be sent apart.
  case transactionBytes
  /// Changes, properties, elements and entries of it.
  case transactionItems
  /// Queries in a set of subscriptions.
  case queries
  /// Bytes of all queries of a set with their values.
  case queryBytes

  /// The largest number that is allowed.
  public var most: Int {
    switch self {
    case .className: 57
    case .propertyName: 63
    case .primaryKey: 1_024
    case .mapKey: 64 << 10
    case .value: 16 << 20
    case .depth: 100
    // Half a MiB less than a frame has, for what else is in one.
    case .transactionBytes: 33 << 19
    case .transactionItems: 700_000
    case .queries: 1_000
    case .queryBytes: 256 << 10
    }
  }

  /// Throws when a number is above the limit.
  public func check(_ found: Int) throws(SyncLimitExceeded) {
    if found > most { throw SyncLimitExceeded(self, found: found) }
  }

  /// The thing that has the limit, and the unit in which it is counted.
  fileprivate var subject: (thing: String, unit: String) {
    switch self {
    case .className: ("The name of a class", "bytes")
    case .propertyName: ("The name of a property", "bytes")
    case .primaryKey: ("A primary key", "bytes")
    case .mapKey: ("A key of a map", "bytes")
    case .value: ("A value", "bytes")
    case .depth: ("A value", "levels")
    case .transactionBytes: ("What a transaction does to objects that have to be sent together", "bytes")
    case .transactionItems: ("What a transaction does to objects that have to be sent together", "changes and values")
    case .queries: ("A set of subscriptions", "queries")
    case .queryBytes: ("The queries of a set of subscriptions", "bytes")
    }
  }
}

/// Something that is above a limit of synchronisation.
public struct SyncLimitExceeded: Error, Hashable, Sendable {
  /// The limit.
  public let limit: SyncLimit
  /// The amount that there is.
  public let found: Int

  /// Something that has more than a limit allows.
  public init(_ limit: SyncLimit, found: Int) {
    self.limit = limit
    self.found = found
  }
}

extension SyncLimitExceeded: CustomStringConvertible {
  public var description: String {
    let (thing, unit) = limit.subject
    return "\(thing) has \(found) \(unit), and at most \(limit.most) can be synchronised."
  }
}
