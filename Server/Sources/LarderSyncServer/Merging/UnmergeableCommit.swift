import LarderSyncProtocol

/// A commit that no device makes and no server merges. Its device has to be refused; commits of other devices are not affected.
public struct UnmergeableCommit: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the commit at its site.
  public let siteVersion: UInt64
  /// The index of the operation that is wrong; nil when it is the commit as a whole.
  public let operation: Int?
  /// The problem, in words.
  public let problem: String

  public var description: String {
    "commit \(siteVersion)\(operation.map { ", operation \($0)" } ?? ""): \(problem)"
  }
}

extension SyncCommit {
  /// Checks what the bytes of a commit do not say: names and numbers. What is above a limit is refused as single operations are. It costs time in the
  /// size of the commit.
  ///
  /// - Throws: `UnmergeableCommit` for the first operation that is wrong.
  func checkMergeable(site: SiteID) throws(UnmergeableCommit) {
    guard siteVersion > 0, siteVersion <= UInt64(Int64.max) else {
      throw UnmergeableCommit(siteVersion: siteVersion, operation: nil, problem: "commits are numbered from 1 on")
    }
    do throws(SyncCommitFault) {
      try check(site: site)
    } catch {
      throw UnmergeableCommit(siteVersion: siteVersion, operation: error.operation, problem: error.problem)
    }
  }
}

extension SyncCommitFault {
  fileprivate var operation: Int {
    switch self {
    case .foreignName(_, let operation), .repeatedName(_, let operation), .repeatedProperty(_, let operation),
      .containerInSet(let operation), .movedElement(_, let operation), .nothing(let operation):
      operation
    }
  }

  fileprivate var problem: String {
    switch self {
    case .foreignName: "it gives a name that is another operation's to give"
    case .repeatedName: "it gives a name twice"
    case .repeatedProperty(let name, _): "it has the property '\(name)' twice"
    case .containerInSet: "it puts a container into a set"
    case .movedElement: "it has an element of a new list at the place of another one"
    case .nothing: "it inserts or removes no elements"
    }
  }
}
