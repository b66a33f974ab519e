/// The record that the server's log keeps of a commit that it merged, for all devices.
public struct MergedCommit<Summary: Sendable>: Sendable {
  /// The number in the log.
  public let version: UInt64
  /// The site that made it.
  public let site: SiteID
  /// The number at the site.
  public let siteVersion: UInt64
  /// The random number of the commit.
  public let nonce: UInt64
  /// The time that it got.
  public let time: SyncTime
  /// True if that is not the time that the device gave it, whose clock is wrong.
  public let isClamped: Bool
  /// The result of each operation.
  public internal(set) var results: [OperationResult] = []
  /// Every object that the commit names, with effect or without, once (MR-3).
  public internal(set) var objects: [TouchedObject<Summary>] = []

  /// A commit as a log kept it.
  public init(
    version: UInt64, site: SiteID, siteVersion: UInt64, nonce: UInt64, time: SyncTime, isClamped: Bool = false,
    results: [OperationResult] = [], objects: [TouchedObject<Summary>] = []
  ) {
    self.version = version
    self.site = site
    self.siteVersion = siteVersion
    self.nonce = nonce
    self.time = time
    self.isClamped = isClamped
    self.results = results
    self.objects = objects
  }

  /// The index of an object, which is listed when it is not yet.
  mutating func touch(_ object: ObjectName, _ indexes: inout TouchedIndexes, _ summary: () -> Summary) -> Int {
    let index = indexes.index(of: object)
    if index == objects.count {
      let before = summary()
      objects.append(TouchedObject(object: object, before: before, after: before))
    }
    return index
  }
}

/// The effect of a commit on an object.
public struct TouchedObject<Summary: Sendable>: Sendable {
  /// The object.
  public let object: ObjectName
  /// The values that queries need of the object, before the commit.
  public let before: Summary
  /// The values that queries need of the object, after the commit.
  public internal(set) var after: Summary
  /// The changes for devices that have the object.
  public internal(set) var deltas: [CellDelta] = []
  /// True if those devices need the object whole.
  public internal(set) var changesAll = false
  /// The properties that the author takes over instead of what it predicted: the columns of operations that something newer beat.
  public internal(set) var columns: [SyncProperty] = []
  /// True if the author needs the object whole.
  public internal(set) var authorNeedsAll = false
  /// True if the commit created the object and the server had never heard of it.
  public internal(set) var isNew = false

  /// Restores the effect on an object from a log.
  public init(
    object: ObjectName, before: Summary, after: Summary, deltas: [CellDelta] = [], changesAll: Bool = false,
    columns: [SyncProperty] = [], authorNeedsAll: Bool = false, isNew: Bool = false
  ) {
    self.object = object
    self.before = before
    self.after = after
    self.deltas = deltas
    self.changesAll = changesAll
    self.columns = columns
    self.authorNeedsAll = authorNeedsAll
    self.isNew = isNew
  }
}

extension MergedCommit {
  /// Notes what the author has to correct, after all operations were merged. Returns the properties of each object whose content it takes over.
  ///
  /// It goes through the operations once, however many objects they are of.
  mutating func keepForAuthor(_ commit: SyncCommit, _ indexes: inout TouchedIndexes) -> [Int: Set<SyncText>] {
    var columns: [Int: Set<SyncText>] = [:]
    for (operation, result) in zip(commit.operations, results) {
      let index = indexes.index(of: operation.object)
      switch result {
      case .whole, .refused: objects[index].authorNeedsAll = true
      case .echo: if let property = operation.edit.path?.property { columns[index, default: []].insert(property) }
      case .plain: if case .create = operation.edit { objects[index].isNew = true }
      default: break
      }
    }
    return columns
  }

  func hasEffect(on index: Int, _ commit: SyncCommit) -> Bool {
    !objects[index].deltas.isEmpty || objects[index].changesAll
      || zip(commit.operations, results).contains { operation, result in
        operation.object == objects[index].object && (operation.edit == .delete || result == .plain)
      }
  }
}
