import LarderSyncProtocol

/// A commit that no device makes and no server merges. Its device has to be refused; commits of other devices are not affected.
public struct UnmergeableCommit: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the commit at its site.
  public let siteVersion: UInt64
  /// The index of the operation that is wrong; nil when it is the commit as a whole.
  public let operation: Int?
  /// What is wrong, in words.
  public let problem: String

  public var description: String {
    "commit \(siteVersion)\(operation.map { ", operation \($0)" } ?? ""): \(problem)"
  }
}

extension SyncCommit {
  /// Checks what the bytes of a commit do not say: names, numbers, and how far values are within each other, so that the server and devices can
  /// read what it comes to. It costs time in the size of the commit.
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
    let limit = DecodingLimits.standard.depth
    for (index, operation) in operations.enumerated() where operation.edit.depth > limit {
      throw UnmergeableCommit(
        siteVersion: siteVersion, operation: index, problem: "values are within each other more than \(limit) times")
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

extension SyncEdit {
  /// Within how many containers the innermost of the edit's values is.
  fileprivate var depth: Int {
    switch self {
    case .create(let properties): properties.map(\.value.depth).max() ?? 0
    case .delete: 0
    case .set(let path, let value): path.steps.count + value.depth
    case .add(let path, _): path.steps.count
    case .mapPut(let path, _, let value): path.slot.steps.count + 1 + value.depth
    case .listInsert(let path, let values, _, _, _):
      path.slot.steps.count + 1 + (values.map(\.depth).max() ?? 0)
    default: (collection?.slot.steps.count ?? 0) + 1
    }
  }
}

extension SyncValue {
  /// How many containers are within each other, this value included.
  fileprivate var depth: Int {
    switch self {
    case .embedded(let embedded): 1 + (embedded.properties.map(\.value.depth).max() ?? 0)
    case .list(let list): 1 + (list.entries.map(\.value.depth).max() ?? 0)
    case .map(let map): 1 + (map.entries.map(\.value.depth).max() ?? 0)
    case .set: 1
    default: 0
    }
  }
}
