/// A fault of a commit that was decoded: bytes alone do not say it. A server refuses such a commit, and a device never makes one.
public enum SyncCommitFault: Error, Hashable, Sendable {
  /// An operation gives a name that is another operation's to give.
  case foreignName(OperationID, operation: Int)
  /// An operation gives a name twice.
  case repeatedName(OperationID, operation: Int)
  /// A new object has a property twice.
  case repeatedProperty(SyncText, operation: Int)
  /// A set is to hold a container.
  case containerInSet(operation: Int)
  /// A new list has an element whose place has another name.
  case movedElement(OperationID, operation: Int)
  /// There are no elements to insert or to remove.
  case nothing(operation: Int)
}

extension SyncCommit {
  /// Checks that a commit is one that this site can have made: it gives only names of its own, each once, or such as are derived from the content
  /// of an older store (`siteVersion` 0).
  public func check(site: SiteID) throws(SyncCommitFault) {
    for (index, operation) in operations.enumerated() {
      var names = GivenNames(site: site, siteVersion: siteVersion, operation: index)
      try names.take(operation.edit)
    }
  }
}

/// The names that one operation gives. An incarnation may have the name of the element that it is in.
private struct GivenNames {
  let site: SiteID
  let siteVersion: UInt64
  let operation: Int
  private var elements: Set<OperationID> = []
  private var incarnations: Set<OperationID> = []

  init(site: SiteID, siteVersion: UInt64, operation: Int) {
    self.site = site
    self.siteVersion = siteVersion
    self.operation = operation
  }

  mutating func take(_ edit: SyncEdit) throws(SyncCommitFault) {
    switch edit {
    case .create(let properties):
      var seen: Set<SyncText> = []
      for property in properties {
        guard seen.insert(property.name).inserted else {
          throw .repeatedProperty(property.name, operation: operation)
        }
        try take(property.value)
      }
    case .set(_, let value), .mapPut(_, _, let value): try take(value)
    case .setInsert(_, let value), .setRemove(_, let value):
      if value.isContainer { throw .containerInSet(operation: operation) }
    case .listInsert(_, let values, let first, _, _):
      guard let count = UInt32(exactly: values.count), let run = OperationIDRun(first: first, count: count) else {
        throw .nothing(operation: operation)
      }
      for id in run.ids { try takeElement(id) }
      for value in values { try take(value) }
    case .listMove(_, _, let position, _, _): try takeElement(position)
    case .listRemove(_, let runs): if runs.isEmpty { throw .nothing(operation: operation) }
    case .delete, .add, .setClear, .mapRemove, .mapClear: break
    }
  }

  private mutating func take(_ value: SyncValue) throws(SyncCommitFault) {
    guard let incarnation = value.incarnation else { return }
    try checkOwn(incarnation)
    guard incarnations.insert(incarnation).inserted else {
      throw .repeatedName(incarnation, operation: operation)
    }
    switch value {
    case .embedded(let embedded): for property in embedded.properties { try take(property.value) }
    case .map(let map): for entry in map.entries { try take(entry.value) }
    case .list(let list):
      for entry in list.entries {
        guard entry.element == entry.position else { throw .movedElement(entry.element, operation: operation) }
        try takeElement(entry.element)
        try take(entry.value)
      }
    default: break
    }
  }

  private mutating func takeElement(_ id: OperationID) throws(SyncCommitFault) {
    try checkOwn(id)
    guard elements.insert(id).inserted else { throw .repeatedName(id, operation: operation) }
  }

  private func checkOwn(_ id: OperationID) throws(SyncCommitFault) {
    let isDerived = id.siteVersion == 0 && id != .root
    let isOwn = id.site == site && id.siteVersion == siteVersion && Int(id.operation) == operation
    guard isDerived || isOwn else { throw .foreignName(id, operation: operation) }
  }
}
