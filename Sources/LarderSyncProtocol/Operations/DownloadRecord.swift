/// A change of one slot or collection in an object that the device has.
public enum CellDelta: Hashable, Sendable {
  /// A slot has another value now.
  case set(SyncPath, SyncValue)
  /// A number in a slot has become larger by this.
  case add(SyncPath, SyncDelta)
  /// Values came into a set.
  case setInsert(SyncCollectionPath, [SyncValue])
  /// Values went from a set.
  case setRemove(SyncCollectionPath, [SyncValue])
  /// A key of a map has another value now.
  case mapPut(SyncCollectionPath, SyncText, SyncValue)
  /// Keys went from a map.
  case mapRemove(SyncCollectionPath, [SyncText])
  /// Elements came into a list, with names from `first` on, directly after a place; nil is the beginning of the list.
  indirect case listInsert(SyncCollectionPath, [SyncValue], first: OperationID, left: OperationID?)
  /// An element moved to a new place directly after another one; nil is the beginning of the list.
  indirect case listMove(SyncCollectionPath, OperationID, position: OperationID, left: OperationID?)
  /// Elements went from a list.
  case listRemove(SyncCollectionPath, [OperationIDRun])

  /// The slot that changed or whose collection changed.
  public var path: SyncPath {
    switch self {
    case .set(let path, _), .add(let path, _): path
    case .setInsert(let path, _), .setRemove(let path, _), .mapPut(let path, _, _), .mapRemove(let path, _),
      .listInsert(let path, _, _, _), .listMove(let path, _, _, _), .listRemove(let path, _):
      path.slot
    }
  }
}

/// The change of one object in a record.
public enum ObjectChange: Hashable, Sendable {
  /// Slots and collections changed in an object that the device has.
  case cells([CellDelta])
  /// The object as it is: it came into the device's view, or its author has to take it over whole. Properties that are not listed have no value.
  case whole([SyncProperty])
  /// These properties as they are.
  case columns([SyncProperty])
  /// The object was deleted or left the device's view.
  case gone
}

/// An object with what a record says of it.
public struct ObjectDelta: Hashable, Sendable {
  /// The object.
  public let object: ObjectName
  /// The change of the object.
  public let change: ObjectChange

  /// Makes the change of an object in a record. Properties are ordered by name; of several values for one the last one counts.
  public init(_ object: ObjectName, _ change: ObjectChange) {
    self.object = object
    self.change =
      switch change {
      case .whole(let properties): .whole(properties.sortedAndUnique(by: \.name))
      case .columns(let properties): .columns(properties.sortedAndUnique(by: \.name))
      case .cells, .gone: change
      }
  }
}

/// The results of one of the device's own commits. Until the marker comes, the commit's operations mask what the server says of the same cells.
public struct OwnMarker: Hashable, Sendable {
  /// The number of the commit at the site.
  public let siteVersion: UInt64
  /// The result of each operation in order; none when all are plain.
  public let results: [OperationResult]

  /// Makes the marker of a commit.
  public init(siteVersion: UInt64, results: [OperationResult] = []) {
    self.siteVersion = siteVersion
    self.results = results.allSatisfy { $0 == .plain } ? [] : results
  }

  /// Returns the result of the operation with an index.
  public func result(of operation: Int) -> OperationResult {
    results.indices.contains(operation) ? results[operation] : .plain
  }
}

/// One version of the server's log, as one device sees it.
public struct DownloadRecord: Hashable, Sendable {
  /// The number in the server's log, which counts without gaps; records that a device does not see leave gaps for it.
  public let version: UInt64
  /// The hybrid time that the server gave the commit. A record that brings objects or columns whole has the newest time of the log, because parts of
  /// them can be newer than the commit (MR-6).
  public let time: SyncTime
  /// The site that made the commit.
  public let site: SiteID
  /// The results of the commit, when the device itself made it.
  public let own: OwnMarker?
  /// The changes of objects, in order of their names.
  public let objects: [ObjectDelta]

  /// A record; of several changes of one object the last one counts.
  public init(version: UInt64, time: SyncTime, site: SiteID, own: OwnMarker? = nil, objects: [ObjectDelta] = []) {
    self.version = version
    self.time = time
    self.site = site
    self.own = own
    self.objects = objects.sortedAndUnique(by: \.object)
  }
}
