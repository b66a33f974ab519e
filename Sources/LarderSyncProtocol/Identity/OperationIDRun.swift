/// Names with consecutive numbers of one operation.
public struct OperationIDRun: Hashable, Sendable {
  /// The first name.
  public let first: OperationID
  /// The number of names, at least 1.
  public let count: UInt32

  /// Makes a run of so many names from the first one on; nil for none, and for one with a number above what 32 bits hold.
  public init?(first: OperationID, count: UInt32) {
    guard count > 0, first.advanced(by: count - 1) != nil else { return nil }
    self.first = first
    self.count = count
  }

  /// One name.
  public init(_ id: OperationID) {
    first = id
    count = 1
  }

  /// The names in order.
  public var ids: some Sequence<OperationID> {
    let first = first
    return (0..<count).lazy.map {
      OperationID(
        site: first.site, siteVersion: first.siteVersion, operation: first.operation, index: first.index + $0)
    }
  }

  /// Names in order as the fewest runs.
  public static func runs(of ids: some Sequence<OperationID>) -> [OperationIDRun] {
    var runs: [OperationIDRun] = []
    var first: OperationID?
    var last: OperationID?
    var count: UInt32 = 0
    for id in ids {
      if let last, last.precedesDirectly(id), count < .max {
        count += 1
      } else {
        if let first, let run = OperationIDRun(first: first, count: count) { runs.append(run) }
        first = id
        count = 1
      }
      last = id
    }
    if let first, let run = OperationIDRun(first: first, count: count) { runs.append(run) }
    return runs
  }
}
